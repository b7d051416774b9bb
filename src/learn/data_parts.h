// Which trajectories of a data set are learned from, which choose the weights, and what identifies
// both.
//
//   DataParts parts = parts_of(data, seed);
//   check_parts(data, parts, recipe);
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tsmini/dataset.h"
#include "tsmini/measure.h"
#include "tsmini/progress.h"
#include "tsmini/recipe.h"

namespace tsmini::learn {

struct DataParts {
  std::vector<std::size_t> train, validation;  // indices, ascending
  std::size_t for_validation = 0;              // of which `validation` is all or a sample
};

// Weights are chosen by this many trajectories at most: every validation compares all with all.
inline constexpr std::size_t most_for_validation = 2000;

// The trips marked `train` and `validation`, of the latter a seeded sample where they are too many;
// without a split, a seeded tenth (at most 1,000) is held back for validation.
DataParts parts_of(const Dataset& data, std::uint64_t seed);

// Throws Error(bad_input) where they are too few for a batch or to choose weights by.
void check_parts(const Dataset& data, const DataParts& parts, const Recipe& recipe);

// Throws Error(bad_input) naming a trip of either part that has no points, or too few for the
// measure.
void check_lengths(const Dataset& data, const DataParts& parts, Measure measure);

std::uint64_t points_of(const Dataset& data, const std::vector<std::size_t>& indices);

// A checksum, as hexadecimal digits, of every trajectory of both parts, its length and its
// coordinates, in order. Progress counts trajectories of a part.
std::string checksum_of(const Dataset& data, const DataParts& parts, const Progress& progress = {});

// `count` different numbers below n, ascending; they depend on seed and step alone.
std::vector<int> sample_batch(std::uint64_t seed, std::uint64_t step, std::size_t n,
                              std::size_t count);

}  // namespace tsmini::learn
