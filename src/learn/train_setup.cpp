#include "learn/train_setup.h"

#include <chrono>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "model/architecture.h"
#include "model/operations.h"

namespace tsmini::learn {
namespace {

Progress reading(const TrainRequest& request) {
  return progress_of(request.preparing, Stage::reading);
}

std::vector<std::int64_t> cells_for(const TrainRequest& request, const FeatureFrame& frame,
                                    const FeatureStore& train) {
  if (request.recipe.net.sub_views) return {};
  return request.init ? known_cells(*request.init)
                      : train.cells({request.recipe.net, frame}, reading(request));
}

void check_values(const Model& model) {
  for (const TensorSpec& spec : network_tensors(model.net)) {
    const auto found = model.tensors.find(spec.name);
    if (found == model.tensors.end()) continue;
    const std::vector<float>& values = found->second.values;
    const std::size_t means = spec.start == Start::statistics ? values.size() / 2 : values.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isfinite(values[i]) && (i < means || values[i] >= 0)) continue;
      throw Error(
          ErrorCode::bad_input,
          fmt::format("tensor '{}' of the model to start from holds {}", spec.name, values[i]),
          "its training failed, or the file is altered");
    }
  }
}

// The request, if the model that it starts from can be started from.
const TrainRequest& checked(const TrainRequest& request) {
  if (request.init) {
    check_tensors(request.init->net, request.init->tensors);
    check_values(*request.init);
  }
  return request;
}

}  // namespace

TrainSetup::TrainSetup(const Dataset& data, const TrainRequest& request)
    : device(device_from(request.device)),
      plan(data, checked(request)),
      lessons(lessons_of(data, plan.parts.train, {request.recipe.lessons, request.recipe.rough},
                         request.seed, progress_of(request.preparing, Stage::composing))),
      train(lessons.data, lessons.indices, plan.frame, request.recipe.net, reading(request)),
      valid(data, plan.parts.validation, plan.frame, request.recipe.net) {
  const std::vector<std::int64_t> cells = cells_for(request, plan.frame, train);
  learner =
      make_learner(device, {train, valid, plan.frame, cells, request.seed,
                            request.recipe.weight_decay, request.init ? &*request.init : nullptr});
  const DataParts& parts = plan.parts;
  facts.train = parts.train.size();
  facts.validation = parts.validation.size();
  facts.for_validation = parts.for_validation;
  facts.composed = lessons.indices.size() - parts.train.size();
  facts.train_points = points_of(data, parts.train);
  facts.validation_points = points_of(data, parts.validation);
  facts.parameters = parameter_count(request.recipe.net, cells.size());
}

void TrainSetup::measure(const Dataset& data, const TrainRequest& request,
                         std::function<void()> waiting) {
  const auto start = std::chrono::steady_clock::now();
  const TripSource trips(lessons.data, lessons.indices, plan.space, reading(request));
  const Progress measuring = progress_of(request.preparing, Stage::measuring);
  largest = largest_distance(request.measure, request.measure_settings, trips, request.seed, device,
                             plan.parts.train.size(), measuring);
  if (!std::isfinite(largest))
    throw Error(ErrorCode::bad_input, "distances exceed what single precision holds",
                "choose another --space");
  truth = true_distances(request.measure, request.measure_settings,
                         PlanarSet(data, plan.space, plan.parts.validation), device, measuring);
  learner->begin({{request.labels,
                   request.measure,
                   request.measure_settings,
                   trips,
                   {measuring, std::move(waiting)}},
                  request.recipe.loss,
                  largest});
  facts.largest = largest;
  facts.label_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace tsmini::learn
