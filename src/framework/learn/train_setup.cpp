#include "learn/train_setup.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "tsmini/error.h"

#include "learn/device.h"

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

Net net_for(const TrainRequest& request, const FeatureFrame& frame, const FeatureStore& train,
            std::int64_t positions, const at::Device& device) {
  Net net(request.recipe.net, frame, cells_for(request, frame, train), request.seed, positions,
          device);
  if (request.init) net.parameters().from_tensors(request.init->tensors);
  return net;
}

}  // namespace

TrainSetup::TrainSetup(const Dataset& data, const TrainRequest& request)
    : device(device_from(request.device)),
      plan(data, request),
      lessons(lessons_of(data, plan.parts.train, {request.recipe.lessons, request.recipe.rough},
                         request.seed, progress_of(request.preparing, Stage::composing))),
      train(lessons.data, lessons.indices, plan.frame, request.recipe.net, device,
            reading(request)),
      valid(data, plan.parts.validation, plan.frame, request.recipe.net, device),
      net(net_for(request, plan.frame, train, std::max(train.longest(), valid.longest()), device)),
      optimiser(net.parameters(), request.recipe.weight_decay, request.recipe.average) {
  const DataParts& parts = plan.parts;
  facts.train = parts.train.size();
  facts.validation = parts.validation.size();
  facts.for_validation = parts.for_validation;
  facts.composed = lessons.indices.size() - parts.train.size();
  facts.train_points = points_of(data, parts.train);
  facts.validation_points = points_of(data, parts.validation);
  for (const at::Tensor& weight : net.parameters().trained())
    facts.parameters += static_cast<std::uint64_t>(weight.numel());
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
  labels = make_labels(request.labels, request.measure, request.measure_settings, trips, device,
                       {measuring, std::move(waiting)});
  facts.largest = largest;
  facts.label_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace tsmini::learn
