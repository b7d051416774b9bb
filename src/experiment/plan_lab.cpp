#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tsmini/model_cost.h"

#include "experiment/lab.h"
#include "experiment/run_file.h"

namespace tsmini::experiment {
namespace {

// A step forwards and backwards, by the mean number of points.
double operations_of(const Dataset& data, const learn::TrainPlan& plan, const Recipe& recipe) {
  const auto points = static_cast<double>(learn::points_of(data, plan.parts.train));
  const auto mean =
      static_cast<std::size_t>(std::lround(points / static_cast<double>(plan.parts.train.size())));
  return 3 * forward_operations(recipe.net, mean) * static_cast<double>(recipe.batch);
}

}  // namespace

Trained PlanLab::train(const City& city, const std::string&, TrainOptions request) {
  // Whether it is there does not matter yet.
  request.device = device_ == name_of(Device::cuda) ? Device::cuda : Device::cpu;
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
    const std::uint64_t steps = request.recipe.steps;
    const std::uint64_t left = steps - std::min(steps, file.steps_done());
    cost_.steps += left;
    cost_.operations += operations_of(city.data, plan, request.recipe) * static_cast<double>(left);
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

std::span<const float> PlanLab::truth(Measure, const Space&, const Dataset&) {
  return {};
}

RivalRun PlanLab::rival(const City& city, const std::string&, const RivalRequest& request) {
  const std::string contents = contents_of(city.data);
  const std::string name = rival_run_name(contents, request, device_);
  const bool first = seen_.insert(name).second;
  if (const std::optional<RivalRun> made = RivalFile(folder_, name).load()) {
    if (first) ++cost_.done;
    return *made;
  }
  if (!first) return {};
  ++cost_.runs;
  ++cost_.rival_runs;
  // What does not depend on the measure is made once for all measures.
  const std::string shared =
      fmt::format("{} {} {}", contents, request.contender.title(), request.seed);
  const double parts = seen_.insert(shared).second ? 2 + 1. / 3 : 1;
  if (!request.seconds)
    cost_.rival_seconds.reset();
  else if (cost_.rival_seconds)
    *cost_.rival_seconds += parts * *request.seconds;
  return {};
}

Predicted PlanLab::rival_distances(const RivalRun&, const Dataset&, bool) {
  return {};
}

}  // namespace tsmini::experiment
