#include "learn/train_setup.h"

#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/model_cost.h"

#include "base/file.h"
#include "base/stopwatch.h"
#include "learn/checkpoint.h"
#include "learn/stage.h"
#include "model/architecture.h"
#include "model/json_fields.h"

namespace tsmini {

void check_checkpoint(const TrainOptions& options) {
  if (options.checkpoint.empty()) return;
  if (!options.resume) return learn::check_replaceable(options.checkpoint);
  // What is there and is no regular file is left to the loader, which says what is wrong with it.
  std::error_code error;
  const auto there = std::filesystem::status(options.checkpoint, error).type();
  if (there == std::filesystem::file_type::regular ||
      there == std::filesystem::file_type::not_found)
    static_cast<void>(OutputFile(options.checkpoint));
}

namespace learn {
namespace {

Progress reading(const TrainObserver& observer) {
  return progress_of(observer, TrainStage::reading);
}

std::vector<std::int64_t> cells_for(const TrainOptions& options, const FeatureFrame& frame,
                                    const FeatureStore& train, const Progress& progress) {
  if (options.recipe.net.sub_views) return {};
  return options.init ? known_cells(*options.init)
                      : train.cells({options.recipe.net, frame}, progress);
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

// Throws Error(usage) where the model to be could not be written, or not be read again.
void check_provenance(const std::string& provenance) {
  try {
    provenance_json(provenance);
  } catch (const Error& error) {
    throw Error(ErrorCode::usage, fmt::format("the provenance cannot be kept: {}", error.what()),
                {}, "provenance");
  }
}

// The options, if they can be kept to: the device is there, the model to start from can be started
// from, the provenance can be kept.
const TrainOptions& checked(const TrainOptions& options) {
  device_from(name_of(options.device));
  check_provenance(options.provenance);
  check_checkpoint(options);
  if (options.init) {
    check_tensors(options.init->net, options.init->tensors);
    check_values(*options.init);
  }
  return options;
}

}  // namespace

TrainSetup::TrainSetup(const Dataset& data, const TrainOptions& options,
                       const TrainObserver& observer, Products products)
    : plan(data, checked(options), observer),
      augmented(augment(data, plan.parts.train, {options.recipe.augment_to, options.recipe.rough},
                        options.seed, progress_of(observer, TrainStage::composing))),
      train(augmented.data, augmented.indices, plan.frame, options.recipe.net, reading(observer)),
      valid(data, plan.parts.validation, plan.frame, options.recipe.net) {
  const std::vector<std::int64_t> cells = cells_for(options, plan.frame, train, reading(observer));
  learner = make_learner(
      options.device, {train, valid, plan.frame, cells, options.seed, options.recipe.weight_decay,
                       options.init ? &*options.init : nullptr, products});
  const DataParts& parts = plan.parts;
  facts.train = parts.train.size();
  facts.validation = parts.validation.size();
  facts.for_validation = parts.for_validation;
  facts.composed = augmented.indices.size() - parts.train.size();
  facts.train_points = points_of(data, parts.train);
  facts.validation_points = points_of(data, parts.validation);
  facts.parameters = parameter_count(options.recipe.net, cells.size());
}

void TrainSetup::measure(const Dataset& data, const TrainOptions& options,
                         const TrainObserver& observer, std::function<void()> waiting) {
  const Stopwatch watch;
  const ProjectedTrips trips(augmented.data, augmented.indices, plan.space, reading(observer));
  const Progress measuring = progress_of(observer, TrainStage::measuring);
  largest = largest_distance(options.measure, options.measure_settings, trips, options.seed,
                             options.device, plan.parts.train.size(), measuring);
  if (!std::isfinite(largest))
    throw Error(ErrorCode::bad_input, "distances exceed what single precision holds",
                "choose another `space`");
  truth =
      true_distances(options.measure, options.measure_settings,
                     PlanarSet(data, plan.space, plan.parts.validation), options.device, measuring);
  learner->begin({{options.labels,
                   options.measure,
                   options.measure_settings,
                   trips,
                   {measuring, std::move(waiting)}},
                  options.recipe.loss,
                  largest});
  facts.largest = largest;
  facts.label_seconds = watch.seconds();
}

}  // namespace learn
}  // namespace tsmini
