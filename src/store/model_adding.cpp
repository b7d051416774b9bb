#include "store/model_adding.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/checksum.h"
#include "base/file.h"
#include "base/utf8.h"
#include "search/embedding_batch.h"
#include "search/model_fit.h"
#include "search/model_name.h"
#include "store/companions.h"
#include "store/records.h"

namespace tsmini {
namespace {

namespace fs = std::filesystem;

// Embedded and committed at a time.
constexpr std::size_t trips_of_a_stretch = 2048, points_of_a_stretch = 1 << 20;
// The last rows, up to so many, are embedded while others wait to write, or there would be no end.
constexpr std::int64_t last_rows = 128;

std::optional<Box> extent_of(Database& database) {
  Statement select =
      database.prepared("SELECT min(min_lon), min(min_lat), max(max_lon), max(max_lat) FROM trips");
  if (!select.step() || select.is_null(0)) return std::nullopt;
  return Box{select.real(0), select.real(1), select.real(2), select.real(3)};
}

bool is_taken(const std::vector<ModelRecord>& records, std::string_view name) {
  return std::any_of(records.begin(), records.end(),
                     [&](const ModelRecord& record) { return record.name == name; });
}

// The name that was asked for, or one after the measure.
std::string name_for(const Model& model, const std::string& wanted,
                     const std::vector<ModelRecord>& records) {
  if (!wanted.empty()) {
    if (!is_taken(records, wanted)) return wanted;
    throw Error(ErrorCode::usage,
                fmt::format("the collection has another model '{}'", printable(wanted)),
                "choose another name, or remove that model", "name");
  }
  return free_name(model.measure, [&](std::string_view name) { return is_taken(records, name); });
}

std::int64_t next_number(Database& database) {
  Statement select = database.prepared("SELECT seq FROM sqlite_sequence WHERE name = 'models'");
  return select.step() ? select.integer(0) + 1 : 1;
}

// Files of models that were removed, left by one who was killed. A file that was never put in force
// has the number that the next model takes.
void remove_strays(const CollectionFolder& folder, const std::vector<ModelRecord>& records,
                   std::int64_t next) {
  std::error_code ignored;
  for (const std::string& name : names_in(folder.path(), ignored)) {
    const bool is_known = std::any_of(records.begin(), records.end(),
                                      [&](const ModelRecord& r) { return r.file == name; });
    const auto number = CollectionFolder::model_number(name);
    if (number && *number < next && !is_known) fs::remove(folder.path() / name, ignored);
  }
}

// Trips that a model has not seen yet.
class TripStretch {
 public:
  // Reads trips from the row `begin` on, in a transaction.
  TripStretch(Database& database, Coordinates coordinates, std::int64_t begin) {
    const std::int64_t next_row = CollectionState::read(database).next_row;
    DatasetBuilder builder(coordinates);
    TripScan scan(database, Layout::current, begin);
    std::size_t points = 0;
    bool is_last = false;
    while (rows_.size() < trips_of_a_stretch && points < points_of_a_stretch) {
      is_last = !scan.next();
      if (is_last) break;
      rows_.push_back(scan.row());
      points += scan.trip().size();
      builder.add({scan.trip().id, scan.trip().points, {}});
    }
    end_ = is_last ? next_row : rows_.back() + 1;
    trips_ = builder.finish();
  }

  std::int64_t end() const { return end_; }

  void embed(const LoadedModel& model, const Progress& progress) {
    std::vector<std::size_t> all(rows_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    batch_ = embed_batch(model.model, model.encoder, trips_, all, progress);
  }

  // Writes the embeddings, in a transaction that writes.
  void insert(Database& database, std::int64_t model) const {
    for (std::size_t i = 0; i < batch_.fit.size(); ++i) {
      const std::int64_t row = rows_[batch_.fit[i]];
      if (is_there(database, row)) insert_embedding(database, model, row, batch_.row(i));
    }
    for (const std::size_t i : batch_.unfit) {
      if (is_there(database, rows_[i])) insert_unfit(database, model, rows_[i]);
    }
    set_embedded_by(database, model, end_);
  }

 private:
  // Whether a trip is still there, as it may have been removed meanwhile.
  static bool is_there(Database& database, std::int64_t row) {
    return database.prepared("SELECT 1 FROM trips WHERE row = ?").bind(1, row).step();
  }

  std::int64_t end_ = 0;
  std::vector<std::int64_t> rows_;
  Dataset trips_;
  EmbeddingBatch batch_;
};

// The row up to which a model has seen trips; none where it is gone.
std::optional<std::int64_t> embedded_by(Database& database, std::int64_t model) {
  for (const ModelRecord& record : ModelRecord::read_all(database, Layout::current)) {
    if (record.number == model) return record.embedded;
  }
  return std::nullopt;
}

// True where nothing is left to do.
bool embed_stretch(Database& database, const LoadedModel& model, Coordinates coordinates,
                   const Progress& progress) {
  std::optional<TripStretch> stretch;
  std::optional<std::int64_t> begin;
  std::int64_t next_row = 0;
  {
    const Transaction reading(database, Transaction::Kind::read);
    begin = embedded_by(database, model.number);
    next_row = CollectionState::read(database).next_row;
    if (!begin || *begin == next_row) return true;
    stretch.emplace(database, coordinates, *begin);
  }
  const auto tell = [&](std::int64_t row) {
    if (progress) progress({static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(next_row)});
  };
  const auto at_begin = [&](const ProgressState&) { tell(*begin); };
  stretch->embed(model, at_begin);
  Transaction writing(database, Transaction::Kind::write);
  if (embedded_by(database, model.number) != begin) return false;  // another was quicker
  stretch->insert(database, model.number);
  next_row = CollectionState::read(database).next_row;
  std::int64_t end = stretch->end();
  if (end < next_row && next_row - end <= last_rows) {
    TripStretch rest(database, coordinates, end);
    rest.embed(model, at_begin);
    rest.insert(database, model.number);
    end = rest.end();
  }
  count_change(database);
  writing.commit();
  tell(end);
  return end == next_row;
}

}  // namespace

ModelRecord make_known(Database& database, const CollectionFolder& folder, const Space& space,
                       const Model& model, const ModelOptions& options) {
  Transaction writing(database, Transaction::Kind::write);
  const std::vector<ModelRecord> records = ModelRecord::read_all(database, Layout::current);
  ModelRecord record;
  record.number = next_number(database);
  remove_strays(folder, records, record.number);
  record.file = CollectionFolder::model_name(record.number);
  const fs::path file = folder.path() / record.file;
  model.save(file);
  record.checksum = file_checksum(file);
  for (const ModelRecord& known : records) {
    if (known.checksum != record.checksum) continue;
    fs::remove(file);
    return known;
  }
  try {
    check_fit(model, space, extent_of(database));
    record.name = name_for(model, options.name, records);
  } catch (const Error&) {
    fs::remove(file);
    throw;
  }
  record.kind = options.kind;
  make_durable(file);
  record.insert(database);
  make_model_tables(database, record.number);
  count_change(database);
  writing.commit();
  return record;
}

void embed_trips(Database& database, const LoadedModel& model, const Space& space,
                 const Progress& progress) {
  try {
    while (!embed_stretch(database, model, space.coordinates(), progress)) {
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::interrupted) throw;
    throw Error(error.code(),
                fmt::format("interrupted; the model '{}' stays, and has seen a part of the trips",
                            printable(model.name)),
                "add it again to go on, or remove it");
  }
}

void remove_model(Database& database, const CollectionFolder& folder, std::string_view name) {
  Transaction writing(database, Transaction::Kind::write);
  const std::vector<ModelRecord> records = ModelRecord::read_all(database, Layout::current);
  const auto place = std::find_if(records.begin(), records.end(),
                                  [&](const ModelRecord& record) { return record.name == name; });
  if (place == records.end()) {
    std::vector<std::string> names(records.size());
    std::transform(records.begin(), records.end(), names.begin(),
                   [](const ModelRecord& record) { return printable(record.name); });
    throw Error(
        ErrorCode::bad_input, fmt::format("the collection has no model '{}'", printable(name)),
        names.empty() ? "it has none" : fmt::format("its models are {}", fmt::join(names, ", ")));
  }
  database.prepared("DELETE FROM models WHERE number = ?").bind(1, place->number).run();
  drop_model_tables(database, place->number);
  count_change(database);
  writing.commit();
  std::error_code ignored;
  fs::remove(folder.path() / place->file, ignored);
  remove_unused_files(IndexFilesLock(folder), folder, database);
}

}  // namespace tsmini
