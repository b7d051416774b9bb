// Trajectories that can be searched: a folder with the trips and any number of models, also none.
//
//   const Dataset data = Dataset::open("city.tsd");
//   Collection trips = Collection::create("city", Space::fit(SpaceKind::ground, data));
//   trips.add(data);
//   for (const Answer& a : trips.search(query, {.k = 10}).answers) use(a.trip.id, a.distance);
//
// Exact distances are taken in the space of the collection, which is fixed when it is made. A model
// adds the modes fast and rerank for its measure; it embeds in its own space. A trip that a model
// cannot take, such as one that leaves its box, is kept all the same and measured exactly beside
// the index, so that no answer misses it.
//
// SQLite holds the truth, in WAL mode: what add() or remove() has returned from survives a killed
// process and a power cut. An index, and files in which trips are laid out for exact search, are
// companions that are made anew where they are missing, old or do not fit; what a search uses of
// them is compared with checksums first. Trips added since they were made are searched beside them,
// so adding never waits for them. Any number of processes may read while one writes; a search sees
// the collection as it was when it began. A second writer waits its turn for some seconds and is
// then told of the first. Where the folder was removed or replaced, everything throws
// Error(failure): a write is never acknowledged that went into what is no longer there.
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
#include "tsmini/embedding_index.h"
#include "tsmini/heartbeat.h"
#include "tsmini/judgement.h"
#include "tsmini/model.h"
#include "tsmini/progress.h"
#include "tsmini/search.h"
#include "tsmini/space.h"

namespace tsmini {

// What to do with an id that is there already, or comes twice.
enum class Duplicates { refuse, skip, replace };

struct AddOptions {
  Duplicates duplicates = Duplicates::refuse;
  // Counts and leaves out what the space of the collection does not reach (tsmini/reach.h);
  // otherwise the first one is an error and nothing is added.
  bool skip_impossible = false;
  // JSON that the collection keeps of where the trips came from; the provenance of the data set
  // where it is empty. Of the provenance of a collection, what that was made from is left out.
  std::string origin = {};
};

struct AddSummary {
  std::uint64_t added = 0;     // with those that replace another
  std::uint64_t replaced = 0;  // trips that gave way
  std::uint64_t skipped = 0;   // for their id
  std::uint64_t unfit = 0;     // of the added: some model cannot take them
  std::string first_unfit;     // what is wrong with the first of them
  std::uint64_t left_out = 0;  // see AddOptions
  std::string first_left_out;
};

struct ModelOptions {
  std::string name;  // unique in the collection; after its measure where it is empty
  std::optional<IndexKind> kind = {};  // of its index; without it, what suits the number of trips
};

// A model of a collection, and what it has seen of the trips.
struct CollectionModel {
  std::string name;
  std::shared_ptr<const Model> model;
  // Whether it has seen every trip; otherwise it is of no use yet, and add_model() goes on with it.
  bool is_complete = true;
  std::uint64_t unfit = 0;         // trips that it cannot take, which are measured exactly
  std::optional<IndexKind> index;  // none: all embeddings are scanned
  std::uint64_t indexed = 0;       // trips that the index holds, the removed too
  std::uint64_t removed = 0;       // of these
  std::uint64_t tail = 0;          // embeddings that it does not hold yet
  // What it is worth among these trips. None before the first index, for 1,000 trips or fewer, and
  // in a collection of tsmini 0.1: make_index() and compact() measure it.
  std::optional<Judgement> judgement = {};
};

struct CollectionInfo {
  std::string identity;  // 32 hexadecimal digits, drawn when it was made
  std::uint64_t trips = 0;
  std::uint64_t points = 0;
  std::uint64_t of_one_point = 0;                 // trips, which are no answers by edwp
  std::optional<Box> extent;                      // of all points
  std::optional<SearchFilter::TimeWindow> times;  // first and last
  std::vector<CollectionModel> models;            // in the order they were added
  std::vector<std::string> attributes;            // names that any trip has or had, as they came
  // JSON: {"collection":IDENTITY,"change":N,"trips":N,"added":[{"trips":N,"from":ORIGIN},…]}: how
  // often it was changed, what it holds, and the hundred origins (AddOptions) that were used last,
  // with how many trips were ever added from each.
  std::string provenance;
  std::uint64_t bytes = 0;  // of all files
};

class Collection {
 public:
  // Makes the folder, which may be there already if it is empty; throws Error(failure) where it is
  // not. Where several make the same one at a time, exactly one succeeds; the others throw, too.
  // What a killed one left behind is no obstacle. The space says whether trips are in degrees or
  // planar.
  static Collection create(const std::filesystem::path& folder, const Space& space);
  // A collection in the space of `model`, which becomes its first; its index is of `kind`.
  static Collection create(const std::filesystem::path& folder, const Model& model,
                           std::optional<IndexKind> kind = {});
  // A million trips take less than a second. Throws Error(bad_input) for a folder that is not a
  // collection, or of a newer version. Needs no permission to write. A model whose file is lost or
  // was altered is noted, and not used. One of tsmini 0.1 is read as it is; the first write brings
  // it to the current format.
  static Collection open(const std::filesystem::path& folder);
  ~Collection();
  Collection(Collection&&) noexcept;

  const std::filesystem::path& folder() const;
  const Space& space() const;
  Coordinates coordinates() const;
  std::uint64_t size() const;  // trips, now
  CollectionInfo info() const;
  std::vector<CollectionModel> models() const;  // as info() has them
  // What was found amiss until now and mended in memory, such as an index that does not fit or was
  // altered: searches go on without it, slower and with the same answers.
  std::vector<std::string> notes() const;

  // Embeds on all cores, by every model, and commits every few thousand trips. Throws before
  // anything is added for other coordinates, an id in use and a trip that the space does not reach
  // (see AddOptions); later for a full disk, or where `progress` does, and says then how many trips
  // are there to stay. Progress counts trajectories.
  AddSummary add(const Dataset& data, const AddOptions& options = {},
                 const Progress& progress = {});

  // Returns how many were removed. All or none: throws Error(bad_input) naming the first id that is
  // not there, unless `missing_too`, or what `progress` does, which counts ids.
  std::uint64_t remove(std::span<const std::string> ids, bool missing_too = false,
                       const Progress& progress = {});

  // Embeds what is there, in stretches that are committed one by one, while others search, add and
  // remove; trips added from then on are embedded as they come. Where it was stopped, by whatever,
  // the same model goes on from there; one that is there already changes nothing. Returns its name.
  // Throws Error(bad_input) for a model that measures in another kind of space, or a `zscore` of
  // other numbers, or a `ground` whose lengths differ by more than 0.1 % within the collection; and
  // Error(usage) for a name that another model has. Progress counts trips.
  std::string add_model(const Model& model, const ModelOptions& options = {},
                        const Progress& progress = {});
  // Removes a model with its embeddings and index. Throws Error(bad_input) where there is none of
  // that name.
  void remove_model(std::string_view name);

  // Takes back a collection that nobody ever added to: its files go, the folder stays. False, and
  // nothing happens, where somebody did. The object is of no use afterwards.
  bool discard_if_unused();

  // Whether so many trips were added or removed since files of exact search, or the index of some
  // model, were made that it is worth while.
  bool wants_index() const;
  // Lays out for exact search the trips that are not yet, and extends the indexes of all models by
  // the trips they do not hold, or makes them anew. Then judges models (tsmini/judgement.h) among
  // more than 1,000 trips, where their index was made anew or the trips have become half as many
  // more: exact searches for 20 s a model, or twice that. Progress counts trips, of one after the
  // other, and sampled trips, of one model after the other.
  void make_index(const Progress& progress = {});
  // Gives back the space of removed trips, makes all of these anew and judges the models.
  void compact(const Progress& progress = {});

  // Reads everything: throws Error(bad_input) that names what is damaged, or what a search could
  // not use or find: the database, a trip, its embedding, an index or a model. Progress counts
  // trips, once for themselves and once for each model.
  void verify(const Progress& progress = {}) const;

  // The nearest to a trajectory in the coordinates of the collection, or all within a distance.
  // Throws Error(usage) for a request that makes no sense or needs a model that is not there, and
  // Error(bad_input) for a query that the space or the measure cannot take. What only the model
  // cannot take is answered by `exact`, and the result says so.
  // Among a million trips fast takes some 2 ms, exact 1 to 50 ms at the median, by measure
  // (docs/collections.md has them all), by files that are mapped; trips that are in none of them
  // yet (make_index) are read into memory by the first search, 8 bytes a point and some 300 a trip,
  // and kept. Beats while it reads, embeds and measures.
  SearchResult search(std::span<const Position> query, const SearchRequest& request = {},
                      const Heartbeat& heartbeat = {}) const;
  // The request with what it leaves open, as a search would decide it: measure, space, settings
  // and mode.
  SearchRequest completed(const SearchRequest& request) const;

  std::optional<StoredTrip> find(std::string_view id) const;
  // Trips that touch the box, at most so many, evenly chosen among them: with their parts and
  // attributes, in the order of `info().attributes`, and with `info().provenance`.
  Dataset around(const Box& box, std::size_t most, const Heartbeat& heartbeat = {}) const;

 private:
  class Impl;
  explicit Collection(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace tsmini
