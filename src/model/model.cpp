#include "tsmini/model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/checksum.h"
#include "base/json.h"
#include "base/safetensors.h"
#include "base/utf8.h"
#include "data/tsd_format.h"
#include "model/json_fields.h"
#include "model/net_settings_json.h"

namespace tsmini {
namespace {

using Json = nlohmann::json;

constexpr std::string_view metadata_key = "tsmini", checksum_key = "tsmini.checksum";
constexpr std::size_t version = 1;

Json space_json(const Space& space) {
  return Json::parse(space.to_json());
}

Space space_field(const Json& object, const char* key) {
  return Space::from_json(object_field(object, key).dump());
}

Json settings_json(const MeasureSettings& settings) {
  return {{"epsilon", settings.epsilon},
          {"gap", {settings.gap.x, settings.gap.y}},
          {"band", settings.band ? Json(*settings.band) : Json(nullptr)}};
}

MeasureSettings settings_from(const Json& object) {
  MeasureSettings settings;
  settings.epsilon = number_field(object, "epsilon");
  settings.gap = point_field(object, "gap");
  if (!field(object, "band").is_null()) settings.band = count_field(object, "band");
  return settings;
}

FeatureFrame frame_from(const Json& object) {
  FeatureFrame frame{space_field(object, "space"), point_field(object, "low"),
                     point_field(object, "high")};
  const double width = frame.high.x - frame.low.x, height = frame.high.y - frame.low.y;
  if (!(width > 0 && height > 0 && std::isfinite(width) && std::isfinite(height))) {
    refuse_field("frame", "has a box without extent");
  }
  return frame;
}

// Whether distances of embeddings times this scale stay finite and above 0.
bool is_scale(double scale) {
  return scale >= Calibration::least_scale && scale <= Calibration::most_scale;
}
bool is_exponent(double exponent) {
  return exponent > 0 && exponent <= Calibration::most_exponent;
}

void read_description(std::string_view text, Model& model) {
  const Json json = strict_json(text, json_depth);
  if (!json.is_object()) refuse_field(metadata_key, "must be a JSON object");
  const std::size_t found = count_field(json, "version");
  if (found > version) {
    throw Error(
        ErrorCode::bad_input,
        fmt::format("the model has version {}, but this tsmini reads up to {}", found, version),
        "it was written by a newer tsmini; install that one");
  }
  if (found == 0) refuse_field("version", "must be 1 or more");
  model.net = net_settings_from(object_field(json, "net"));
  model.frame = frame_from(object_field(json, "frame"));
  model.measure = measure_from(text_field(json, "measure"));
  model.measure_settings = settings_from(object_field(json, "measure_settings"));
  check_settings(model.measure, model.measure_settings);
  model.space = space_field(json, "space");
  model.calibration.scale = number_field(json, "scale");
  if (json.contains("exponent")) model.calibration.exponent = number_field(json, "exponent");
  if (!is_scale(model.calibration.scale)) refuse_field("scale", "must be above 0");
  if (!is_exponent(model.calibration.exponent)) {
    refuse_field("exponent", "must be above 0, and 32 at most");
  }
  model.provenance = object_field(json, "provenance").dump();
}

std::string description_of(const Model& model) {
  const Json json = {
      {"version", version},
      {"net", json_of(model.net)},
      {"frame",
       {{"space", space_json(model.frame.space)},
        {"low", {model.frame.low.x, model.frame.low.y}},
        {"high", {model.frame.high.x, model.frame.high.y}}}},
      {"measure", name_of(model.measure)},
      {"measure_settings", settings_json(model.measure_settings)},
      {"space", space_json(model.space)},
      {"scale", model.calibration.scale},
      {"exponent", model.calibration.exponent},
      {"provenance", provenance_json(model.provenance)},
  };
  return json.dump();
}

// Values must be finite: load() takes no others, and save() writes none.
void check_values(const std::string& name, const std::vector<float>& values, ErrorCode code,
                  const std::string& hint) {
  const auto bad =
      std::find_if(values.begin(), values.end(), [](float v) { return !std::isfinite(v); });
  if (bad == values.end()) return;
  throw Error(
      code,
      fmt::format("tensor '{}' holds {} at {}", printable(name, 80), *bad, bad - values.begin()),
      hint);
}

// The checksum of all that makes the model, whatever the order and the offsets in its file.
std::string checksum_of(std::string_view description, const TensorViews& tensors) {
  Checksum sum;
  sum.piece(description);
  for (const auto& [name, tensor] : tensors) {
    sum.piece(name).piece(std::as_bytes(std::span(tensor.shape))).piece(tensor.bytes);
  }
  return sum.digits();
}

// Files of 0.1 have none, nor do those of programs that know nothing of it.
void check_checksum(const SafetensorsFile& file) {
  const auto given = file.metadata().find(checksum_key);
  if (given == file.metadata().end()) return;
  const std::string& description = file.metadata().find(metadata_key)->second;
  if (given->second == checksum_of(description, file.tensors())) return;
  throw Error(ErrorCode::bad_input, "is not as it was written: its checksum does not fit",
              fmt::format("copy or train it again; if it was changed on purpose, remove '{}' from "
                          "its metadata",
                          checksum_key));
}

[[noreturn]] void rethrow_for(const std::filesystem::path& path, const Error& error) {
  throw Error(ErrorCode::bad_input, fmt::format("{}: {}", path.string(), error.what()),
              error.hint());
}

// Refuses a data set and a folder in the place of a model: arguments are easily exchanged.
void check_is_no_data(const std::filesystem::path& path) {
  std::error_code unknown;
  const bool is_folder = std::filesystem::is_directory(path, unknown);
  std::array<char, tsd::kind.magic.size()> begin{};
  if (std::filesystem::is_regular_file(path, unknown)) {
    std::ifstream(path, std::ios::binary).read(begin.data(), begin.size());
  }
  if (!is_folder && begin != tsd::kind.magic) return;
  throw Error(
      ErrorCode::bad_input,
      fmt::format("{}: is a {}, not a model", path.string(), is_folder ? "folder" : "data set"),
      "a model is a .safetensors file; were two arguments exchanged?");
}

// The model but for its tensors; what is no model is refused.
Model described(const SafetensorsFile& file, const std::filesystem::path& path) {
  if (const auto format = file.metadata().find("format");
      format != file.metadata().end() && format->second.starts_with("tsmini rival")) {
    throw Error(ErrorCode::bad_input, fmt::format("{}: is a rival, not a model", path.string()),
                "use tsmini-rivals, which evaluates it and embeds with it");
  }
  const auto description = file.metadata().find(metadata_key);
  if (description == file.metadata().end()) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: is safetensors, but its metadata has no '{}'", path.string(),
                            metadata_key),
                "it must be a model that tsmini wrote");
  }
  Model model;
  try {
    read_description(description->second, model);
  } catch (const Error& error) {
    rethrow_for(path, error);
  }
  return model;
}

}  // namespace

Model Model::load_description(const std::filesystem::path& path) {
  check_is_no_data(path);
  return described(SafetensorsFile(path), path);
}

Model Model::load(const std::filesystem::path& path) {
  check_is_no_data(path);
  const SafetensorsFile file(path);
  Model model = described(file, path);
  try {
    check_checksum(file);
    for (const auto& [name, view] : file.tensors()) {
      Tensor tensor{view.shape, view.values()};
      check_values(name, tensor.values, ErrorCode::bad_input,
                   "the file is damaged or its training failed; copy or train it again");
      model.tensors.emplace(name, std::move(tensor));
    }
  } catch (const Error& error) {
    rethrow_for(path, error);
  }
  return model;
}

void Model::save(const std::filesystem::path& path) const {
  check_settings(net);
  check_settings(measure, measure_settings);
  if (!is_scale(calibration.scale) || !is_exponent(calibration.exponent)) {
    throw Error(ErrorCode::failure,
                fmt::format("{}: a model cannot have the scale {} and the exponent {}",
                            path.string(), calibration.scale, calibration.exponent),
                "its predictions do not grow with the distance; train it longer");
  }
  TensorViews views;
  for (const auto& [name, tensor] : tensors) {
    check_values(name, tensor.values, ErrorCode::failure,
                 "the training diverged; lower its rate of learning");
    views.emplace(name, TensorView{tensor.shape, std::as_bytes(std::span(tensor.values))});
  }
  const std::string description = description_of(*this);
  write_safetensors(path, views,
                    {{std::string(metadata_key), description},
                     {std::string(checksum_key), checksum_of(description, views)}});
}

std::string measure_text(const Model& model) {
  const MeasureSettings& settings = model.measure_settings;
  std::string text(name_of(model.measure));
  if (needs_epsilon(model.measure)) text += fmt::format(", epsilon {}", settings.epsilon);
  if (model.measure == Measure::dtw && settings.band)
    text += fmt::format(", band {}", *settings.band);
  return text;
}

}  // namespace tsmini
