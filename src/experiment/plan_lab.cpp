#include <cmath>

#include "experiment/lab.h"
#include "experiment/run_file.h"
#include "model/operations.h"

namespace tsmini::experiment {
namespace {

// Forwards and backwards, by the mean number of points.
double operations_of(const Dataset& data, const learn::TrainPlan& plan,
                     const learn::Recipe& recipe) {
  const auto points = static_cast<double>(learn::points_of(data, plan.parts.train));
  const auto mean =
      static_cast<std::size_t>(std::lround(points / static_cast<double>(plan.parts.train.size())));
  return 3 * forward_operations(recipe.net, mean) * static_cast<double>(recipe.batch) *
         static_cast<double>(recipe.steps);
}

}  // namespace

Trained PlanLab::train(const City& city, const std::string&, learn::TrainRequest request) {
  request.device = device_;
  const learn::TrainPlan plan(city.data, request);
  const std::string name = run_name(plan);
  const RunFile file(folder_, name);
  const bool first = seen_.insert(name).second;
  if (file.exists()) {
    if (first) ++cost_.done;
    return file.load();
  }
  if (first) {
    ++cost_.runs;
    cost_.steps += request.recipe.steps;
    cost_.operations += operations_of(city.data, plan, request.recipe);
  }
  Trained trained;
  trained.model.net = request.recipe.net;
  trained.model.frame = plan.frame;
  trained.model.space = plan.space;
  trained.model.measure = request.measure;
  return trained;
}

Evaluation PlanLab::judge(const Model&, const Dataset&, std::span<const float>) {
  return {};
}

std::span<const float> PlanLab::truth(const Model&, const Dataset&) {
  return {};
}

}  // namespace tsmini::experiment
