#include "tsmini/collection.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include "tsmini/encoder.h"
#include "tsmini/error.h"

#include "search/answering.h"
#include "search/request_plan.h"
#include "store/attribute_records.h"
#include "store/checking.h"
#include "store/collection_info.h"
#include "store/companions.h"
#include "store/creation.h"
#include "store/empty_collection.h"
#include "store/exact_maker.h"
#include "store/folder.h"
#include "store/index_maker.h"
#include "store/judging.h"
#include "store/model_adding.h"
#include "store/opening.h"
#include "store/readers.h"
#include "store/records.h"
#include "store/stored_trips.h"
#include "store/trips_around.h"
#include "store/upgrade.h"
#include "store/writing.h"

namespace tsmini {
namespace {

void make_indexes(Database& database, LoadedModels& models, IndexWork work,
                  const Progress& progress) {
  for (const auto& model : models.get_current(database)) {
    make_index(model->owner, database, model->kind, work, progress);
  }
}

}  // namespace

class Collection::Impl {
 public:
  explicit Impl(const CollectionFolder& folder) : Impl(folder, OpenedCollection(folder)) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  // Puts the log into the database, also where others read meanwhile: those cannot, and whoever
  // opens it next would have to go through all of it.
  ~Impl() {
    if (!writer_) return;
    try {
      writer_->run("PRAGMA busy_timeout = 500; PRAGMA wal_checkpoint(TRUNCATE)");
    } catch (const Error&) {
      // The next one who writes does it.
    }
  }

  const CollectionFolder& folder() const { return folder_; }
  const std::string& identity() const { return identity_; }
  const Space& space() const { return memory_.space; }
  const ExactOwner& exact() const { return exact_; }
  LoadedModels& models() const { return *memory_.models; }

  // Runs with the connection that writes, one at a time.
  template <class Work>
  auto write(const Work& work) {
    const std::lock_guard lock(writing_);
    if (!writer_) writer_ = open_writer();
    // A thread that waits within for others must not take up work that waits for the lock.
    return tbb::this_task_arena::isolate([&] { return work(*writer_); });
  }

  // A connection of its own, for long work: others may write meanwhile.
  std::unique_ptr<Database> another_writer() {
    write([](Database&) {});  // so that there is one that goes last
    return open_writer();
  }

  // In the current layout.
  std::unique_ptr<Database> open_writer() const {
    readers_.check_in_place();
    auto database = std::make_unique<Database>(folder_.database(), Database::Access::write);
    // Whatever was committed is on the disk.
    database->run("PRAGMA synchronous = FULL");
    // A transaction changes pages all over the index of places: they stay in memory until it ends,
    // and go from the log into the database together with those of others.
    database->run("PRAGMA cache_size = -131072; PRAGMA wal_autocheckpoint = 4096");
    check_identity(*database, identity_);
    readers_.check_in_place();
    if (upgrade(*database, space().to_json())) {
      memory_.embeddings.add_note(
          fmt::format("{}: was made by tsmini 0.1 and was brought to the format of this version, "
                      "which that cannot read",
                      folder_.path().string()));
    }
    return database;
  }

  // Runs in a read transaction.
  template <class Work>
  auto read(const Work& work) const {
    return readers_.read(work);
  }

  // The same, with the trips as a search sees them.
  template <class Work>
  auto read_trips(const Work& work) const {
    return read_anew(readers_, folder_, [&](const Readers::Lease& lease) {
      return work(StoredTrips(memory_, lease));
    });
  }

  void judge(Database& database, const Progress& progress) const {
    read_trips([&](const StoredTrips& trips) {
      judge_models(trips, database, progress);
      return true;
    });
  }

  void verify(const Progress& progress) const {
    read_anew(readers_, folder_, [&](const Readers::Lease& lease) {
      const Layout layout = layout_of(*lease);
      const std::vector<ModelRecord> records = ModelRecord::read_all(*lease, layout);
      // Reads the files again.
      const LoadedModels::List models = LoadedModels(folder_, identity_).get(records, readers_);
      check_collection(exact_, models, records, *lease, layout, progress);
      return true;
    });
  }

  std::vector<std::string> notes() const { return memory_.notes(); }

 private:
  Impl(const CollectionFolder& folder, OpenedCollection opened)
      : folder_(folder),
        identity_(opened.identity),
        readers_(folder, opened.identity, opened.stamp),
        exact_{folder, opened.identity, opened.space},
        memory_{opened.space, readers_, std::move(opened.models), EmbeddingViews(readers_),
                ExactViews(exact_, readers_)} {}

  CollectionFolder folder_;
  std::string identity_;

  // The last connection to go puts the log into the database, which only one that writes can do.
  std::mutex writing_;
  std::unique_ptr<Database> writer_;
  mutable Readers readers_;
  ExactOwner exact_;
  mutable StoreMemory memory_;
};

Collection::Collection(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Collection::~Collection() = default;
Collection::Collection(Collection&&) noexcept = default;

Collection Collection::create(const std::filesystem::path& folder, const Space& space) {
  make_empty_collection(folder, space, nullptr, {});
  return open(folder);
}

Collection Collection::create(const std::filesystem::path& folder, const Model& model,
                              std::optional<IndexKind> kind) {
  const Encoder checks_the_tensors(model);
  make_empty_collection(folder, model.space, &model, kind);
  return open(folder);
}

Collection Collection::open(const std::filesystem::path& folder) {
  return Collection(std::make_unique<Impl>(CollectionFolder(folder)));
}

const std::filesystem::path& Collection::folder() const {
  return impl_->folder().path();
}

const Space& Collection::space() const {
  return impl_->space();
}

Coordinates Collection::coordinates() const {
  return impl_->space().coordinates();
}

std::uint64_t Collection::size() const {
  return impl_->read([](const Readers::Lease& lease) {
    return static_cast<std::uint64_t>(CollectionState::read(*lease).trips);
  });
}

std::vector<std::string> Collection::notes() const {
  return impl_->notes();
}

CollectionInfo Collection::info() const {
  CollectionInfo info = impl_->read_trips(info_of);
  info.identity = impl_->identity();
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder(), ignored)) {
    const std::uintmax_t size = entry.file_size(ignored);
    if (!ignored) info.bytes += size;
  }
  return info;
}

std::vector<CollectionModel> Collection::models() const {
  return impl_->read_trips(models_of);
}

AddSummary Collection::add(const Dataset& data, const AddOptions& options,
                           const Progress& progress) {
  if (data.size() > 0 && data.info().coordinates != coordinates()) {
    throw Error(
        ErrorCode::bad_input,
        fmt::format("{}: trips of the collection are {}, those to be added {}", folder().string(),
                    name_of(coordinates()), name_of(data.info().coordinates)),
        "make another collection for these");
  }
  return impl_->write([&](Database& database) {
    return add_trips(database, impl_->models(), impl_->space(), data, options, progress);
  });
}

std::uint64_t Collection::remove(std::span<const std::string> ids, bool missing_too,
                                 const Progress& progress) {
  return impl_->write(
      [&](Database& database) { return remove_trips(database, ids, missing_too, progress); });
}

std::string Collection::add_model(const Model& model, const ModelOptions& options,
                                  const Progress& progress) {
  const Encoder checks_the_tensors(model);
  const auto database = impl_->another_writer();
  const ModelRecord record = make_known(*database, impl_->folder(), impl_->space(), model, options);
  const LoadedModel loaded(impl_->folder(), impl_->identity(), record, model);
  // A thread that waits within for others must not take up work that waits for the turn to write.
  tbb::this_task_arena::isolate([&] { embed_trips(*database, loaded, impl_->space(), progress); });
  return record.name;
}

void Collection::remove_model(std::string_view name) {
  impl_->write([&](Database& database) { tsmini::remove_model(database, impl_->folder(), name); });
}

bool Collection::discard_if_unused() {
  return impl_->write([&](Database& database) { return remove_unused(impl_->folder(), database); });
}

bool Collection::wants_index() const {
  const bool exact_wanted = impl_->read([&](const Readers::Lease& lease) {
    return ExactBacklog::read(impl_->exact(), *lease, layout_of(*lease)).is_large();
  });
  if (exact_wanted) return true;
  const std::vector<CollectionModel> all = models();
  return std::any_of(all.begin(), all.end(), [](const CollectionModel& model) {
    return model.is_complete && is_index_wanted(model.indexed, model.removed, model.tail);
  });
}

void Collection::make_index(const Progress& progress) {
  const auto database = impl_->another_writer();
  make_exact_files(impl_->exact(), *database, IndexWork::extend, progress);
  make_indexes(*database, impl_->models(), IndexWork::extend, progress);
  forget_removed(impl_->exact(), *database);
  impl_->judge(*database, progress);
}

void Collection::compact(const Progress& progress) {
  const auto database = impl_->another_writer();
  make_exact_files(impl_->exact(), *database, IndexWork::anew, progress);
  make_indexes(*database, impl_->models(), IndexWork::anew, progress);
  forget_removed(impl_->exact(), *database);
  impl_->judge(*database, progress);
  database->run("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
}

void Collection::verify(const Progress& progress) const {
  impl_->verify(progress);
}

SearchResult Collection::search(std::span<const Position> query, const SearchRequest& request,
                                const Heartbeat& heartbeat) const {
  return impl_->read_trips(
      [&](const StoredTrips& trips) { return answer(trips, query, request, heartbeat); });
}

SearchRequest Collection::completed(const SearchRequest& request) const {
  return impl_->read_trips(
      [&](const StoredTrips& trips) { return tsmini::completed(request, trips); });
}

std::optional<StoredTrip> Collection::find(std::string_view id) const {
  return impl_->read([&](const Readers::Lease& lease) -> std::optional<StoredTrip> {
    const std::int64_t row = row_of(*lease, id);
    if (row < 0) return std::nullopt;
    const Layout layout = layout_of(*lease);
    StoredTrip trip = read_trip(*lease, layout, row);
    read_attributes(*lease, layout, trip);
    return trip;
  });
}

Dataset Collection::around(const Box& box, std::size_t most, const Heartbeat& heartbeat) const {
  return impl_->read([&](const Readers::Lease& lease) {
    return trips_around(*lease, coordinates(), box, most, heartbeat);
  });
}

}  // namespace tsmini
