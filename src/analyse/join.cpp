#include "tsmini/join.h"

#include <tbb/combinable.h>

#include "analyse/copied_neighbours.h"
#include "analyse/distinct_trips.h"
#include "analyse/options.h"
#include "base/in_order.h"

namespace tsmini {
namespace {

SearchWork join(const PlanarSet& a, const PlanarSet& b, Measure measure,
                const MeasureSettings& settings, double radius, std::size_t k, const JoinSink& sink,
                const Progress& progress) {
  using Answer = std::vector<Neighbour>;
  const DistinctTrips base(b, measure, settings);
  const Heartbeat heartbeat(progress, a.size());
  tbb::combinable<SearchWork> works;
  in_order<Answer>(
      a.size(),
      [&](std::size_t i) {
        if (!is_defined(measure, a.length(i))) return Answer();
        const auto near = base.nearest_within(a[i], radius, k, works.local(), heartbeat);
        return with_copies(base, near, k > 0 ? k : b.size());
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
