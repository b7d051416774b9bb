#include "model_facts.h"

#include <fmt/format.h>

#include "tsmini/model.h"

#include "base/amounts.h"
#include "base/text.h"
#include "base/utf8.h"
#include "common/option_names.h"
#include "common/shell_word.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

double share_of(std::uint64_t part, std::uint64_t trips) {
  return trips == 0 ? 0 : static_cast<double>(part) / static_cast<double>(trips);
}

// "12 trips (0.3 %)"
std::string trips_text(std::uint64_t part, std::uint64_t trips) {
  return fmt::format("{} ({})", counted(part, "trip"), human_share(share_of(part, trips)));
}

}  // namespace

std::uint64_t unseen_by(const CollectionModel& model, std::uint64_t trips) {
  const std::uint64_t seen = model.indexed - model.removed + model.tail + model.unfit;
  return trips > seen ? trips - seen : 0;
}

bool is_outgrown(const CollectionModel& model, std::uint64_t trips) {
  const double share = share_of(model.unfit, trips);
  return share >= 0.05 || (share >= 0.01 && model.unfit >= 100);
}

std::string model_text(const CollectionModel& model, std::uint64_t trips) {
  std::string text = fmt::format("{}: {}, {} of {}", printable(model.name),
                                 measure_text(*model.model), name_of(model.model->net.metric.kind),
                                 counted(model.model->net.dimension, "dimension"));
  if (!model.is_complete) {
    text += fmt::format("; has not seen {} yet", trips_text(unseen_by(model, trips), trips));
  }
  if (model.unfit > 0) {
    text += fmt::format("; {} are more than it can take and are searched exactly",
                        trips_text(model.unfit, trips));
  }
  return text;
}

std::string index_text(const CollectionModel& model) {
  if (!model.index) return "none, all trips are scanned";
  std::string text = fmt::format("{} of {}", name_of(*model.index), counted(model.indexed, "trip"));
  if (model.removed > 0) text += fmt::format(", {} of them removed", with_thousands(model.removed));
  if (model.tail > 0) text += fmt::format(", {} more are scanned", with_thousands(model.tail));
  return text;
}

Json index_json(const CollectionModel& model) {
  return {{"kind", model.index ? Json(name_of(*model.index)) : Json(nullptr)},
          {"trips", model.indexed},
          {"removed", model.removed},
          {"tail", model.tail}};
}

Json model_json(const CollectionModel& model, std::uint64_t trips) {
  Json json = {
      {"name", model.name},
      {"measure", name_of(model.model->measure)},
      {"metric", name_of(model.model->net.metric.kind)},
      {"dimension", model.model->net.dimension},
      {"complete", model.is_complete},
      {"unseen", unseen_by(model, trips)},
      {"unfit", model.unfit},
      {"unfit_share", share_of(model.unfit, trips)},
      {"outgrown", is_outgrown(model, trips)},
      {"index", index_json(model)},
      {"judgement", model.judgement ? Json::parse(model.judgement->to_json()) : Json(nullptr)}};
  const bool has_epsilon =
      model.model->measure == Measure::edr || model.model->measure == Measure::lcss;
  if (has_epsilon) json["epsilon"] = model.model->measure_settings.epsilon;
  return json;
}

std::vector<std::string> notes_of(const Collection& collection) {
  std::vector<std::string> notes = collection.notes();
  for (std::string& note : notes) note = in_options(note);
  return notes;
}

std::vector<std::string> notes_on(const Collection& collection,
                                  std::span<const CollectionModel> models, std::uint64_t trips) {
  std::vector<std::string> notes = notes_of(collection);
  const std::string folder = shell_word(collection.folder().string());
  for (const CollectionModel& model : models) {
    const std::string name = printable(model.name);
    if (!model.is_complete) {
      notes.push_back(
          fmt::format("the model '{}' has not seen all trips; unless somebody is adding it now, "
                      "'tsmini model add {} MODEL' with the same file goes on",
                      name, folder));
    }
    if (!is_outgrown(model, trips)) continue;
    notes.push_back(fmt::format(
        "the trips have outgrown the model '{}': {} are more than it can take, and every search by "
        "it measures them besides; train another on trips of today ('tsmini train DATA -o NEW "
        "--init OLD --rebox'), then 'tsmini model add {} NEW' and 'tsmini model remove {} {}'",
        name, trips_text(model.unfit, trips), folder, folder, shell_word(model.name)));
  }
  return notes;
}

}  // namespace tsmini::cli
