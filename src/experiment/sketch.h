// Rivals that learn nothing: a trip as a few points, compared point by point.
//
// What a learned method is worth shows beside what a few lines of arithmetic reach. A sketch keeps
// the same number of points of every trip; two trips are as far apart as the points of their
// sketches are, each from the one of its number: the largest of these distances stands in for a
// measure that takes a worst point (frechet, hausdorff and their kin), their sum for one that adds
// up (all others).
//
//   const PlanarSet trips(data, space, data.indices_of(Part::test));
//   for (const Sketch& sketch : sketches())
//     std::vector<float> all = sketch_distances(sketch, trips, Measure::frechet);   // n × n
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "tsmini/measure.h"
#include "tsmini/planar_set.h"

namespace tsmini::experiment {

struct Sketch {
  std::string_view name;   // for programs
  std::string_view title;  // for tables
  std::size_t numbers;     // that are kept of a trip, two a point
  // The points of a trip, which has at least one: numbers / 2 of them.
  std::vector<Planar> (*points)(std::span<const Planar> trip);
};

// 16 points at equal shares of the way, both ends among them, which serve best on the whole; 16 at
// equal shares of the point numbers; the two corners of the bounding box; first point, mean of all,
// last point.
const std::vector<Sketch>& sketches();

// The distances of all trips to all, row-major. Quadratic in the trips; uses all cores.
std::vector<float> sketch_distances(const Sketch& sketch, const PlanarSet& trips, Measure measure);

}  // namespace tsmini::experiment
