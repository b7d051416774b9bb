#include "learn/train_request.h"

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/checksum.h"
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

FeatureFrame frame_for(const Dataset& data, const TrainRequest& request) {
  return request.init && !request.rebox ? request.init->frame : FeatureFrame::fit(data);
}

std::string checksum_of(const Model& model) {
  Checksum sum;
  for (const auto& [name, tensor] : model.tensors)
    sum.piece(std::as_bytes(std::span(tensor.values)));
  return sum.digits();
}

Json fingerprint_of(const Dataset& data, const TrainRequest& request, const TrainPlan& plan) {
  Json json = {
      {"measure", name_of(request.measure)},
      {"epsilon", request.measure_settings.epsilon},
      {"gap", {request.measure_settings.gap.x, request.measure_settings.gap.y}},
      {"band", request.measure_settings.band ? Json(*request.measure_settings.band) : Json()},
      {"space", plan.space.to_json()},
      {"device", request.device},
      {"seed", request.seed},
      {"time budget", request.time_budget}};
  if (request.steps_too) json["steps end it, too"] = true;
  for (const RecipeField& field : recipe_fields())
    json[std::string(field.name)] = field_value(request.recipe, field.name);
  json["number of training trajectories"] = plan.parts.train.size();
  json["number of validation trajectories"] = plan.parts.validation.size();
  json["checksum of the data"] =
      checksum_of(data, plan.parts, progress_of(request.preparing, Stage::reading));
  json["checksum of the model to start from"] = request.init ? checksum_of(*request.init) : "none";
  json["rebox"] = request.rebox;
  return json;
}

}  // namespace

// A model that keeps its box keeps its plane, too.
Space training_space(const Dataset& data, const TrainRequest& request) {
  const bool kept = request.init && !request.rebox && request.init->space.kind() == request.space;
  return kept ? request.init->space : Space::fit(request.space, data);
}

TrainPlan::TrainPlan(const Dataset& data, const TrainRequest& request)
    : parts(checked_parts(data, request)),
      space(training_space(data, request)),
      frame(frame_for(data, request)),
      fingerprint(fingerprint_of(data, request, *this)) {}

}  // namespace tsmini::learn
