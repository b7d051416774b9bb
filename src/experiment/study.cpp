#include "experiment/study.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/amounts.h"

namespace tsmini::experiment {
namespace {

double mean_of(const std::vector<Trained>& runs, double Trained::*field) {
  double sum = 0;
  for (const Trained& run : runs) sum += run.*field;
  return sum / static_cast<double>(runs.size());
}

}  // namespace

Spread spread_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  Spread spread;
  spread.count = values.size();
  spread.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
  if (values.size() > 1) spread.deviation = std::sqrt(squares / (count - 1));
  return spread;
}

TrainOptions request_for(const Setting& setting, const City& city, const Variant& variant,
                         Measure measure, std::uint64_t seed) {
  TrainOptions request;
  request.recipe = recipe_for(variant.preset, measure);
  if (setting.steps) request.recipe.steps = *setting.steps;
  if (setting.validations) request.recipe.validations = *setting.validations;
  if (variant.change) variant.change(request.recipe);
  const std::size_t trips = city.data.indices_of(Part::train).size();
  if (trips < smallest_batch) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: {} to train with are too few", city.name, counted(trips, "trip")),
                fmt::format("use more data: {} at least", smallest_batch));
  }
  request.recipe.batch = std::min(request.recipe.batch, trips);
  request.recipe.loss.k = std::min(request.recipe.loss.k, request.recipe.batch - 1);
  request.measure = measure;
  request.space = setting.space;
  request.seed = seed;
  try {
    check_lengths(city.data, request);
  } catch (const Error& error) {
    throw error.with_message(fmt::format("{}: {}", city.name, error.what()));
  }
  return request;
}

Trained trained_as(Lab& lab, const Setting& setting, const City& city, const Variant& variant,
                   Measure measure, std::uint64_t seed) {
  const std::string label =
      fmt::format("{}, {}, {}, seed {}", city.name, name_of(measure), variant.name, seed);
  return lab.train(city, label, request_for(setting, city, variant, measure, seed));
}

Outcome outcome_of(Lab& lab, const Setting& setting, const Variant& variant, Measure measure) {
  return outcome_of(lab, setting, setting.city, variant, measure);
}

Outcome outcome_of(Lab& lab, const Setting& setting, const City& city, const Variant& variant,
                   Measure measure) {
  Outcome outcome;
  std::vector<double> hr10, hr50, r10at50, rand_index, embed;
  for (const std::uint64_t seed : setting.seeds) {
    Trained run = trained_as(lab, setting, city, variant, measure, seed);
    const Evaluation evaluation = lab.judge(run.model, city.data);
    hr10.push_back(evaluation.score.hr10);
    hr50.push_back(evaluation.score.hr50);
    r10at50.push_back(evaluation.score.r10at50);
    rand_index.push_back(evaluation.rand_index.value_or(std::nan("")));
    embed.push_back(evaluation.embed_seconds);
    outcome.runs.push_back(std::move(run));
  }
  outcome.hr10 = spread_of(hr10);
  outcome.hr50 = spread_of(hr50);
  outcome.r10at50 = spread_of(r10at50);
  outcome.rand_index = spread_of(rand_index);
  outcome.embed_seconds = spread_of(embed).mean;
  outcome.seconds = mean_of(outcome.runs, &Trained::seconds);
  outcome.label_seconds = mean_of(outcome.runs, &Trained::label_seconds);
  outcome.parameters = outcome.runs.front().parameters;
  return outcome;
}

std::string title_of(Measure measure) {
  switch (measure) {
    case Measure::dtw: return "DTW";
    case Measure::edwp: return "EDwP";
    case Measure::frechet: return "Fréchet";
    case Measure::hausdorff: return "Hausdorff";
    default: return std::string(name_of(measure));
  }
}

std::string sizes_of(const City& city) {
  return fmt::format(
      "{}: {} to learn from, {} to choose by, {} to test, each of these a query against the "
      "others",
      city.name, counted(city.data.indices_of(Part::train).size(), "trip"),
      with_thousands(city.data.indices_of(Part::validation).size()),
      with_thousands(city.data.indices_of(Part::test).size()));
}

std::vector<std::string> runs_with(const Setting& setting) {
  std::string seeds;
  for (const std::uint64_t seed : setting.seeds)
    seeds += fmt::format("{}{}", seeds.empty() ? "" : ", ", seed);
  return {fmt::format("{} space", name_of(setting.space)),
          setting.steps ? counted(*setting.steps, "step") + " a run"
                        : std::string("as many steps as each preset has"),
          fmt::format("{} {}", setting.seeds.size() == 1 ? "seed" : "seeds", seeds)};
}

std::vector<std::string> made_with(const Setting& setting) {
  std::vector<std::string> facts = runs_with(setting);
  facts.insert(facts.begin(), sizes_of(setting.city));
  return facts;
}

BarChart ratio_chart(std::string title, std::vector<std::string> groups) {
  BarChart chart;
  chart.title = std::move(title);
  chart.y_title = "HR@10";
  chart.groups = std::move(groups);
  chart.low = 0;
  chart.high = 1;
  return chart;
}

BarChart measures_chart(const Setting& setting) {
  std::vector<std::string> groups;
  for (const Measure measure : setting.measures) groups.push_back(title_of(measure));
  return ratio_chart(setting.city.name, groups);
}

}  // namespace tsmini::experiment
