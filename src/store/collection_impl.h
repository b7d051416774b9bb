// An open collection: its connections to the database, who may read or write when, and what it
// keeps in memory. What is done with these is in collection.cpp.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include "tsmini/collection.h"
#include "tsmini/error.h"

#include "store/checking.h"
#include "store/folder.h"
#include "store/judging.h"
#include "store/opening.h"
#include "store/read_connections.h"
#include "store/records.h"
#include "store/stored_trips.h"
#include "store/upgrade.h"

namespace tsmini {

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
    // Opens writer_ first: the last connection to close must be a writing one, which checkpoints.
    write([](Database&) {});
    return open_writer();
  }

  // A connection that writes, to a database of the current layout.
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

  // Runs in a read transaction, with the trips as a search sees them.
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

}  // namespace tsmini
