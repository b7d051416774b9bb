#include "tsmini/collection.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "tsmini/encoder.h"
#include "tsmini/error.h"

#include "base/text.h"
#include "search/answering.h"
#include "store/checking.h"
#include "store/creation.h"
#include "store/embedding_view.h"
#include "store/exact_view.h"
#include "store/folder.h"
#include "store/index_maker.h"
#include "store/readers.h"
#include "store/records.h"
#include "store/stored_trips.h"
#include "store/writing.h"

namespace tsmini {
namespace {

constexpr std::int64_t format_version = 2;
// From here on pages of the database are under checksums.
constexpr std::int64_t first_with_checksums = 2;
// Of a search to find a transaction as new as what others have seen; one or two do.
constexpr int most_attempts = 1000;

Coordinates coordinates_of(const Model& model) {
  return model.frame.space.kind() == SpaceKind::planar ? Coordinates::planar : Coordinates::degrees;
}

// Throws where a folder is no collection that this version can read.
void check_format(const CollectionFolder& folder, Database& database) {
  check_finished(folder, database);
  const auto number = integer_from(fact(database, "format"));
  if (!number) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: is not a collection", folder.path().string()),
                "make one with 'tsmini index'");
  }
  if (*number > format_version) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: has version {}, but this tsmini reads up to {}",
                            folder.path().string(), *number, format_version),
                "it was written by a newer tsmini; install that one");
  }
  if (*number >= first_with_checksums && !database.has_checksums()) {
    throw Error(
        ErrorCode::bad_input,
        fmt::format("{}: is damaged: its pages should have checksums", folder.database().string()),
        "restore it from a copy, or make the collection again");
  }
}

Model load_model(const CollectionFolder& folder, Database& database) {
  if (file_checksum(folder.model()) != fact(database, "model")) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: is not the model that made the embeddings of the collection",
                            folder.model().string()),
                "put the model back that it was made with");
  }
  return Model::load(folder.model());
}

void write_empty(const NewCollection& made, const Model& model, std::optional<IndexKind> kind) {
  model.save(made.model());
  Database database(made.database(), Database::Access::create);
  // Nobody sees the file before it was synchronised as a whole.
  database.run("PRAGMA page_size = 8192; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF");
  Transaction writing(database, Transaction::Kind::write);
  database.run(schema);
  set_fact(database, "format", std::to_string(format_version));
  set_fact(database, "identity", random_digits(32));
  set_fact(database, "model", file_checksum(made.model()));
  set_fact(database, "index_kind", kind ? name_of(*kind) : "");
  writing.commit();
  // Last, so that nothing is in a log, which would not come along.
  database.run("PRAGMA journal_mode = WAL");
}

std::optional<IndexKind> kind_from(const std::string& name) {
  if (name.empty()) return std::nullopt;
  return index_kind_from(name);
}

}  // namespace

class Collection::Impl {
 public:
  explicit Impl(const CollectionFolder& folder) : Impl(folder, Opened(folder)) {}

  const CollectionFolder& folder() const { return owner_.folder; }
  const IndexOwner& owner() const { return owner_; }
  const Model& model() const { return model_; }
  const Encoder& encoder() const { return encoder_; }
  std::optional<IndexKind> kind() const { return kind_; }

  // Runs with the connection that writes, one at a time.
  template <class Work>
  auto write(const Work& work) {
    const std::lock_guard lock(writing_);
    if (!writer_) writer_ = open_writer();
    return work(*writer_);
  }

  std::unique_ptr<Database> open_writer() const {
    readers_.check_in_place();
    auto database = std::make_unique<Database>(folder().database(), Database::Access::write);
    // Whatever was committed is on the disk.
    database->run("PRAGMA synchronous = FULL");
    check_identity(*database, owner_.identity);
    readers_.check_in_place();
    return database;
  }

  // Runs in a read transaction.
  template <class Work>
  auto read(const Work& work) const {
    return readers_.read(work);
  }

  // The same, with the embeddings as it sees them.
  template <class Work>
  auto read_with_view(const Work& work) const {
    using Result = decltype(work(std::declval<Readers::Lease&>(), std::declval<EmbeddingView&>()));
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
      std::optional<Result> result =
          read([&](const Readers::Lease& lease) -> std::optional<Result> {
            const std::shared_ptr<const EmbeddingView> view = view_for(lease);
            if (!view) return std::nullopt;
            try {
              return work(lease, *view);
            } catch (const DamagedIndex& damage) {
              return work(lease, *view_without_index(lease, *view, damage));
            }
          });
      if (result) return *std::move(result);
    }
    throw Error(ErrorCode::failure,
                fmt::format("{}: an earlier state took its place while it was in use",
                            folder().path().string()),
                "open it again");
  }

  // Of the transaction that an embedding view belongs to.
  std::shared_ptr<const ExactView> exact_view(const Readers::Lease& lease,
                                              const CollectionState& state,
                                              const Heartbeat& heartbeat) const {
    const std::lock_guard lock(exact_reading_);
    if (exact_ && exact_->state().change == state.change) return exact_;
    const bool is_older = exact_ && exact_->state().change > state.change;
    auto made =
        ExactView::make(model_, *lease, state, is_older ? nullptr : exact_.get(), heartbeat);
    if (!is_older && lease.is_sound()) exact_ = made;
    return made;
  }

  std::vector<std::string> notes() const {
    read_with_view([](const Readers::Lease&, const EmbeddingView&) { return true; });
    const std::lock_guard lock(viewing_);
    return notes_;
  }

 private:
  // What is read once.
  struct Opened {
    explicit Opened(const CollectionFolder& folder) {
      check_finished(folder);
      Readers(folder).read([&](const Readers::Lease& lease) {
        check_format(folder, *lease);
        model = load_model(folder, *lease);
        identity = fact(*lease, "identity");
        kind = kind_from(fact(*lease, "index_kind"));
        stamp = lease.stamp();
        return true;
      });
    }

    Model model;
    std::string identity;
    std::optional<IndexKind> kind;
    FileStamp stamp;
  };

  Impl(const CollectionFolder& folder, Opened opened)
      : model_(std::move(opened.model)),
        encoder_(model_),
        owner_{folder, opened.identity, model_.net.dimension, model_.net.metric},
        kind_(opened.kind),
        readers_(folder, opened.identity, opened.stamp) {}

  // Null where the transaction is older than what others have seen by now, or the index was
  // replaced while it began: then another transaction is needed.
  std::shared_ptr<const EmbeddingView> view_for(const Readers::Lease& lease) const {
    const std::int64_t change = current_change(*lease);
    const std::lock_guard lock(viewing_);
    if (view_ && view_->state().change == change) return view_;
    if (view_ && view_->state().change > change) return nullptr;
    auto made = EmbeddingView::make(owner_, *lease, CollectionState::read(*lease), view_.get());
    if (!made->note().empty() && made->index_name() != newest_index_name()) return nullptr;
    if (!lease.is_sound()) return nullptr;
    if (!made->note().empty()) notes_.push_back(made->note());
    view_ = made;
    return made;
  }

  // In place of one whose index turned out to be damaged as it was used.
  std::shared_ptr<const EmbeddingView> view_without_index(const Readers::Lease& lease,
                                                          const EmbeddingView& damaged,
                                                          const DamagedIndex& damage) const {
    const std::lock_guard lock(viewing_);
    const bool is_newest = view_->state().change == damaged.state().change;
    if (is_newest && !view_->index()) return view_;  // another search has met it before
    auto made = damaged.without_index(owner_, *lease, damage);
    if (!lease.is_sound()) return made;
    notes_.push_back(made->note());
    if (is_newest) view_ = made;
    return made;
  }

  std::string newest_index_name() const {
    return read([](const Readers::Lease& another) { return IndexRecord::read(*another).name; });
  }

  Model model_;
  Encoder encoder_;
  IndexOwner owner_;
  std::optional<IndexKind> kind_;

  // The last connection to go puts the log into the database, which only one that writes can do.
  std::mutex writing_;
  std::unique_ptr<Database> writer_;
  mutable Readers readers_;

  mutable std::mutex viewing_;
  mutable std::shared_ptr<const EmbeddingView> view_;
  mutable std::vector<std::string> notes_;
  mutable std::mutex exact_reading_;
  mutable std::shared_ptr<const ExactView> exact_;
};

Collection::Collection(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Collection::~Collection() = default;
Collection::Collection(Collection&&) noexcept = default;

Collection Collection::create(const std::filesystem::path& folder, const Model& model,
                              std::optional<IndexKind> kind) {
  const Encoder checks_the_tensors(model);
  {
    NewCollection made(folder);
    write_empty(made, model, kind);
    made.publish();
  }
  return open(folder);
}

Collection Collection::open(const std::filesystem::path& folder) {
  return Collection(std::make_unique<Impl>(CollectionFolder(folder)));
}

const std::filesystem::path& Collection::folder() const {
  return impl_->folder().path();
}

const Model& Collection::model() const {
  return impl_->model();
}

Coordinates Collection::coordinates() const {
  return coordinates_of(impl_->model());
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
  CollectionInfo info;
  impl_->read_with_view([&](const Readers::Lease& lease, const EmbeddingView& view) {
    info = {};
    info.trips = static_cast<std::uint64_t>(view.state().trips);
    info.points = static_cast<std::uint64_t>(view.state().points);
    if (view.index()) {
      info.index = view.index()->index.settings().kind;
      info.indexed = view.index()->index.size();
    }
    info.removed = view.removed();
    info.tail = view.tail();
    Statement select = lease->prepared(
        "SELECT min(min_lon), min(min_lat), max(max_lon), max(max_lat), min(first_time), "
        "max(last_time) FROM trips");
    if (!select.step()) return true;
    if (!select.is_null(0)) {
      info.extent = Box{select.real(0), select.real(1), select.real(2), select.real(3)};
    }
    if (!select.is_null(4)) info.times = {select.integer(4), select.integer(5)};
    return true;
  });
  info.identity = impl_->owner().identity;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder(), ignored)) {
    const std::uintmax_t size = entry.file_size(ignored);
    if (!ignored) info.bytes += size;
  }
  return info;
}

AddSummary Collection::add(const Dataset& data, const AddOptions& options,
                           const Progress& progress) {
  if (data.size() > 0 && data.info().coordinates != coordinates()) {
    throw Error(
        ErrorCode::bad_input,
        fmt::format("{}: trips of the collection are {}, those to be added {}", folder().string(),
                    name_of(coordinates()), name_of(data.info().coordinates)),
        "a model knows only the coordinates that it was trained on");
  }
  return impl_->write([&](Database& database) {
    return add_trips(database, impl_->encoder(), impl_->model(), data, options, progress);
  });
}

std::uint64_t Collection::remove(std::span<const std::string> ids, bool missing_too) {
  return impl_->write([&](Database& database) { return remove_trips(database, ids, missing_too); });
}

bool Collection::discard_if_unused() {
  return impl_->write([&](Database& database) { return remove_unused(impl_->folder(), database); });
}

bool Collection::wants_index() const {
  return impl_->read_with_view([](const Readers::Lease&, const EmbeddingView& view) {
    return is_index_wanted(view.index() ? view.index()->index.size() : 0, view.removed(),
                           view.tail());
  });
}

void Collection::make_index(const Progress& progress) {
  // A connection of its own: others may write meanwhile.
  const auto database = impl_->open_writer();
  tsmini::make_index(impl_->owner(), *database, impl_->kind(), IndexWork::extend, progress);
}

void Collection::compact(const Progress& progress) {
  const auto database = impl_->open_writer();
  tsmini::make_index(impl_->owner(), *database, impl_->kind(), IndexWork::anew, progress);
  database->run("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
}

void Collection::verify(const Progress& progress) const {
  impl_->read([&](const Readers::Lease& lease) {
    load_model(impl_->folder(), *lease);
    check_collection(impl_->owner(), *lease, progress);
    return true;
  });
}

SearchResult Collection::search(std::span<const Position> query, const SearchRequest& request,
                                const Heartbeat& heartbeat) const {
  return impl_->read_with_view([&](const Readers::Lease& lease, const EmbeddingView& view) {
    const StoredTrips trips(impl_->model(), impl_->encoder(), *lease, view, [&] {
      return impl_->exact_view(lease, view.state(), heartbeat);
    });
    return answer(trips, query, request, heartbeat);
  });
}

std::optional<StoredTrip> Collection::find(std::string_view id) const {
  return impl_->read([&](const Readers::Lease& lease) -> std::optional<StoredTrip> {
    const std::int64_t row = row_of(*lease, id);
    if (row < 0) return std::nullopt;
    return read_trip(*lease, row);
  });
}

Dataset Collection::around(const Box& box, std::size_t most) const {
  return impl_->read([&](const Readers::Lease& lease) {
    Statement select = lease->prepared(
        "SELECT row FROM trips WHERE max_lon >= ? AND max_lat >= ? AND min_lon <= ? AND min_lat <= "
        "?");
    select.bind(1, box.min_lon).bind(2, box.min_lat).bind(3, box.max_lon).bind(4, box.max_lat);
    std::vector<std::int64_t> rows;
    while (select.step()) rows.push_back(select.integer(0));
    std::sort(rows.begin(), rows.end());
    DatasetBuilder builder(coordinates());
    const std::size_t count = std::min(most, rows.size());
    for (std::size_t i = 0; i < count; ++i) {
      builder.add(read_trip(*lease, rows[i * rows.size() / count]).view());
    }
    return builder.finish();
  });
}

}  // namespace tsmini
