#include "learn/train_plan.h"

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/flaws.h"

#include "base/checksum.h"
#include "learn/stage.h"

namespace tsmini {

// A model that keeps its box keeps its plane, too.
Space training_space(const Dataset& data, const TrainOptions& options) {
  const bool kept = options.init && !options.rebox && options.init->space.kind() == options.space;
  return kept ? options.init->space : Space::fit(options.space, data);
}

// How many trips a part has does not depend on the seed.
void check_enough(const Dataset& data, const Recipe& recipe) {
  learn::check_parts(data, learn::parts_of(data, 1), recipe);
}

void check_lengths(const Dataset& data, const TrainOptions& options) {
  learn::check_lengths(data, learn::parts_of(data, options.seed), options.measure);
}

namespace learn {
namespace {

using Json = nlohmann::ordered_json;

void check_init(const Dataset& data, const TrainOptions& options) {
  if (!options.init) {
    if (options.rebox)
      throw Error(ErrorCode::usage, "`rebox` is for a model to start from",
                  "name it with `init=MODEL`");
    return;
  }
  if (options.init->net != options.recipe.net)
    throw Error(ErrorCode::usage, "the network differs from that of the model to start from",
                "leave out settings such as `net.layers`: the model brings its own", "init");
  if (options.rebox && !options.init->net.sub_views)
    throw Error(ErrorCode::usage, "a model of grid cells has a table for its own box",
                "leave out `rebox`, or train from the beginning", "rebox");
  if (!options.rebox)
    check_coordinates(options.init->frame, data, "use data of one kind, or `rebox`");
}

DataParts checked_parts(const Dataset& data, const TrainOptions& options) {
  check_recipe(options.recipe, options.device);
  check_settings(options.measure, options.measure_settings);
  if (!(options.time_budget >= 0) || !std::isfinite(options.time_budget))
    throw Error(ErrorCode::usage, fmt::format("a budget of {} seconds", options.time_budget),
                "`time_budget` takes seconds, above 0", "time_budget");
  check_init(data, options);
  DataParts parts = parts_of(data, options.seed);
  check_parts(data, parts, options.recipe);
  check_lengths(data, parts, options.measure);
  return parts;
}

FeatureFrame frame_for(const Dataset& data, const TrainOptions& options) {
  return options.init && !options.rebox ? options.init->frame : FeatureFrame::fit(data);
}

std::string checksum_of(const Model& model) {
  Checksum sum;
  for (const auto& [name, tensor] : model.tensors)
    sum.piece(std::as_bytes(std::span(tensor.values)));
  return sum.digits();
}

Json fingerprint_of(const Dataset& data, const TrainOptions& options, const TrainPlan& plan,
                    const TrainObserver& observer) {
  Json json = {
      {"measure", name_of(options.measure)},
      {"epsilon", options.measure_settings.epsilon},
      {"gap", {options.measure_settings.gap.x, options.measure_settings.gap.y}},
      {"band", options.measure_settings.band ? Json(*options.measure_settings.band) : Json()},
      {"space", plan.space.to_json()},
      {"device", name_of(options.device)},
      {"seed", options.seed},
      {"time_budget", options.time_budget}};
  if (options.steps_too) json["steps_too"] = true;
  for (const RecipeField& field : recipe_fields())
    json[std::string(field.name)] = field_value(options.recipe, field.name);
  json["train_trips"] = plan.parts.train.size();
  json["validation_trips"] = plan.parts.validation.size();
  json[data_key] = checksum_of(data, plan.parts, progress_of(observer, TrainStage::reading));
  const FeatureFrame& frame = plan.frame;  // fitted to test trips, too, or that of the other model
  json["frame"] = {name_of(frame.space.kind()), frame.low.x, frame.low.y, frame.high.x,
                   frame.high.y};
  json["init_checksum"] = options.init ? checksum_of(*options.init) : "none";
  json["rebox"] = options.rebox;
  return json;
}

}  // namespace

TrainPlan::TrainPlan(const Dataset& data, const TrainOptions& options,
                     const TrainObserver& observer)
    : parts(checked_parts(data, options)),
      space(training_space(data, options)),
      frame(frame_for(data, options)),
      fingerprint(fingerprint_of(data, options, *this, observer)) {}

}  // namespace learn
}  // namespace tsmini
