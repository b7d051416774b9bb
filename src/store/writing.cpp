#include "store/writing.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <tbb/task_group.h>

#include "tsmini/error.h"
#include "tsmini/heartbeat.h"

#include "base/text.h"
#include "base/utf8.h"
#include "search/embedding_batch.h"
#include "store/attribute_records.h"
#include "store/model_record.h"
#include "store/origin_records.h"
#include "store/records.h"
#include "store/screening.h"

namespace tsmini {
namespace {

void delete_row(Database& database, std::span<const std::int64_t> models, std::int64_t row,
                CollectionState& state) {
  Statement length = database.prepared("SELECT length(points) FROM trips WHERE row = ?");
  if (length.bind(1, row).step()) {
    state.points -= length.integer(0) / static_cast<std::int64_t>(sizeof(Position));
  }
  delete_trip(database, models, row);
  database.prepared("INSERT INTO removed (row) VALUES (?)").bind(1, row).run();
  --state.trips;
}

// What a model made of the trips of one transaction.
struct Embedded {
  std::int64_t model = 0;
  EmbeddingBatch batch;

  // Inserts what the model made of the trip of this number.
  void insert(Database& database, std::size_t trip, std::int64_t row) const {
    const auto place = std::lower_bound(batch.fit.begin(), batch.fit.end(), trip);
    if (place == batch.fit.end() || *place != trip) return insert_unfit(database, model, row);
    insert_embedding(database, model, row,
                     batch.row(static_cast<std::size_t>(place - batch.fit.begin())));
  }
  bool is_unfit(std::size_t trip) const {
    return std::binary_search(batch.unfit.begin(), batch.unfit.end(), trip);
  }
};

// The models that have seen every trip, and so must see each that is added; others come to it
// later.
std::vector<ModelRecord> complete_records(Database& database) {
  const std::int64_t next_row = CollectionState::read(database).next_row;
  std::vector<ModelRecord> records = ModelRecord::read_all(database, Layout::current);
  std::erase_if(records, [&](const ModelRecord& r) { return !r.is_complete(next_row); });
  return records;
}

// The same models, ready to embed.
LoadedModels::List complete_models(Database& database, LoadedModels& models) {
  LoadedModels::List loaded = models.get_current(database);
  const std::vector<ModelRecord> complete = complete_records(database);
  std::erase_if(loaded, [&](const auto& model) {
    return std::none_of(complete.begin(), complete.end(),
                        [&](const ModelRecord& r) { return r.number == model->number; });
  });
  return loaded;
}

// Some trips, which go to the database in one transaction.
class Chunk {
 public:
  Chunk(const Dataset& data, std::span<const std::size_t> indices, const AddOptions& options)
      : data_(data), indices_(indices), options_(options) {}

  std::size_t size() const { return indices_.size(); }

  // Embeds by the models that have not embedded it yet. Asks no database, so that another chunk may
  // be written meanwhile.
  void embed(const LoadedModels::List& models, const Progress& progress) {
    std::vector<Embedded> embedded;
    for (const auto& model : models) {
      const auto before = std::find_if(embedded_.begin(), embedded_.end(),
                                       [&](const Embedded& e) { return e.model == model->number; });
      if (before != embedded_.end()) {
        embedded.push_back(std::move(*before));
      } else {
        embedded.push_back(
            {model->number, embed_batch(model->model, model->encoder, data_, indices_, progress)});
      }
    }
    embedded_ = std::move(embedded);
  }

  // False where the models are not those that it was embedded by: some came or went meanwhile.
  bool commit(Database& database, AddSummary& summary) {
    AddSummary sum = summary;
    Transaction writing(database, Transaction::Kind::write);
    const std::vector<ModelRecord> complete = complete_records(database);
    const auto is_same = [](const ModelRecord& r, const Embedded& e) {
      return r.number == e.model;
    };
    if (!std::equal(complete.begin(), complete.end(), embedded_.begin(), embedded_.end(),
                    is_same)) {
      return false;
    }
    CollectionState state = CollectionState::read(database);
    const std::int64_t first_row = state.next_row;
    const std::vector<std::int64_t> models =
        numbers_of(ModelRecord::read_all(database, Layout::current));
    for (std::size_t i = 0; i < indices_.size(); ++i) {
      const Trajectory trip = data_[indices_[i]];
      const std::int64_t present = row_of(database, trip.id);
      if (present >= 0 && options_.duplicates == Duplicates::refuse) {
        throw_duplicate(trip.id, "was added meanwhile by another process");
      }
      if (present >= 0 && options_.duplicates == Duplicates::skip) {
        ++sum.skipped;
        continue;
      }
      if (present >= 0) {
        delete_row(database, models, present, state);
        ++sum.replaced;
      }
      const std::int64_t row = state.next_row++;
      insert_trip(database, row, trip);
      insert_attributes(database, row, data_.part(indices_[i]), attributes_of(data_, indices_[i]));
      for (const Embedded& embedded : embedded_) embedded.insert(database, i, row);
      count_unfit(i, sum);
      state.points += static_cast<std::int64_t>(trip.size());
      ++state.trips;
      ++sum.added;
    }
    insert_attribute_names(database, data_.attributes());
    if (sum.added > summary.added) {
      insert_origin(database, options_.origin.empty() ? data_.info().provenance : options_.origin,
                    static_cast<std::int64_t>(sum.added - summary.added));
    }
    set_embedded(database, first_row, state.next_row);
    ++state.change;
    state.write(database);
    writing.commit();
    summary = sum;
    embedded_.clear();
    return true;
  }

 private:
  void count_unfit(std::size_t trip, AddSummary& sum) const {
    for (const Embedded& embedded : embedded_) {
      if (!embedded.is_unfit(trip)) continue;
      if (sum.unfit++ == 0) sum.first_unfit = embedded.batch.first_flaw;
      return;
    }
  }

  const Dataset& data_;
  std::span<const std::size_t> indices_;
  const AddOptions& options_;
  std::vector<Embedded> embedded_;  // by rising number of the model
};

std::vector<Chunk> chunks_of(const Dataset& data, std::span<const std::size_t> indices,
                             const AddOptions& options, std::size_t most_trips) {
  std::vector<Chunk> chunks;
  for (std::size_t begin = 0, end = 0; begin < indices.size(); begin = end) {
    std::size_t points = 0;
    while (end < indices.size() && end - begin < most_trips && points < most_points_at_once) {
      points += data[indices[end++]].size();
    }
    chunks.emplace_back(data, indices.subspan(begin, end - begin), options);
  }
  return chunks;
}

// Writes trips chunk by chunk, and embeds the next one meanwhile, on what cores are left.
void add_chunks(Database& database, LoadedModels& models, const Dataset& data,
                std::span<const std::size_t> indices, const AddOptions& options,
                const Heartbeat& heartbeat, AddSummary& summary) {
  const Progress beat = [&](const ProgressState&) { heartbeat.beat(); };
  LoadedModels::List current = complete_models(database, models);
  std::vector<Chunk> chunks = chunks_of(
      data, indices, options, current.empty() ? most_trips_at_once : most_embedded_at_once);
  tbb::task_group embedding;
  const auto begin = [&](std::size_t i) {
    if (i == chunks.size()) return;
    embedding.run([&chunk = chunks[i], &beat, current] { chunk.embed(current, beat); });
  };
  try {
    begin(0);
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      embedding.wait();
      begin(i + 1);
      while (!chunks[i].commit(database, summary)) {
        current = complete_models(database, models);
        chunks[i].embed(current, beat);
      }
      heartbeat.advance(chunks[i].size());
    }
  } catch (...) {
    embedding.cancel();
    try {
      embedding.wait();
    } catch (...) {  // the first error is told
    }
    throw;
  }
}

}  // namespace

AddSummary add_trips(Database& database, LoadedModels& models, const Space& space,
                     const Dataset& data, const AddOptions& options, const Progress& progress) {
  AddSummary summary;
  const std::vector<std::size_t> indices = trips_to_add(database, space, data, options, summary);
  try {
    add_chunks(database, models, data, indices, options, Heartbeat(progress, indices.size()),
               summary);
  } catch (const Error& error) {
    const bool stopped = error.code() == ErrorCode::interrupted;
    throw error.with_message(fmt::format(
        "{}; {} of {} trips were added and stay", stopped ? "interrupted" : error.what(),
        with_thousands(summary.added), with_thousands(indices.size())));
  }
  return summary;
}

std::uint64_t remove_trips(Database& database, std::span<const std::string> ids, bool missing_too,
                           const Progress& progress) {
  const Heartbeat heartbeat(progress, ids.size());
  std::uint64_t count = 0;
  Transaction writing(database, Transaction::Kind::write);
  CollectionState state = CollectionState::read(database);
  const std::vector<std::int64_t> models =
      numbers_of(ModelRecord::read_all(database, Layout::current));
  for (const std::string& id : ids) {
    heartbeat.beat();
    const std::int64_t row = row_of(database, id);
    if (row < 0 && missing_too) continue;
    if (row < 0) {
      throw Error(ErrorCode::bad_input,
                  fmt::format("there is no trip '{}' in the collection", printable(id)),
                  "nothing was removed; `missing_too` passes over ids that are not there");
    }
    delete_row(database, models, row, state);
    ++count;
  }
  if (count == 0) return 0;
  ++state.change;
  state.write(database);
  writing.commit();
  return count;
}

}  // namespace tsmini
