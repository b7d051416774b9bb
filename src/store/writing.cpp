#include "store/writing.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "tsmini/error.h"

#include "base/text.h"
#include "model/flaws.h"
#include "search/row_store.h"
#include "store/records.h"

namespace tsmini {
namespace {

// Of a transaction: enough that waiting for the disk is a small part of it.
constexpr std::size_t most_trips = 2048;
constexpr std::size_t most_points = 1 << 20;

[[noreturn]] void throw_duplicate(std::string_view id, std::string_view where) {
  throw Error(ErrorCode::bad_input, fmt::format("trip '{}' {}", printable(id), where),
              "replace or skip such trips (--duplicates replace, --duplicates skip)");
}

// Chooses what to add, before anything is written.
class Screening {
 public:
  Screening(Database& database, const Model& model, const Dataset& data, const AddOptions& options,
            AddSummary& summary)
      : options_(options), summary_(summary), chosen_(data.size(), true) {
    drop_unfit(model, data);
    drop_repeated(data);
    if (options.duplicates != Duplicates::replace) drop_present(database, data);
  }

  std::vector<std::size_t> indices() const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      if (chosen_[i]) result.push_back(i);
    }
    return result;
  }

 private:
  void drop_unfit(const Model& model, const Dataset& data) {
    std::vector<std::string> flaws(data.size());
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, data.size(), 256), [&](const auto& range) {
      for (std::size_t i = range.begin(); i < range.end(); ++i) flaws[i] = flaw_of(model, data[i]);
    });
    for (std::size_t i = 0; i < flaws.size(); ++i) {
      if (flaws[i].empty()) continue;
      const std::string what = fmt::format("trip '{}' {}", printable(data[i].id), flaws[i]);
      if (!options_.skip_unfit) {
        throw Error(
            ErrorCode::bad_input, what,
            "leave such trips out with --on-error skip, or train a model on data like this");
      }
      if (summary_.unfit++ == 0) summary_.first_unfit = what;
      chosen_[i] = false;
    }
  }

  // Of trips of the same id the first is taken, or the last where it replaces the others.
  void drop_repeated(const Dataset& data) {
    std::unordered_map<std::string_view, std::size_t> seen;
    seen.reserve(data.size());
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (!chosen_[i]) continue;
      const auto [place, is_new] = seen.emplace(data[i].id, i);
      if (is_new) continue;
      if (options_.duplicates == Duplicates::refuse) {
        throw_duplicate(data[i].id, "comes twice in the data");
      }
      const bool replace = options_.duplicates == Duplicates::replace;
      chosen_[replace ? std::exchange(place->second, i) : i] = false;
      ++summary_.skipped;
    }
  }

  void drop_present(Database& database, const Dataset& data) {
    const Transaction reading(database, Transaction::Kind::read);
    if (CollectionState::read(database).trips == 0) return;
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (!chosen_[i] || row_of(database, data[i].id) < 0) continue;
      if (options_.duplicates == Duplicates::refuse) {
        throw_duplicate(data[i].id, "is in the collection already");
      }
      chosen_[i] = false;
      ++summary_.skipped;
    }
  }

  const AddOptions& options_;
  AddSummary& summary_;
  std::vector<bool> chosen_;
};

void delete_row(Database& database, std::int64_t row, CollectionState& state) {
  Statement length = database.prepared("SELECT length(points) FROM trips WHERE row = ?");
  if (length.bind(1, row).step()) {
    state.points -= length.integer(0) / static_cast<std::int64_t>(sizeof(Position));
  }
  database.prepared("DELETE FROM trips WHERE row = ?").bind(1, row).run();
  database.prepared("INSERT INTO removed (row) VALUES (?)").bind(1, row).run();
  --state.trips;
}

// One transaction.
void commit_trips(Database& database, const Dataset& data, std::span<const std::size_t> indices,
                  std::span<const float> embeddings, Duplicates duplicates, AddSummary& summary) {
  AddSummary sum = summary;
  const std::size_t dimension = embeddings.size() / indices.size();
  Transaction writing(database, Transaction::Kind::write);
  CollectionState state = CollectionState::read(database);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Trajectory trip = data[indices[i]];
    const std::int64_t present = row_of(database, trip.id);
    if (present >= 0 && duplicates == Duplicates::refuse) {
      throw_duplicate(trip.id, "was added meanwhile by another process");
    }
    if (present >= 0 && duplicates == Duplicates::skip) {
      ++sum.skipped;
      continue;
    }
    if (present >= 0) {
      delete_row(database, present, state);
      ++sum.replaced;
    }
    insert_trip(database, state.next_row++, trip, embeddings.subspan(i * dimension, dimension));
    state.points += static_cast<std::int64_t>(trip.size());
    ++state.trips;
    ++sum.added;
  }
  ++state.change;
  state.write(database);
  writing.commit();
  summary = sum;
}

// A model whose weights are finite and absurd gives embeddings that are not.
void check_embeddings(const Dataset& data, std::span<const std::size_t> indices,
                      std::span<const float> embeddings) {
  const std::size_t dimension = embeddings.size() / indices.size();
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (is_comparable(embeddings.subspan(i * dimension, dimension))) continue;
    throw Error(
        ErrorCode::bad_input,
        fmt::format("the model gives trip '{}' an embedding that is not finite or too large",
                    printable(data[indices[i]].id)),
        "its weights are of no use; take another model, or train it again");
  }
}

std::size_t end_of_chunk(const Dataset& data, std::span<const std::size_t> indices,
                         std::size_t begin) {
  std::size_t points = 0, end = begin;
  while (end < indices.size() && end - begin < most_trips && points < most_points) {
    points += data[indices[end++]].size();
  }
  return end;
}

}  // namespace

AddSummary add_trips(Database& database, const Encoder& encoder, const Model& model,
                     const Dataset& data, const AddOptions& options, const Progress& progress) {
  AddSummary summary;
  const std::vector<std::size_t> indices =
      Screening(database, model, data, options, summary).indices();
  std::vector<float> embeddings;
  try {
    for (std::size_t begin = 0; begin < indices.size();) {
      const std::size_t end = end_of_chunk(data, indices, begin);
      const std::span<const std::size_t> chunk(indices.data() + begin, end - begin);
      embeddings.resize(chunk.size() * encoder.dimension());
      encoder.embed(data, chunk, embeddings, [&](const ProgressState&) {
        if (progress) progress({begin, indices.size()});
      });
      check_embeddings(data, chunk, embeddings);
      commit_trips(database, data, chunk, embeddings, options.duplicates, summary);
      begin = end;
      if (progress) progress({begin, indices.size()});
    }
  } catch (const Error& error) {
    const bool stopped = error.code() == ErrorCode::interrupted;
    throw Error(error.code(),
                fmt::format("{}; {} of {} trips were added and stay",
                            stopped ? "interrupted" : error.what(), with_thousands(summary.added),
                            with_thousands(indices.size())),
                error.hint());
  }
  return summary;
}

std::uint64_t remove_trips(Database& database, std::span<const std::string> ids, bool missing_too) {
  std::uint64_t count = 0;
  Transaction writing(database, Transaction::Kind::write);
  CollectionState state = CollectionState::read(database);
  for (const std::string& id : ids) {
    const std::int64_t row = row_of(database, id);
    if (row < 0 && missing_too) continue;
    if (row < 0) {
      throw Error(ErrorCode::bad_input,
                  fmt::format("there is no trip '{}' in the collection", printable(id)),
                  "nothing was removed; --on-error skip passes over ids that are not there");
    }
    delete_row(database, row, state);
    ++count;
  }
  if (count == 0) return 0;
  ++state.change;
  state.write(database);
  writing.commit();
  return count;
}

}  // namespace tsmini
