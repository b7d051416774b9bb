// Two trajectories from any bytes: every SIMD target, in both precisions, must agree with the
// scalar twin, and exact search must find what a scan finds.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "tsmini/exact_search.h"
#include "tsmini/measure.h"
#include "tsmini/pair_engine.h"
#include "tsmini/simd.h"

namespace {

using namespace tsmini;
using Points = std::vector<Planar>;

// Points on a coarse lattice: ties, repeated points and segments without length are common.
Points take_points(std::span<const std::uint8_t> bytes) {
  Points points;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    points.push_back({static_cast<double>(bytes[i]) / 4, static_cast<double>(bytes[i + 1]) / 4});
  }
  return points;
}

PlanarSet set_of_one(const Points& points) {
  return PlanarSet(points, {0, points.size()});
}

void require_near(double found, double expected, double tolerance) {
  if (!(std::abs(found - expected) <= tolerance)) std::abort();
}

void check(Measure measure, const Points& p, const Points& q) {
  MeasureSettings settings;
  if (measure == Measure::edr || measure == Measure::lcss) settings.epsilon = 3.1;
  const double expected = distance(measure, p, q, settings);
  const PlanarSet base = set_of_one(q);
  // edwp branches on ties, which lattices have: in single precision it may go another way.
  const bool branches = measure == Measure::edwp;
  for (const std::string_view target : simd_targets()) {
    force_simd_target(target);
    for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
      const bool single = precision == Precision::single_precision;
      if (single && branches) continue;
      double found = NAN;
      const PairEngine engine(measure, base, settings, precision);
      engine.one_to_many(p, std::span<double>(&found, 1));
      require_near(found, expected, single ? 1e-4 * expected + 1e-3 : 1e-9 * expected + 1e-12);
    }
    const auto nearest = ExactSearch(measure, base, settings).nearest(p, 1);
    require_near(nearest.at(0).distance, expected, 1e-9 * expected + 1e-12);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 10 || size > 400) return 0;
  const Measure measure = all_measures[data[0] % all_measures.size()];
  const std::span<const std::uint8_t> rest(data + 2, size - 2);
  const std::size_t cut = 4 + data[1] % (rest.size() - 7);
  const Points p = take_points(rest.first(cut)), q = take_points(rest.subspan(cut));
  if (p.size() < 2 || q.size() < 2) return 0;
  check(measure, p, q);
  return 0;
}
