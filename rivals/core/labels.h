// True distances for rivals: our exact measures, the same that TSMini learns from.
#pragma once

#include <cstdint>

#include "tsmini/measure.h"
#include "tsmini/planar_set.h"
#include "tsmini/progress.h"

#include "rivals/core/tensors.h"

namespace tsmini::rivals {

// True distances of all to all of a set, n² floats.
struct Labels {
  Measure measure = Measure::frechet;
  PlanarSet trips;     // in the space that distances are taken in
  Tensor matrix;       // [n, n] on the device, divided by `largest`
  double largest = 1;  // distance in a seeded sample of 2,000 trips

  // [ids, ids], for an int64 tensor of ids on any device.
  Tensor among(const Tensor& ids) const;
};

// Measures the labels, on the GPU where `device` is one and the measure has a kernel there, on all
// cores otherwise. Throws Error(bad_input) where all trips are at distance 0 of each other,
// Error(failure) where the matrix does not fit into memory.
Labels labels_of(Measure measure, const PlanarSet& trips, std::uint64_t seed,
                 const torch::Device& device, const Progress& progress = {});

// The same matrix, not divided, on the CPU.
Tensor true_distances(Measure measure, const PlanarSet& trips, const torch::Device& device,
                      const Progress& progress = {});

}  // namespace tsmini::rivals
