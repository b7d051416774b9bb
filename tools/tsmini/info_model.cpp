#include "info_model.h"

#include <array>
#include <fstream>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/model.h"
#include "tsmini/model_cost.h"

#include "base/amounts.h"
#include "common/console.h"
#include "common/distance_text.h"
#include "common/document.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string_view> pool_names(const NetSettings& net) {
  std::vector<std::string_view> names;
  for (const Pool pool : net.pooling) names.push_back(name_of(pool));
  return names;
}

Json measure_settings_json(const Model& model) {
  const MeasureSettings& settings = model.measure_settings;
  Json json = Json::object();
  if (model.measure == Measure::edr || model.measure == Measure::lcss) {
    json["epsilon"] = settings.epsilon;
  }
  if (model.measure == Measure::erp) json["gap"] = {settings.gap.x, settings.gap.y};
  if (settings.band) json["band"] = *settings.band;
  return json;
}

void print_json(const Model& model, const std::string& file) {
  const Box box = model.frame.box();
  Json json;
  json["file"] = file;
  json["bytes"] = std::filesystem::file_size(file);
  json["measure"] = name_of(model.measure);
  json["measure_settings"] = measure_settings_json(model);
  json["space"] = Json::parse(model.space.to_json());
  json["unit"] = unit_json(model.measure, model.space.kind());
  json["metric"] = name_of(model.net.metric.kind);
  json["pooling"] = pool_names(model.net);
  json["parameters"] = parameter_count(model);
  json["net"] = Json::parse(to_json(model.net));
  json["box"] = {box.min_lon, box.min_lat, box.max_lon, box.max_lat};
  json["scale"] = model.calibration.scale;
  json["exponent"] = model.calibration.exponent;
  json["provenance"] = Json::parse(model.provenance);
  print_document(json);
}

std::string metric_text(const NetSettings& net) {
  return fmt::format("{}{}, {}{}", name_of(net.metric.kind),
                     net.metric.kind == MetricKind::chebyshev
                         ? fmt::format(" in groups of {}", net.metric.group)
                         : "",
                     counted(net.dimension, "dimension"), net.unit_norm ? ", of length 1" : "");
}

std::string network_text(const NetSettings& net) {
  std::string text =
      net.sub_views ? "sub-views" : fmt::format("grid cells of {} m", net.cell_metres);
  if (net.fourier_octaves > 0) text += ", " + counted(net.fourier_octaves, "Fourier octave");
  text += fmt::format(", {}, {}", counted(net.layers, fmt::format("{} block", name_of(net.block))),
                      counted(net.heads, "head"));
  if (net.key_heads != net.heads) text += fmt::format(" ({} of keys)", net.key_heads);
  return text + fmt::format(", hidden {}", net.hidden);
}

void print_table(const Model& model, const std::string& file) {
  const Json settings = measure_settings_json(model);
  const Box box = model.frame.box();
  const bool degrees = model.frame.space.kind() != SpaceKind::planar;
  Table table;
  table.add("file",
            fmt::format("{}, {}", file,
                        human_bytes(static_cast<double>(std::filesystem::file_size(file)))));
  table.add("measure", fmt::format("{}{}", name_of(model.measure),
                                   settings.empty() ? "" : " " + settings.dump()));
  table.add("space", model.space.to_json());
  table.add("metric", metric_text(model.net));
  table.add("pooling", fmt::format("{}", fmt::join(pool_names(model.net), ", ")));
  table.add("network", network_text(model.net));
  table.add("parameters", with_thousands(parameter_count(model)));
  table.add("box", degrees ? fmt::format("lon {:.6f} to {:.6f}, lat {:.6f} to {:.6f}", box.min_lon,
                                         box.max_lon, box.min_lat, box.max_lat)
                           : fmt::format("x {} to {}, y {} to {} (planar)", box.min_lon,
                                         box.max_lon, box.min_lat, box.max_lat));
  const std::string_view unit = unit_of(model.measure, model.space.kind());
  table.add(
      "calibration",
      fmt::format("{} · distance^{}{}{}", human_number(model.calibration.scale, 6),
                  human_number(model.calibration.exponent, 4), unit.empty() ? "" : " ", unit));
  table.add("provenance", model.provenance);
  fmt::print("{}", table.text());
}

}  // namespace

bool is_model_file(const std::filesystem::path& path) {
  if (path.extension() == ".safetensors") return true;
  std::array<char, 9> start{};
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), start.size());
  // A length of a few bytes, then JSON.
  return file.gcount() == start.size() && start[5] == 0 && start[6] == 0 && start[7] == 0 &&
         start[8] == '{';
}

void show_model(const std::string& file, bool json) {
  const Model model = Model::load(file);
  if (json) {
    print_json(model, file);
  } else {
    print_table(model, file);
  }
}

}  // namespace tsmini::cli
