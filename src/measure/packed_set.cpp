#include "measure/packed_set.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include "base/next_multiple.h"

namespace tsmini {
namespace {

bool has_segments(Measure measure) {
  return measure == Measure::hausdorff_segment || measure == Measure::sspd ||
         measure == Measure::frechet_continuous;
}

// One lane of a group: value j of channel c is at out[(c * length + j) * lanes].
template <class T>
class LaneWriter {
 public:
  LaneWriter(T* out, std::size_t length, std::size_t lanes)
      : out_(out), length_(length), lanes_(lanes) {}

  T& at(std::size_t channel, std::size_t j) { return out_[(channel * length_ + j) * lanes_]; }

  // Points, the last one repeated to the group's length.
  template <class Point>
  void write_points(std::span<const Point> points, const Planar& origin) {
    T* x = out_;
    T* y = out_ + length_ * lanes_;
    for (const Point& p : points) {
      if constexpr (std::is_same_v<Point, SinglePoint>) {
        *x = p.x;
        *y = p.y;
      } else {
        *x = static_cast<T>(p.x - origin.x);
        *y = static_cast<T>(p.y - origin.y);
      }
      x += lanes_;
      y += lanes_;
    }
    for (std::size_t j = points.size(); j < length_; ++j) {
      at(0, j) = at(0, points.size() - 1);
      at(1, j) = at(1, points.size() - 1);
    }
  }

  void write_segments() {
    for (std::size_t j = 0; j < length_; ++j) {
      const std::size_t next = std::min(j + 1, length_ - 1);
      const T ex = at(0, next) - at(0, j), ey = at(1, next) - at(1, j);
      const T square = ex * ex + ey * ey;
      at(2, j) = ex;
      at(3, j) = ey;
      // Below, the inverse would overflow; so short a segment is as good as a point.
      at(4, j) = square >= std::numeric_limits<T>::min() ? 1 / square : 0;
    }
  }

  // Gives the length of the polyline.
  T write_steps() {
    T total = at(2, 0) = 0;
    for (std::size_t j = 1; j < length_; ++j) {
      const T dx = at(0, j - 1) - at(0, j), dy = at(1, j - 1) - at(1, j);
      total += at(2, j) = std::sqrt(dx * dx + dy * dy);
    }
    return total;
  }

  void write_gaps(const Planar& gap, const Planar& origin) {
    const T gap_x = static_cast<T>(gap.x - origin.x), gap_y = static_cast<T>(gap.y - origin.y);
    for (std::size_t j = 0; j < length_; ++j) {
      const T dx = at(0, j) - gap_x, dy = at(1, j) - gap_y;
      at(2, j) = std::sqrt(dx * dx + dy * dy);
    }
  }

 private:
  T* out_;
  std::size_t length_;
  std::size_t lanes_;
};

}  // namespace

std::size_t channel_count(Measure measure) {
  if (has_segments(measure)) return 5;
  return measure == Measure::edwp || measure == Measure::erp ? 3 : 2;
}

template <class T>
template <class Point>
PackedSet<T>::PackedSet(Measure measure, const MeasureSettings& settings,
                        std::span<const std::span<const Point>> trips, std::size_t lanes,
                        const Planar& origin)
    : lanes_(lanes), order_(trips.size()) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return trips[a].size() < trips[b].size(); });
  // Groups begin at multiples of a vector, so that every lane count keeps its loads aligned.
  constexpr std::size_t step = kernel_alignment / sizeof(T);
  std::size_t total = 0;
  for (std::size_t begin = 0; begin < order_.size(); begin += lanes) {
    const std::size_t longest = trips[order_[std::min(begin + lanes, order_.size()) - 1]].size();
    groups_.push_back({total, longest});
    total += next_multiple(channel_count(measure) * longest * lanes, step);
  }
  data_ = aligned_memory<T>(std::max(total, step));
  lengths_.resize(groups_.size() * lanes);
  totals_.resize(groups_.size() * lanes);
  for (std::size_t slot = 0; slot < lengths_.size(); ++slot) {
    // Lanes without a trajectory repeat the last one.
    const std::span<const Point> points = trips[order_[std::min(slot, order_.size() - 1)]];
    const Group& group = groups_[slot / lanes];
    LaneWriter<T> lane(data_.get() + group.begin + slot % lanes, group.length, lanes);
    lengths_[slot] = static_cast<std::uint32_t>(points.size());
    lane.write_points(points, origin);
    if (has_segments(measure)) lane.write_segments();
    if (measure == Measure::edwp) totals_[slot] = lane.write_steps();
    if (measure == Measure::erp) lane.write_gaps(settings.gap, origin);
  }
}

template <class T>
std::span<const std::size_t> PackedSet<T>::members(std::size_t g) const {
  return order().subspan(g * lanes_, std::min(lanes_, order_.size() - g * lanes_));
}

template <class T>
double PackedSet<T>::waste() const {
  double used = 0, all = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    all += static_cast<double>(groups_[g].length * lanes_);
    for (std::size_t lane = 0; lane < members(g).size(); ++lane) {
      used += lengths_[g * lanes_ + lane];
    }
  }
  return all > 0 ? 1 - used / all : 0;
}

template class PackedSet<float>;
template class PackedSet<double>;

using TrueTrips = std::span<const std::span<const Planar>>;
using SingleTrips = std::span<const std::span<const SinglePoint>>;
template PackedSet<float>::PackedSet(Measure, const MeasureSettings&, TrueTrips, std::size_t,
                                     const Planar&);
template PackedSet<float>::PackedSet(Measure, const MeasureSettings&, SingleTrips, std::size_t,
                                     const Planar&);
template PackedSet<double>::PackedSet(Measure, const MeasureSettings&, TrueTrips, std::size_t,
                                      const Planar&);

}  // namespace tsmini
