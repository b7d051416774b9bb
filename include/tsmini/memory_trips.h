// Trips in memory that can be searched: a collection (tsmini/collection.h) without its folder.
//
//   MemoryTrips trips(Dataset::open("city.tsd"));
//   for (const Answer& a : trips.search(query, {.k = 10}).answers) use(a.trip.id, a.distance);
//
// Answers are those of a collection of the same trips, space and models, to the same requests. Its
// rows are the numbers of the trajectories in the data set.
//
// The first exact search lays out all trips, for all measures: 8 bytes a point and some 300 a trip,
// which are kept. Searching is const and may run on any number of threads, but not while a model is
// added.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "tsmini/dataset.h"
#include "tsmini/heartbeat.h"
#include "tsmini/model.h"
#include "tsmini/progress.h"
#include "tsmini/search.h"
#include "tsmini/space.h"

namespace tsmini {

class MemoryTrips {
 public:
  // Where no space is given it is `ground` fitted to the data, or `planar` for planar data. Throws
  // Error(bad_input) for a trip that the space does not reach, and an id that comes twice.
  explicit MemoryTrips(const Dataset& data, std::optional<Space> space = {});
  ~MemoryTrips();
  MemoryTrips(MemoryTrips&&) noexcept;

  const Space& space() const;
  std::size_t size() const;  // trips

  // Embeds all trips on all cores; those that the model cannot take are measured exactly in every
  // mode. Judges the model (tsmini/judgement.h) among more than 1,000, which takes an exact search
  // of some seconds. Throws Error(bad_input) for a model of another space, see
  // Collection::add_model().
  // Returns its name, after its measure: "frechet", of a second one "frechet-2".
  std::string add_model(const Model& model, const Progress& progress = {});

  // Answers as Collection::search() does.
  SearchResult search(std::span<const Position> query, const SearchRequest& request = {},
                      const Heartbeat& heartbeat = {}) const;
  // Completes a request as Collection::completed() does.
  SearchRequest completed(const SearchRequest& request) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tsmini
