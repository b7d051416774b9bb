// What the tests of TrajCL and MovSemCL share.
#pragma once

#include <span>
#include <vector>

#include "rivals/plain.h"
#include "rivals/small_city.h"

namespace tsmini::rivals {

// With random vectors of cells: node2vec takes a while.
RivalKind quick(RivalKind kind);

// One of a single point, one that stays in its cell, one far outside, and some of the city.
PlanarSet odd_trips(const City& city);

// The points of a trip that are the first of their cell, with the vectors of cells.
struct Collapsed {
  std::vector<Planar> points;
  plain::Rows vectors;
};
Collapsed collapsed(const Small& small, std::span<const Planar> trip);

// What the head makes of a vector.
plain::Row headed(const plain::Weights& weights, const plain::Row& encoded);

// Largest change of an embedding by others, longer ones too, in its batch.
double company(const RivalKind& kind, const Settings& settings);

// Difference between the loss of fine-tuning and the error of distances in that unit.
double unit_error(const RivalKind& kind, const Settings& settings, double unit);

}  // namespace tsmini::rivals
