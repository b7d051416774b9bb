// Which trips an experiment learns from, chooses by and is judged by.
//
// Every function makes a new data set and leaves its argument as it is; trips keep their ids and
// their order in the file, and a test trip stays one. Linear in the points.
//
//   const Dataset split = with_split(data, seed);                  // 7:1:2
//   const Dataset small = with_training_set(split, 1'000);         // judged by the same test trips
//   const Dataset tuning = sample_for_tuning(split, 2'000, seed);  // 1,600 to learn from
#pragma once

#include <cstddef>
#include <cstdint>

#include "tsmini/dataset.h"

namespace tsmini::experiment {

// Seven tenths marked train, one validation and two test, drawn at random; data that has a split
// comes back as it is.
Dataset with_split(const Dataset& data, std::uint64_t seed);

// The validation and test trips, and `count` to learn from: those marked train, in the order of the
// file, and where they do not suffice those without a mark. Other trips are left out.
// Throws Error(usage) where there are not so many.
Dataset with_training_set(const Dataset& data, std::size_t count);

// The test trips, and `count` of those marked train, drawn at random: four fifths of them to learn
// from and the others as validation trips. So settings are chosen without a look at the validation
// trips of the experiment. Throws Error(usage) where there are not so many.
Dataset sample_for_tuning(const Dataset& data, std::size_t count, std::uint64_t seed);

}  // namespace tsmini::experiment
