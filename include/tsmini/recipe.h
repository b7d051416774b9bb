// Everything that decides what a training run does, besides the data and the measure: the network,
// the loss, batches, steps and rates.
//
//   Recipe recipe = recipe_for("default", Measure::dtw);
//   recipe.batch = 512;
//   set_field(recipe, "net.layers", "2");
//   check_recipe(recipe);
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tsmini/measure.h"
#include "tsmini/model.h"

namespace tsmini {

// What the loss is made of: λ·100·L_mse + (1 - λ)·L_knn.
struct LossSettings {
  double lambda = 0.2;     // share of the squared error
  std::size_t k = 10;      // predicted positions that the ranking looks at; 0: all
  double slope = 1;        // of the ranking's sigmoid
  double focus = 1;        // weight of a pair in the squared error: (1 - t)^focus
  bool rank_mean = false;  // the ranking averaged over the batch's lists, not summed
};

enum class Schedule {
  steps,   // the rate halves after 3/8 and 6/8 of the budget
  cosine,  // falls to zero along half a cosine
};
inline constexpr std::array<std::string_view, 2> schedule_names{"steps", "cosine"};

struct Recipe {
  NetSettings net;
  LossSettings loss;
  std::size_t augment_to = 0;  // where real trips are fewer, ones composed of them fill up
  double rough = 0;            // share of composed ones with points missing or in the wrong place
  std::size_t batch = 128;     // trips that a step compares with each other
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

inline constexpr std::size_t smallest_batch = 4, largest_batch = 1024;

inline constexpr std::array<std::string_view, 3> preset_names{"default", "quick", "paper"};

// The recipe of one of these presets. Throws Error(usage) that lists the names.
Recipe recipe_for(std::string_view preset, Measure measure);

// Throws Error(usage) naming what cannot work: a batch of one, a k above the batch, no steps, a
// rate that is not a number, …
void check_recipe(const Recipe& recipe);

// The settings of a recipe by name, as programs, logs and model files speak of them.
struct RecipeField {
  std::string_view name;
  std::string meaning;
};
const std::vector<RecipeField>& recipe_fields();

// Throws Error(usage) where there is no such setting or the value does not fit it.
void set_field(Recipe& recipe, std::string_view name, std::string_view value);
std::string field_value(const Recipe& recipe, std::string_view name);

}  // namespace tsmini
