#include "learn/train_setup.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tsmini/error.h"

#include "learn/device.h"
#include "learn/recipe_fields.h"

namespace tsmini::learn {
namespace {

using Json = nlohmann::ordered_json;

void check_init(const Dataset& data, const TrainRequest& request) {
  if (!request.init) {
    if (request.rebox)
      throw Error(ErrorCode::usage, "--rebox is for a model to start from", "add --init MODEL");
    return;
  }
  if (request.init->net != request.recipe.net)
    throw Error(ErrorCode::usage, "the network differs from that of the model to start from",
                "leave out --set net.…: the model brings its own settings");
  if (request.rebox && !request.init->net.sub_views)
    throw Error(ErrorCode::usage, "a model of grid cells has a table for its own box",
                "leave out --rebox, or train from the beginning");
  const bool planar = request.init->frame.space.kind() == SpaceKind::planar;
  if (!request.rebox && planar != (data.info().coordinates == Coordinates::planar))
    throw Error(ErrorCode::bad_input,
                fmt::format("the model is for {} coordinates, the data has {}",
                            planar ? "planar" : "geographic", name_of(data.info().coordinates)),
                "use data of one kind, or --rebox");
}

DataParts checked_parts(const Dataset& data, const TrainRequest& request) {
  check_recipe(request.recipe, request.device);
  check_settings(request.measure, request.measure_settings);
  if (!(request.time_budget >= 0) || !std::isfinite(request.time_budget))
    throw Error(ErrorCode::usage, fmt::format("a budget of {} seconds", request.time_budget),
                "--time-budget takes seconds, above 0");
  check_init(data, request);
  DataParts parts = parts_of(data, request.seed);
  check_parts(data, parts, request.recipe);
  return parts;
}

// A model that keeps its box keeps its plane, too.
Space space_for(const Dataset& data, const TrainRequest& request) {
  const bool kept = request.init && !request.rebox && request.init->space.kind() == request.space;
  return kept ? request.init->space : Space::fit(request.space, data);
}

FeatureFrame frame_for(const Dataset& data, const TrainRequest& request) {
  return request.init && !request.rebox ? request.init->frame : FeatureFrame::fit(data);
}

Net net_for(const TrainRequest& request, const FeatureFrame& frame, std::int64_t positions,
            const at::Device& device) {
  Net net(request.recipe.net, frame, request.seed, positions, device);
  if (request.init) net.parameters().from_tensors(request.init->tensors);
  return net;
}

std::string checksum_of(const Model& model) {
  std::uint64_t sum = 0;
  for (const auto& [name, tensor] : model.tensors)
    sum = XXH3_64bits_withSeed(tensor.values.data(), tensor.values.size() * sizeof(float), sum);
  return fmt::format("{:016x}", sum);
}

Json fingerprint_of(const Dataset& data, const TrainRequest& request, const TrainSetup& setup) {
  Json json = {
      {"measure", name_of(request.measure)},
      {"epsilon", request.measure_settings.epsilon},
      {"gap", {request.measure_settings.gap.x, request.measure_settings.gap.y}},
      {"band", request.measure_settings.band ? Json(*request.measure_settings.band) : Json()},
      {"space", setup.space.to_json()},
      {"device", request.device},
      {"seed", request.seed},
      {"time budget", request.time_budget}};
  for (const RecipeField& field : recipe_fields())
    json[std::string(field.name)] = field_value(request.recipe, field.name);
  json["number of training trajectories"] = setup.parts.train.size();
  json["number of validation trajectories"] = setup.parts.validation.size();
  json["checksum of the data"] = checksum_of(data, setup.parts);
  json["checksum of the model to start from"] = request.init ? checksum_of(*request.init) : "none";
  json["rebox"] = request.rebox;
  return json;
}

}  // namespace

TrainSetup::TrainSetup(const Dataset& data, const TrainRequest& request)
    : device(device_from(request.device)),
      parts(checked_parts(data, request)),
      space(space_for(data, request)),
      frame(frame_for(data, request)),
      lessons(lessons_of(data, parts.train, request.recipe.lessons, request.seed)),
      train(lessons.data, lessons.indices, frame, request.recipe.net, device),
      valid(data, parts.validation, frame, request.recipe.net, device),
      net(net_for(request, frame, std::max(train.longest(), valid.longest()), device)),
      optimiser(net.parameters(), request.recipe.weight_decay, request.recipe.average),
      fingerprint(fingerprint_of(data, request, *this)) {
  facts.train = parts.train.size();
  facts.validation = parts.validation.size();
  facts.composed = lessons.indices.size() - parts.train.size();
  facts.train_points = points_of(data, parts.train);
  facts.validation_points = points_of(data, parts.validation);
  for (const at::Tensor& weight : net.parameters().trained())
    facts.parameters += static_cast<std::uint64_t>(weight.numel());
}

void TrainSetup::measure(const Dataset& data, const TrainRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  const PlanarSet trips(lessons.data, space, lessons.indices);
  largest = largest_distance(request.measure, request.measure_settings, trips, request.seed, device,
                             parts.train.size());
  if (!std::isfinite(largest))
    throw Error(ErrorCode::bad_input, "distances exceed what single precision holds",
                "choose another --space");
  truth = true_distances(request.measure, request.measure_settings,
                         PlanarSet(data, space, parts.validation), device);
  labels = make_labels(request.labels, request.measure, request.measure_settings, trips, device);
  facts.largest = largest;
  facts.label_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace tsmini::learn
