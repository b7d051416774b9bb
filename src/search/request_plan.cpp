#include "search/request_plan.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/utf8.h"
#include "search/model_name.h"

namespace tsmini {
namespace {

// Whether two settings mean the same to the measure.
bool is_same(Measure measure, const MeasureSettings& a, const MeasureSettings& b) {
  switch (measure) {
    case Measure::edr:
    case Measure::lcss: return a.epsilon == b.epsilon;
    case Measure::erp: return a.gap.x == b.gap.x && a.gap.y == b.gap.y;
    case Measure::dtw: return a.band == b.band;
    default: return true;
  }
}

std::string list_of(const TripSource::Models& models) {
  std::vector<std::string> names;
  for (const auto& model : models) {
    names.push_back(
        fmt::format("'{}' ({})", printable(model->name()), measure_text(model->model())));
  }
  return names.empty() ? "there is no model"
                       : fmt::format("there are models {}", fmt::join(names, ", "));
}

// The model of that name; all of them where no name is asked for.
TripSource::Models named_in(const TripSource::Models& models, const std::string& name) {
  if (name.empty()) return models;
  for (const auto& model : models) {
    if (model->name() == name) return {model};
  }
  throw Error(ErrorCode::usage,
              fmt::format("there is no model '{}', {}", printable(name), list_of(models)),
              "choose one of these, or none", "model");
}

[[noreturn]] void throw_without_model(const RequestPlan& plan, const TripSource::Models& models) {
  if (plan.model) {
    throw Error(ErrorCode::usage,
                fmt::format("the model '{}' has not seen all trips yet, so that there is no {}",
                            printable(plan.model->name()), name_of(plan.mode)),
                "search with `mode=exact`, or add the model again, which goes on where it stopped",
                "mode");
  }
  const bool has_measure = std::any_of(models.begin(), models.end(), [&](const auto& model) {
    return model->model().measure == plan.chosen.measure;
  });
  throw Error(ErrorCode::usage,
              fmt::format("{} needs a model of {}{}, and {}", name_of(plan.mode),
                          name_of(plan.chosen.measure), has_measure ? " with these settings" : "",
                          list_of(models)),
              "search with `mode=exact`, or add such a model", "mode");
}

// A space that is not that of the trips.
void check_other(const Space& space, const Space& of_trips, const SearchRequest& request) {
  if (space.coordinates() != of_trips.coordinates()) {
    throw Error(ErrorCode::usage,
                fmt::format("the trips are {}, which cannot be measured in {} space",
                            name_of(of_trips.coordinates()), name_of(space.kind())),
                "choose a space for such coordinates", "space");
  }
  if (request.mode && *request.mode != SearchMode::exact) {
    throw Error(ErrorCode::usage,
                fmt::format("{} answers in the space of the trips alone", name_of(*request.mode)),
                "leave the mode out, or the space", "mode");
  }
}

void check(const SearchRequest& request) {
  if (request.k == 0) throw Error(ErrorCode::usage, "k must be at least 1", {}, "k");
  if (!(request.recall > 0 && request.recall <= 1)) {
    throw Error(ErrorCode::usage, fmt::format("a recall of {} cannot be promised", request.recall),
                "a recall is a share of the true nearest: above 0 and at most 1", "recall");
  }
  if (!request.within) return;
  if (!(*request.within >= 0) || !std::isfinite(*request.within)) {
    throw Error(ErrorCode::usage, fmt::format("{} is no distance", *request.within),
                "within takes a number from 0 on, in the unit of the measure", "within");
  }
  if (request.mode && *request.mode != SearchMode::exact) {
    throw Error(
        ErrorCode::usage,
        fmt::format("all within a distance are found by exact, not by {}", name_of(*request.mode)),
        "leave the mode out, or ask for the k nearest", "mode");
  }
}

}  // namespace

MeasureSettings settings_in(const Space& space, const Model& model) {
  MeasureSettings settings = model.measure_settings;
  if (model.measure == Measure::erp && model.space != space) {
    settings.gap = space.project(model.space.unproject(settings.gap));
  }
  return settings;
}

RequestPlan plan_of(const SearchRequest& request, const Space& space,
                    const TripSource::Models& models) {
  check(request);
  RequestPlan plan;
  ChosenMeasure& chosen = plan.chosen;
  chosen.space = request.space.value_or(space);
  const bool is_other_space = chosen.space != space;
  if (is_other_space) check_other(chosen.space, space, request);
  TripSource::Models usable = named_in(models, request.model);
  // Those that have seen all trips come first.
  std::stable_partition(usable.begin(), usable.end(),
                        [](const auto& model) { return model->is_complete(); });
  const bool is_by_model = request.mode.value_or(SearchMode::exact) != SearchMode::exact;
  // Where a model is needed and none has seen all trips, the error is about the first.
  if (!usable.empty() && (usable.front()->is_complete() || is_by_model)) {
    chosen.measure = usable.front()->model().measure;
  }
  if (request.measure) chosen.measure = *request.measure;
  if (request.settings) chosen.settings = *request.settings;
  if (!request.model.empty() && usable.front()->model().measure != chosen.measure) {
    throw Error(ErrorCode::usage,
                fmt::format("the model '{}' is of {}, not of {}", printable(request.model),
                            measure_text(usable.front()->model()), name_of(chosen.measure)),
                "leave out the measure or the model", "model");
  }
  for (const auto& model : usable) {
    if (is_other_space || model->model().measure != chosen.measure) continue;
    const MeasureSettings settings = settings_in(space, model->model());
    if (!request.settings && !plan.model) chosen.settings = settings;
    if (!is_same(chosen.measure, chosen.settings, settings)) continue;
    if (!plan.model) plan.model = model.get();
  }
  check_settings(chosen.measure, chosen.settings);
  const bool has_model = plan.model && plan.model->is_complete();
  plan.mode = request.mode.value_or(SearchMode::exact);
  if (plan.mode != SearchMode::exact && !has_model) throw_without_model(plan, models);
  if (!has_model) plan.model = nullptr;
  return plan;
}

SearchRequest completed(const SearchRequest& request, const TripSource& trips) {
  const RequestPlan plan = plan_of(request, trips.space(), trips.models());
  SearchRequest result = request;
  result.measure = plan.chosen.measure;
  result.space = plan.chosen.space;
  result.settings = plan.chosen.settings;
  result.mode = plan.mode;
  return result;
}

}  // namespace tsmini
