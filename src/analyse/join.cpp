#include "tsmini/join.h"

#include <tbb/combinable.h>

#include "analyse/distinct_trips.h"
#include "analyse/options.h"
#include "base/in_order.h"

namespace tsmini {
namespace {

// The trips of a set that the measure gives a distance; all but for edwp.
class JoinBase {
 public:
  JoinBase(const PlanarSet& set, Measure measure, const MeasureSettings& settings)
      : indices_(defined(set, measure)),
        search_(measure, indices_.size() < set.size() ? set.subset(indices_) : set, settings) {}

  std::vector<Neighbour> find(std::span<const Planar> query, double radius, std::size_t k,
                              SearchWork& work, const Heartbeat& heartbeat) const {
    std::vector<Neighbour> found =
        search_.nearest_within(query, radius, k, SearchScope(), &work, heartbeat);
    for (Neighbour& n : found) n.index = static_cast<std::size_t>(indices_[n.index]);
    return found;
  }

 private:
  static std::vector<int> defined(const PlanarSet& set, Measure measure) {
    std::vector<int> indices;
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (is_defined(measure, set.length(i))) indices.push_back(static_cast<int>(i));
    }
    return indices;
  }

  std::vector<int> indices_;
  ExactSearch search_;
};

SearchWork join(const PlanarSet& a, const PlanarSet& b, Measure measure,
                const MeasureSettings& settings, double radius, std::size_t k, const JoinSink& sink,
                const Progress& progress) {
  using Answer = std::vector<Neighbour>;
  const JoinBase base(b, measure, settings);
  const Heartbeat heartbeat(progress, a.size());
  tbb::combinable<SearchWork> works;
  in_order<Answer>(
      a.size(),
      [&](std::size_t i) {
        if (!is_defined(measure, a.length(i))) return Answer();
        return base.find(a[i], radius, k, works.local(), heartbeat);
      },
      [&](std::size_t i, const Answer& answer) {
        sink(i, answer);
        heartbeat.advance(1);
      });
  SearchWork all;
  works.combine_each([&](const SearchWork& work) { all += work; });
  return all;
}

}  // namespace

SearchWork join_nearest(const PlanarSet& a, const PlanarSet& b, Measure measure,
                        const MeasureSettings& settings, std::size_t k, const JoinSink& sink,
                        const Progress& progress) {
  check_at_least(k, 1, "a number of neighbours of");
  return join(a, b, measure, settings, std::numeric_limits<double>::infinity(), k, sink, progress);
}

SearchWork join_within(const PlanarSet& a, const PlanarSet& b, Measure measure,
                       const MeasureSettings& settings, double radius, const JoinSink& sink,
                       const Progress& progress) {
  check_radius(radius);
  return join(a, b, measure, settings, radius, 0, sink, progress);
}

}  // namespace tsmini
