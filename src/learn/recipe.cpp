#include "tsmini/recipe.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/utf8.h"

namespace tsmini {
namespace {

// The released settings, with selection on the figure that is reported.
Recipe paper_for(Measure /*measure*/) {
  return {};
}

// docs/experiments.md says how these were found. Embeddings fit their measure: a sum of squares for
// those that add up along the way, maxima over groups for those that take the worst point; the two
// ends count in all but hausdorff, which does not know them.
Recipe best_for(Measure measure) {
  Recipe recipe;
  recipe.net.unit_norm = false;
  recipe.net.dropout = 0;
  recipe.loss.k = 10;
  recipe.augment_to = 60000;
  recipe.rough = 0.5;
  recipe.batch = 256;
  recipe.steps = 50000;
  recipe.rate = 0.004;
  recipe.weight_decay = 0;
  recipe.warmup = 200;
  recipe.schedule = Schedule::cosine;
  recipe.average = 0.999;
  recipe.patience = 0;
  recipe.validations = 20;
  switch (measure) {
    case Measure::dtw:
    case Measure::edwp:
    case Measure::erp:
    case Measure::sspd:
      recipe.net.metric.kind = MetricKind::l2;
      recipe.net.pooling = {Pool::mean, Pool::max, Pool::sum, Pool::first, Pool::last};
      recipe.net.fourier_octaves = 4;
      recipe.net.layers = 2;
      recipe.augment_to = 30000;
      recipe.rough = 0.3;
      recipe.steps = 36000;
      break;
    case Measure::hausdorff:
    case Measure::hausdorff_segment:
      recipe.net.metric = {MetricKind::chebyshev, 16};
      recipe.net.pooling = {Pool::mean, Pool::max};
      break;
    default:
      recipe.net.metric = {MetricKind::chebyshev, 16};
      recipe.net.pooling = {Pool::mean, Pool::max, Pool::first, Pool::last};
      recipe.net.fourier_octaves = 4;
  }
  return recipe;
}

// The best recipe cut down to minutes on a laptop: one layer, small batches, no rough trips, a
// short budget. Few composed trips for measures that take the worst point, none for the others,
// which they do not help in so short a time.
Recipe quick_for(Measure measure) {
  Recipe recipe = best_for(measure);
  recipe.net.layers = 1;
  recipe.net.hidden = 384;
  recipe.augment_to = recipe.net.metric.kind == MetricKind::chebyshev ? 20000 : 0;
  recipe.rough = 0;
  recipe.batch = 128;
  recipe.steps = 2000;
  recipe.average = 0.99;
  recipe.validations = 10;
  return recipe;
}

struct Preset {
  std::string_view name;
  Recipe (*recipe_for)(Measure measure);
};
constexpr std::array<Preset, preset_names.size()> presets{
    {{"default", best_for}, {"quick", quick_for}, {"paper", paper_for}}};
static_assert(std::equal(presets.begin(), presets.end(), preset_names.begin(),
                         [](const Preset& p, std::string_view name) { return p.name == name; }));

void require(bool good, std::string_view field, const std::string& message,
             const std::string& hint) {
  if (!good) throw Error(ErrorCode::usage, message, hint, std::string(field));
}

void require_number(std::string_view name, double value) {
  require(std::isfinite(value) && value >= 0, name, fmt::format("{} is {}", name, value),
          "it must be a number from 0 up");
}

void check_loss(const Recipe& recipe) {
  const LossSettings& loss = recipe.loss;
  require(loss.k < recipe.batch, "loss.k",
          fmt::format("the ranking looks at {} neighbours, but a batch of {} has only {}", loss.k,
                      recipe.batch, recipe.batch - 1),
          "lower `loss.k` or raise `batch`");
  require(loss.lambda >= 0 && loss.lambda <= 1, "loss.lambda",
          fmt::format("loss.lambda is {}", loss.lambda), "it lies between 0 and 1");
  require_number("loss.slope", loss.slope);
  // Gradients grow with it, and their squares must be numbers of single precision.
  constexpr double steepest = 1e6;
  require(loss.slope <= steepest, "loss.slope", fmt::format("loss.slope is {}", loss.slope),
          fmt::format("use `loss.slope={}` or less", steepest));
  require_number("loss.focus", loss.focus);
}

}  // namespace

Recipe recipe_for(std::string_view preset, Measure measure) {
  for (const Preset& one : presets) {
    if (one.name == preset) return one.recipe_for(measure);
  }
  throw Error(ErrorCode::usage, fmt::format("there is no preset '{}'", printable(preset)),
              fmt::format("choose one of {}", fmt::join(preset_names, ", ")), "preset");
}

void check_recipe(const Recipe& recipe) {
  check_settings(recipe.net);
  require(recipe.batch >= smallest_batch, "batch",
          fmt::format("a batch of {} is too small", recipe.batch),
          fmt::format("use `batch={}` or more", smallest_batch));
  require(recipe.batch <= largest_batch, "batch",
          fmt::format("a batch of {} is too large", recipe.batch),
          fmt::format("use `batch={}` or less", largest_batch));
  check_loss(recipe);
  require(recipe.steps > 0, "steps", "a budget of 0 steps trains nothing", "raise `steps`");
  constexpr std::size_t most_augmented = 10'000'000;
  require(recipe.augment_to <= most_augmented, "augment_to",
          fmt::format("augment_to is {}", recipe.augment_to),
          fmt::format("it is {} at most", most_augmented));
  require(recipe.rough >= 0 && recipe.rough <= 1, "rough", fmt::format("rough is {}", recipe.rough),
          "it lies between 0 and 1");
  require_number("rate", recipe.rate);
  require(recipe.rate > 0, "rate", fmt::format("the learning rate is {}", recipe.rate),
          "raise it: `rate=0.002`");
  require_number("weight_decay", recipe.weight_decay);
  require(recipe.average >= 0 && recipe.average < 1, "average",
          fmt::format("the average's decay is {}", recipe.average), "`average` takes 0 to below 1");
  require(recipe.validations > 0, "validations", "at least one validation is needed",
          "raise `validations`");
  constexpr std::uint64_t most_validations = 10'000;  // a checkpoint has them all
  require(recipe.validations <= most_validations, "validations",
          fmt::format("validations is {}", recipe.validations),
          fmt::format("it is {} at most", most_validations));
}

}  // namespace tsmini
