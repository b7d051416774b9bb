// Trajectories that can be searched: a folder with the trips, their embeddings, an index and the
// model.
//
//   Collection trips = Collection::create("city", Model::load("m.safetensors"));
//   trips.add(Dataset::open("city.tsd"));
//   for (const Answer& a : trips.search(query, {.k = 10}).answers) use(a.trip.id, a.distance);
//
// SQLite holds the truth, in WAL mode: what add() or remove() has returned from survives a killed
// process and a power cut. The index is a companion that is made anew where it is missing, old or
// does not fit; what a search uses of it is compared with checksums first. Trips added since it was
// made are scanned, so adding never waits for it. Any number of processes may read while one
// writes; a search sees the collection as it was when it began. A second writer waits its turn for
// some seconds and is then told of the first. Where the folder was removed or replaced, everything
// throws Error(failure): a write is never acknowledged that went into what is no longer there.
//
// All functions may be called from any number of threads; those that write take turns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tsmini/dataset.h"
#include "tsmini/heartbeat.h"
#include "tsmini/index.h"
#include "tsmini/model.h"
#include "tsmini/progress.h"
#include "tsmini/search.h"

namespace tsmini {

// What to do with an id that is there already, or comes twice.
enum class Duplicates { refuse, skip, replace };

struct AddOptions {
  Duplicates duplicates = Duplicates::refuse;
  // Counts and leaves out what the model cannot take, such as trips that leave its box; otherwise
  // the first one is an error and nothing is added.
  bool skip_unfit = false;
};

struct AddSummary {
  std::uint64_t added = 0;     // with those that replace another
  std::uint64_t replaced = 0;  // trips that gave way
  std::uint64_t skipped = 0;   // for their id
  std::uint64_t unfit = 0;
  std::string first_unfit;  // what is wrong with the first of them
};

struct CollectionInfo {
  std::string identity;  // 32 hexadecimal digits, drawn when it was made
  std::uint64_t trips = 0;
  std::uint64_t points = 0;
  std::optional<Box> extent;                      // of all points
  std::optional<SearchFilter::TimeWindow> times;  // first and last
  std::optional<IndexKind> index;                 // none: all trips are scanned
  std::uint64_t indexed = 0;                      // trips that the index holds, the removed too
  std::uint64_t removed = 0;                      // of these
  std::uint64_t tail = 0;                         // trips that it does not hold yet
  std::uint64_t bytes = 0;                        // of all files
};

class Collection {
 public:
  // Makes the folder, which may be there and empty. Of any number that make the same one at a time
  // exactly one succeeds; the others throw Error(failure), as where it exists already. What a
  // killed one left behind is no obstacle. Trips are in degrees or planar as those that the model
  // was trained on. `kind` is that of its index; without it, what suits its size.
  static Collection create(const std::filesystem::path& folder, const Model& model,
                           std::optional<IndexKind> kind = {});
  // A million trips take less than a second. Throws Error(bad_input) for a folder that is not a
  // collection, of a newer version, or whose model was altered. Needs no permission to write.
  static Collection open(const std::filesystem::path& folder);
  ~Collection();
  Collection(Collection&&) noexcept;

  const std::filesystem::path& folder() const;
  const Model& model() const;
  Coordinates coordinates() const;
  std::uint64_t size() const;  // trips, now
  CollectionInfo info() const;
  // What was found amiss until now and mended in memory, such as an index that does not fit or was
  // altered: searches go on without it, slower and with the same answers.
  std::vector<std::string> notes() const;

  // Embeds on all cores and commits every few thousand trips. Throws before anything is added for
  // other coordinates, an id in use and a trip that the model cannot take (see AddOptions); later
  // for a full disk, an embedding that no search could use, or where `progress` does, and says then
  // how many trips are there to stay.
  // Progress counts trajectories.
  AddSummary add(const Dataset& data, const AddOptions& options = {},
                 const Progress& progress = {});

  // Returns how many were removed. All or none: throws Error(bad_input) naming the first id that is
  // not there, unless `missing_too`.
  std::uint64_t remove(std::span<const std::string> ids, bool missing_too = false);

  // Takes back a collection that nobody ever added to: its files go, the folder stays. False, and
  // nothing happens, where somebody did. The object is of no use afterwards.
  bool discard_if_unused();

  // Whether so many trips were added or removed since the index was made that it is worth while.
  bool wants_index() const;
  // Extends the index by the trips it does not hold, or makes it anew. Progress counts trips.
  void make_index(const Progress& progress = {});
  // Gives back the space of removed trips and makes the index anew.
  void compact(const Progress& progress = {});

  // Reads everything: throws Error(bad_input) that names what is damaged, or what a search could
  // not use or find: the database, a trip, its embedding, the index or the model. Progress counts
  // trips.
  void verify(const Progress& progress = {}) const;

  // The nearest to a trajectory in the coordinates of the collection. Throws Error(usage) for a k
  // of 0, and Error(bad_input) for a query that the model or the measure cannot take.
  // fast, rerank: about a millisecond. exact: the first search reads all trips into memory, about
  // 50 bytes a point, which are kept. Beats while it reads, embeds and measures.
  SearchResult search(std::span<const Position> query, const SearchRequest& request = {},
                      const Heartbeat& heartbeat = {}) const;

  std::optional<StoredTrip> find(std::string_view id) const;
  // Trips that touch the box, at most so many, evenly chosen among them.
  Dataset around(const Box& box, std::size_t most) const;

 private:
  class Impl;
  explicit Collection(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace tsmini
