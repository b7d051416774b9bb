// Trajectories sorted by length and transposed, `lanes` of them side by side.
//
// The layout is that of PackedGroup (kernels.h). Sorting keeps the padding of a group to the
// difference of neighbours in length: a few per cent of real data. Packed with one lane, every
// group is a query.
//
//   PackedSet<float> packed(Measure::dtw, {}, trips, 16, origin);     // trips[i] are points
//   for (std::size_t g = 0; g < packed.size(); ++g) use(packed.group(g), packed.members(g));
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tsmini/measure.h"
#include "tsmini/planar_set.h"

#include "measure/kernels.h"
#include "simd/aligned_memory.h"

namespace tsmini {

// Channels 0 and 1 are x and y. Besides:
//   hausdorff-segment, sspd, frechet-continuous   2, 3: to the next point; 4: 1 / squared length of
//                                                 that segment; all 0 at the last point
//   edwp                                          2: distance from the point before
//   erp                                           2: distance to the gap point
std::size_t channel_count(Measure measure);

// A point relative to an origin, rounded to single precision.
struct SinglePoint {
  float x = 0, y = 0;
};

template <class T>
class PackedSet {
 public:
  // Coordinates are taken relative to `origin`, in double precision, and then rounded to T; those
  // of a SinglePoint are so already. None may be empty.
  template <class Point>
  PackedSet(Measure measure, const MeasureSettings& settings,
            std::span<const std::span<const Point>> trips, std::size_t lanes, const Planar& origin);

  std::size_t size() const { return groups_.size(); }
  PackedGroup<T> group(std::size_t g) const {
    return {data_.get() + groups_[g].begin, groups_[g].length, lanes_, lengths_.data() + g * lanes_,
            totals_.data() + g * lanes_};
  }
  // A trip as a query; for sets of one lane.
  PackedQuery<T> query(std::size_t g) const {
    return {data_.get() + groups_[g].begin, groups_[g].length, totals_[g]};
  }

  // The numbers of the trips by rising length; a group's are consecutive.
  std::span<const std::size_t> order() const { return order_; }
  std::span<const std::size_t> members(std::size_t g) const;

  // The share of the lanes' points that is padding.
  double waste() const;

 private:
  struct Group {
    std::size_t begin = 0;   // in data_
    std::size_t length = 0;  // of the longest
  };

  std::size_t lanes_;
  std::vector<std::size_t> order_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> lengths_;
  std::vector<T> totals_;
  hwy::AlignedFreeUniquePtr<T[]> data_;
};

extern template class PackedSet<float>;
extern template class PackedSet<double>;

}  // namespace tsmini
