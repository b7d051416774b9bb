// The distinct trips of a set that a measure gives a distance, each with its copies, and exact
// search among them.
//
// Copies are trips that are equal point for point; whatever holds of one holds of all. Distinct
// trips are numbered in the order of their first copies, so that ties to the lower number are ties
// to the lower trip. Where there are no copies, numbers and trips are the same and nothing is
// copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "tsmini/exact_search.h"
#include "tsmini/heartbeat.h"
#include "tsmini/planar_set.h"

namespace tsmini {

class DistinctTrips {
 public:
  DistinctTrips(const PlanarSet& trips, Measure measure, const MeasureSettings& settings);

  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  std::size_t size() const { return offsets_.size() - 1; }
  // Which distinct trip a trip is; none where it has no distance.
  std::uint32_t number_of(std::size_t trip) const { return numbers_[trip]; }
  // The trips that are this one, rising.
  std::span<const std::uint32_t> copies(std::size_t number) const {
    return std::span(copies_).subspan(offsets_[number], offsets_[number + 1] - offsets_[number]);
  }
  std::size_t first(std::size_t number) const { return copies_[offsets_[number]]; }
  std::span<const Planar> operator[](std::size_t number) const { return set_[number]; }
  const PlanarSet& set() const { return set_; }
  std::size_t with_distance() const { return copies_.size(); }

  // The k distinct trips nearest to this one, itself left out, by their numbers.
  std::vector<Neighbour> nearest(std::size_t number, std::size_t k, SearchWork& work,
                                 const Heartbeat& heartbeat) const;
  // The nearest within a radius that are allowed, all for a k of 0.
  std::vector<Neighbour> nearest_within(std::size_t number, double radius, std::size_t k,
                                        std::function<bool(std::size_t)> allowed, SearchWork& work,
                                        const Heartbeat& heartbeat) const;
  // The same for any query; without a rule all are allowed.
  std::vector<Neighbour> nearest_within(std::span<const Planar> query, double radius, std::size_t k,
                                        std::function<bool(std::size_t)> allowed, SearchWork& work,
                                        const Heartbeat& heartbeat) const;
  // Any k within a radius, or all there are.
  std::vector<Neighbour> some_within(std::size_t number, double radius, std::size_t k,
                                     SearchWork& work, const Heartbeat& heartbeat) const;

 private:
  void number(const PlanarSet& trips, Measure measure);

  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint32_t> copies_;
  std::vector<std::uint64_t> offsets_;
  PlanarSet set_;
  std::optional<ExactSearch> search_;  // none where there is nothing to search
};

}  // namespace tsmini
