// Everything that decides what a training run does, besides the data.
//
//   Recipe recipe = recipe_for("default", Measure::dtw);
//   recipe.batch = 512;
//   check_recipe(recipe, "cuda");
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tsmini/measure.h"
#include "tsmini/model.h"

#include "learn/loss_settings.h"

namespace tsmini::learn {

enum class Schedule {
  steps,   // the rate halves after 3/8 and 6/8 of the budget
  cosine,  // falls to zero along half a cosine
};

struct Recipe {
  NetSettings net;
  LossSettings loss;
  std::size_t lessons = 0;  // where real trips are fewer, composed ones fill up (lessons.h)
  double rough = 0;         // share of composed ones with points missing or in the wrong place
  std::size_t batch = 128;
  std::uint64_t steps = 20000;
  double rate = 0.002;
  double weight_decay = 1e-5;
  // Steps over which the rate rises from zero; at most a tenth of the budget.
  std::uint64_t warmup = 0;
  Schedule schedule = Schedule::steps;
  double average = 0;              // decay of the weights' moving average; 0: none
  std::uint64_t validations = 40;  // over the budget
  std::uint64_t patience = 10;     // validations without a better one before it stops; 0: never
};

// Trajectories that a step compares with each other.
inline constexpr std::size_t smallest_batch = 4, largest_batch = 1024;

// `paper`, `default` or `quick`. Throws Error(usage) that lists the names.
Recipe recipe_for(std::string_view preset, Measure measure);

// Throws Error(usage) naming what cannot work: a batch of one, a k above the batch, no steps, a
// rate that is not a number, …
void check_recipe(const Recipe& recipe);
// The same, and what the kernels of a device (`cpu` or `cuda`) cannot take.
void check_recipe(const Recipe& recipe, std::string_view device);

// Share of the full rate at `progress` (0 … 1 of the budget), after `step` steps.
double rate_share(const Recipe& recipe, double progress, std::uint64_t step);

}  // namespace tsmini::learn
