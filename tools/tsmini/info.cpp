#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tbb/info.h>

#include "tsmini/collection.h"
#include "tsmini/dataset.h"
#include "tsmini/map.h"
#include "tsmini/pair_engine.h"
#include "tsmini/simd.h"
#include "tsmini/version.h"

#include "base/amounts.h"
#include "base/json.h"
#include "base/text.h"
#include "common/console.h"
#include "common/document.h"
#include "common/outputs.h"
#include "common/pick_options.h"
#include "common/shown.h"
#include "drawing.h"
#include "gpu.h"
#include "info_attributes.h"
#include "info_collection.h"
#include "info_model.h"
#include "open_trips.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

struct InfoArguments {
  std::string file, map;
  bool verify = false;
  PickOptions picking;
};

void show_program(const CommonOptions& common) {
  const int threads = tbb::info::default_concurrency();
  const std::string gpu = gpu_name();
  if (common.json) {
    const nlohmann::ordered_json json = {{"version", version()},
                                         {"simd", simd_target()},
                                         {"threads", threads},
                                         {"gpu", gpu.empty() ? "none" : gpu}};
    print_document(json);
    return;
  }
  Table table;
  table.add("tsmini", std::string(version()));
  table.add("SIMD", std::string(simd_target()));
  table.add("threads", std::to_string(threads));
  const bool is_unused = gpu.empty() && std::filesystem::exists("/dev/nvidia0");
  table.add("GPU", is_unused     ? "NVIDIA, of which this build makes no use"
                   : gpu.empty() ? "none found"
                                 : gpu);
  fmt::print("{}", table.text());
}

// What is worth knowing of the lengths of trajectories.
struct PointCounts {
  double mean = 0;
  std::uint64_t least = 0, p10 = 0, median = 0, p90 = 0, most = 0;
};

PointCounts count_points(const Dataset& data) {
  if (data.size() == 0) return {};
  const auto offsets = data.offsets();
  std::vector<std::uint64_t> counts(data.size());
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = offsets[i + 1] - offsets[i];
  std::sort(counts.begin(), counts.end());
  const auto at = [&](std::size_t percent) { return counts[(counts.size() - 1) * percent / 100]; };
  return {static_cast<double>(data.point_count()) / static_cast<double>(data.size()),
          counts.front(),
          at(10),
          at(50),
          at(90),
          counts.back()};
}

// First and last moment of all trajectories with times; nothing where there are none.
struct TimeSpan {
  bool any = false;
  std::int64_t first = 0, last = 0;
};

TimeSpan time_span(const Dataset& data) {
  TimeSpan span;
  if (!data.info().has_times) return span;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const Trajectory t = data[i];
    if (!t.has_times()) continue;
    span.first = span.any ? std::min(span.first, t.times.front()) : t.times.front();
    span.last = span.any ? std::max(span.last, t.times.back()) : t.times.back();
    span.any = true;
  }
  return span;
}

struct PartCount {
  Part part;
  std::uint64_t count = 0;
};

// Trips without a part come last.
std::array<PartCount, part_names.size()> count_parts(const Dataset& data) {
  std::array<PartCount, part_names.size()> counts{
      {{Part::train}, {Part::validation}, {Part::test}, {Part::none}}};
  for (PartCount& of : counts) of.count = data.indices_of(of.part).size();
  return counts;
}

void print_json(const Dataset& data, const InfoArguments& a) {
  const DatasetInfo& info = data.info();
  const PointCounts points = count_points(data);
  nlohmann::ordered_json json;
  json["file"] = a.file;
  if (!is_collection(a.file)) json["bytes"] = std::filesystem::file_size(a.file);
  json["trajectories"] = data.size();
  json["points"] = data.point_count();
  json["points_per_trajectory"] = {{"mean", points.mean}, {"min", points.least},
                                   {"p10", points.p10},   {"median", points.median},
                                   {"p90", points.p90},   {"max", points.most}};
  json["coordinates"] = name_of(info.coordinates);
  json["extent"] = {info.extent.min_lon, info.extent.min_lat, info.extent.max_lon,
                    info.extent.max_lat};
  const TimeSpan span = time_span(data);
  json["times"] = span.any ? nlohmann::ordered_json{{"first", span.first}, {"last", span.last}}
                           : nlohmann::ordered_json(nullptr);
  json["split"] = nullptr;
  if (info.has_split) {
    for (const PartCount& of : count_parts(data)) {
      json["split"][std::string(name_of(of.part))] = of.count;
    }
  }
  json["attributes"] = attributes_json(data);
  json["verified"] = a.verify;
  json["provenance"] = json_or_text(info.provenance);
  print_document(json);
}

// The size of a file; that of a collection, only some of whose trips are spoken of, would tell
// nothing.
std::string size_text(const std::string& file) {
  if (is_collection(file)) return "";
  return ", " + human_bytes(static_cast<double>(std::filesystem::file_size(file)));
}

void print_table(const Dataset& data, const InfoArguments& a) {
  const DatasetInfo& info = data.info();
  const PointCounts points = count_points(data);
  Table table;
  table.add(is_collection(a.file) ? "collection" : "file", shown(a.file) + size_text(a.file));
  table.add("trajectories", with_thousands(data.size()));
  table.add("points", with_thousands(data.point_count()));
  table.add("points a trajectory",
            fmt::format("mean {}; min {}, 10 % {}, median {}, 90 % {}, max {}",
                        human_number(points.mean), with_thousands(points.least),
                        with_thousands(points.p10), with_thousands(points.median),
                        with_thousands(points.p90), with_thousands(points.most)));
  const Box& box = info.extent;
  table.add("extent", info.coordinates == Coordinates::degrees
                          ? fmt::format("lon {} to {}, lat {} to {}", box.min_lon, box.max_lon,
                                        box.min_lat, box.max_lat)
                          : fmt::format("x {} to {}, y {} to {} (planar)", box.min_lon, box.max_lon,
                                        box.min_lat, box.max_lat));
  const TimeSpan span = time_span(data);
  table.add("times",
            span.any ? fmt::format("{} to {}", iso_time(span.first), iso_time(span.last)) : "none");
  if (info.has_split) {
    std::vector<std::string> parts;
    for (const auto& [part, count] : count_parts(data)) {
      const std::string_view name = part == Part::none ? "rest" : name_of(part);
      parts.push_back(fmt::format("{} {}", name, with_thousands(count)));
    }
    table.add("split", fmt::format("{}", fmt::join(parts, ", ")));
  } else {
    table.add("split", "none");
  }
  add_attributes(data, table);
  table.add("provenance", shown(info.provenance));
  if (a.verify) table.add("verified", "all sections are as they were written");
  fmt::print("{}", table.text());
}

void show_trips(const InfoArguments& a, const CommonOptions& common) {
  const Console console(common.quiet);
  const Picking picking = picking_of(a.picking);
  check_outputs({a.file, a.picking.ids_from}, {a.map});
  const Trips trips = open_trips(a.file, console);
  if (a.verify) trips.is_collection() ? Collection::open(a.file).verify() : trips.data.verify();
  const Dataset data = picked_data(trips, picking);
  if (!a.map.empty()) {  // first: where it cannot be drawn, nothing is printed
    Map map;
    map.title = std::filesystem::path(a.file).filename().string();
    map.ground = data;
    draw_to(a.map, map, console);
  }
  if (trips.is_collection() && picking.is_everything()) {
    return show_collection(a.file, a.verify, common.json);
  }
  if (common.json) {
    print_json(data, a);
  } else {
    print_table(data, a);
  }
}

}  // namespace

void add_info(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<InfoArguments>();
  CLI::App* verb =
      app.add_subcommand("info", "Describe a data set, a model or a collection, draw it, check it");
  verb->footer(
      "Without FILE: version, SIMD target, threads and GPU of this program and machine.\n"
      "Of picked trips it tells what it would of a data set of them.\n"
      "Examples:\n"
      "  tsmini info city.tsd --map city.svg\n"
      "  tsmini info city.tsd --part test --bbox=-8.66,41.13,-8.56,41.18");
  verb->add_option("FILE", a->file, "A data set (.tsd), a model (.safetensors) or a collection")
      ->option_text("[FILE]");
  verb->add_option("--map", a->map, "Draw the trips (.svg, .png or .html)")->option_text("OUT");
  verb->add_flag("--verify", a->verify, "Read and check every byte");
  add_pick_options(*verb, a->picking);
  add_common(*verb, common, Reports::yes);
  verb->callback([a, &common] {
    const bool is_whole = a->map.empty() && picking_of(a->picking).is_everything();
    if (a->file.empty() && is_whole && !a->verify) return show_program(common);
    if (a->file.empty()) {
      throw CLI::RequiredError(a->verify         ? "--verify needs FILE, which"
                               : !a->map.empty() ? "--map needs FILE, which"
                                                 : "picking needs FILE, which");
    }
    if (is_whole && is_model_file(a->file)) return show_model(a->file, common.json);
    if (is_whole && is_collection(a->file)) {
      return show_collection(a->file, a->verify, common.json);
    }
    show_trips(*a, common);
  });
}

}  // namespace tsmini::cli
