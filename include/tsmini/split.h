// Drawing trajectories: samples, and the marks of train, validation and test. For data that is made
// or changed in memory; an import does both itself (ImportOptions).
//
//   const SplitOptions shares{.train = 0.7, .validation = 0.1, .test = 0.2, .random = true};
//   const std::vector<Part> parts = draw_split(data.size(), shares, 1);
//   for (const std::size_t i : draw_sample(data.size(), 100, 2)) use(data[i]);
//
// One seed draws alike: a sample and a random split of the same data take two, as here.
// A draw depends on its arguments alone, on every machine, and takes 8 bytes for each of `count`.
#pragma once

#include <cstdint>
#include <vector>

#include "tsmini/dataset.h"
#include "tsmini/import.h"

namespace tsmini {

// `wanted` distinct numbers below `count` (all of them if there are fewer), rising.
std::vector<std::size_t> draw_sample(std::size_t count, std::size_t wanted, std::uint64_t seed);

// Throws Error(usage) where shares add up to more than all.
void check_shares(const SplitOptions& options);

// A mark for each of `count` trajectories. Throws Error(bad_input) where there are too few, and
// what check_shares() throws.
std::vector<Part> draw_split(std::size_t count, const SplitOptions& options, std::uint64_t seed);

}  // namespace tsmini
