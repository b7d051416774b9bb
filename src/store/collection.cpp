#include "tsmini/collection.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include "tsmini/encoder.h"
#include "tsmini/error.h"

#include "search/answering.h"
#include "search/request_plan.h"
#include "store/attribute_records.h"
#include "store/collection_impl.h"
#include "store/collection_info.h"
#include "store/companions.h"
#include "store/creation.h"
#include "store/empty_collection.h"
#include "store/exact_maker.h"
#include "store/folder.h"
#include "store/index_maker.h"
#include "store/model_adding.h"
#include "store/read_connections.h"
#include "store/records.h"
#include "store/stored_trips.h"
#include "store/trips_around.h"
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
