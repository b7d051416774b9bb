// Exact distances between two trajectories.
//
//   dtw                 dynamic time warping: sum of Euclidean distances along the best alignment
//   frechet             discrete Fréchet: the longest leash of the best alignment
//   frechet-continuous  Fréchet distance of the polylines, to 1e-9 relative
//   hausdorff           farthest vertex from the other's vertices, both directions
//   hausdorff-segment   farthest vertex from the other's polyline, both directions
//   edwp                edit distance with projections: robust to inconsistent sampling
//   erp                 edit distance with real penalty; gap point `gap`
//   edr                 edit distance on real sequence, within `epsilon`, divided by max(m, n)
//   lcss                1 - longest common subsequence within `epsilon` / min(m, n)
//   sspd                symmetrised mean distance of vertices to the other's polyline
//
// Points are in the unit of their Space (metres in `ground`), and so is the distance, except for
// edr and lcss, which are shares between 0 and 1. All are symmetric (edwp up to ties) and 0 for
// identical input; all are defined from one point up, but for edwp, which needs two. These
// functions compute in double precision and are the reference for everything faster. What is faster
// in double precision, as exact answers are, has the same digits (hausdorff-segment and sspd:
// within 1e-12, frechet-continuous: within 1e-9). O(m n) time; memory is linear in the shorter
// trajectory, for edwp and frechet-continuous in both.
//
//   double metres = distance(Measure::frechet, a, b);
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tsmini/heartbeat.h"
#include "tsmini/space.h"

namespace tsmini {

enum class Measure {
  dtw,
  frechet,
  frechet_continuous,
  hausdorff,
  hausdorff_segment,
  edwp,
  erp,
  edr,
  lcss,
  sspd,
};
inline constexpr std::array<Measure, 10> all_measures{Measure::dtw,
                                                      Measure::frechet,
                                                      Measure::frechet_continuous,
                                                      Measure::hausdorff,
                                                      Measure::hausdorff_segment,
                                                      Measure::edwp,
                                                      Measure::erp,
                                                      Measure::edr,
                                                      Measure::lcss,
                                                      Measure::sspd};
inline constexpr std::array<std::string_view, all_measures.size()> measure_names{
    "dtw",  "frechet", "frechet-continuous", "hausdorff", "hausdorff-segment", "edwp", "erp", "edr",
    "lcss", "sspd"};

std::string_view name_of(Measure measure);
// Throws Error(usage) that lists the names.
Measure measure_from(std::string_view name);

// What some measures need besides the points.
struct MeasureSettings {
  double epsilon = 0;  // edr, lcss: how near two points must be to match; above 0
  Planar gap = {};     // erp: what an unmatched point is compared with
  // dtw: aligns points i and j only where |i - j·m/n| is at most this (Sakoe and Chiba), i counting
  // along the longer. Lengths that differ widen it to max(1, m/n - 1), so that a path exists.
  std::optional<std::size_t> band = {};
};

// Whether the measure says how far a trajectory of so many points is: edwp needs two.
bool is_defined(Measure measure, std::size_t points);

bool needs_epsilon(Measure measure);  // edr and lcss

// Throws Error(usage) where the settings do not fit the measure (no epsilon for edr or lcss, a band
// for another measure than dtw).
void check_settings(Measure measure, const MeasureSettings& settings);

// Points must be finite. Throws Error(bad_input) for an empty trajectory, and for edwp one of a
// single point. Beats every few rows of its table.
double distance(Measure measure, std::span<const Planar> p, std::span<const Planar> q,
                const MeasureSettings& settings = {}, const Heartbeat& heartbeat = {});

// The alignment behind a dtw or frechet distance: pairs of point numbers from (0, 0) to (m-1, n-1),
// each step forward by one in either or both. Memory: one byte a cell, in O(m n). Throws
// Error(usage) for other measures.
struct Alignment {
  double distance = 0;
  std::vector<std::pair<std::size_t, std::size_t>> steps;
};
Alignment align(Measure measure, std::span<const Planar> p, std::span<const Planar> q,
                const MeasureSettings& settings = {}, const Heartbeat& heartbeat = {});

}  // namespace tsmini
