// Many distances at once, on all cores, in vector lanes.
//
// Single precision runs 16 pairs side by side in AVX-512 (8 in AVX2, 4 in SSE4 and NEON); the
// target is chosen when the program runs. Double precision runs half as many and is what answers
// shown to a user come from. Relative error in single: 1e-5 for frechet, hausdorff and
// hausdorff-segment, 1e-4 for the sums, besides what 24 bits leave of a coordinate (2e-7 of the
// extent for a distance of points, 2e-6 for one from a segment; measure/rounding.h) and 1e-18;
// beyond 1e15 from the origin it is refused; edwp branches, and up to 0.15 % of real pairs differ
// by more than 1e-3 (see docs/measures.md). frechet-continuous always runs in double. Of edwp,
// which is symmetric up to ties, it computes distance(edwp, query, trajectory of the base), and of
// a pair of the base distance(edwp, the one with the lower index, the other). Results do not depend
// on threads or tiling, bit for bit.
//
//   PairEngine engine(Measure::dtw, base);                    // packs the base once
//   std::vector<float> row(base.size());
//   engine.one_to_many(query, row);
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "tsmini/heartbeat.h"
#include "tsmini/measure.h"
#include "tsmini/planar_set.h"

namespace tsmini {

enum class Precision { single_precision, double_precision };
inline constexpr std::array<std::string_view, 2> precision_names{"single", "double"};

class PairEngine {
 public:
  // Packs the base: 8 to 20 bytes a point in single precision. A later force_simd_target() does not
  // change it. Throws Error where the settings do not fit, a trajectory is too short or reaches too
  // far for single precision.
  PairEngine(Measure measure, const PlanarSet& base, const MeasureSettings& settings = {},
             Precision precision = Precision::single_precision);
  ~PairEngine();
  PairEngine(PairEngine&&) noexcept;

  std::size_t size() const;  // of the base

  // Distances of one query to every trajectory of the base, in the base's order. One thread, which
  // beats within pairs too.
  void one_to_many(std::span<const Planar> query, std::span<float> distances,
                   const Heartbeat& heartbeat = {}) const;
  void one_to_many(std::span<const Planar> query, std::span<double> distances,
                   const Heartbeat& heartbeat = {}) const;

  // Distances of one query to some of the base (their indices; grouped by length inside). One
  // thread.
  void one_to_some(std::span<const Planar> query, std::span<const std::size_t> indices,
                   std::span<double> distances, const Heartbeat& heartbeat = {}) const;

  // Queries times base, row-major, on all cores. Progress counts pairs, and is called within long
  // ones too.
  void many_to_many(const PlanarSet& queries, std::span<float> distances,
                    const Progress& progress = {}) const;

  // All pairs i < j of the base, condensed: (0,1), (0,2), …, (1,2), … on all cores. Progress as
  // above.
  void all_pairs(std::span<float> condensed, const Progress& progress = {}) const;

  // The share of the packed base's lane-cells that are padding: 0.1 is 10 %.
  double lane_waste() const;

 private:
  class Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace tsmini
