#include "data/provenance.h"

#include <limits>

#include <nlohmann/json.hpp>

namespace tsmini {
namespace {

using Json = nlohmann::ordered_json;

// Settings that are not what they would be anyway.
Json reading_of(const ReadOptions& read) {
  Json json = Json::object();
  if (read.format != Format::automatic) json["format"] = name_of(read.format);
  if (!read.columns.empty()) json["columns"] = read.columns;
  if (!read.time_format.empty()) json["time_format"] = read.time_format;
  if (!read.pattern.empty()) json["pattern"] = read.pattern;
  if (read.planar) json["planar"] = true;
  if (read.swap_lonlat) json["swap_lonlat"] = true;
  for (const Condition& condition : read.where) json["where"].push_back(text_of(condition));
  if (!read.cut_on.empty()) json["cut_on"] = read.cut_on;
  if (read.attributes) json["attributes"] = *read.attributes;
  return json;
}

void add_cleaning(const CleanOptions& clean, Json& json) {
  if (clean.keep_duplicates) json["keep_duplicates"] = true;
  if (clean.sort_by_time) json["sort_by_time"] = true;
  if (clean.max_speed) json["max_speed"] = *clean.max_speed;
  if (clean.thin) json["thin"] = *clean.thin;
  json["min_points"] = clean.min_points;
  if (clean.max_points != std::numeric_limits<std::size_t>::max()) {
    json["max_points"] = clean.max_points;
  }
  if (clean.min_length) json["min_length"] = *clean.min_length;
  if (clean.min_duration) json["min_duration"] = *clean.min_duration;
  if (const auto& box = clean.bbox) {
    json["bbox"] = {box->min_lon, box->min_lat, box->max_lon, box->max_lat};
  }
}

void add_cuts(const CutOptions& cut, Json& json) {
  if (cut.gap) json["cut_gap"] = *cut.gap;
  if (cut.stay) json["cut_stay"] = {cut.stay->metres, cut.stay->seconds};
  if (cut.length) json["cut_length"] = *cut.length;
}

void add_drawing(const ImportOptions& options, Json& json) {
  if (options.sample) json["sample"] = *options.sample;
  if (const auto& split = options.split) {
    json["split"] = {split->train, split->validation, split->test};
    json["split_order"] = split->random ? "random" : "file";
  }
}

// Points and tracks, each step by itself.
void add_counts(const ImportSummary& s, Json& json) {
  json["tracks"] = s.tracks;
  json["bad_records"] = s.bad_records;
  auto& dropped = json["dropped"] = Json::object();
  for (std::size_t i = 0; i < drop_count; ++i) {
    if (s.dropped[i] > 0) dropped[std::string(name_of(static_cast<Drop>(i)))] = s.dropped[i];
  }
  json["reversed"] = s.reversed;
  json["cut"] = s.cut;
  json["unwanted_points"] = s.unwanted_points;
  json["duplicate_points"] = s.duplicate_points;
  json["fast_points"] = s.fast_points;
  json["thinned_points"] = s.thinned_points;
  json["incomplete_times"] = s.incomplete_times;
  json["without_times"] = s.without_times;
}

Json columns_of(const ImportSummary& summary) {
  Json json = Json::object();
  for (const ColumnUse& use : summary.columns) {
    json[use.name] = {{"kept", use.kept}, {"changes", use.changes}};
  }
  return json;
}

}  // namespace

std::string provenance_of(const std::vector<std::filesystem::path>& inputs,
                          const ImportOptions& options, const PassResult& result) {
  const ImportSummary& summary = result.summary;
  Json json;
  for (const auto& input : inputs) json["inputs"].push_back(input.filename().string());
  for (const Origin& origin : result.origins) {
    auto provenance = Json::parse(origin.provenance, nullptr, false);
    if (provenance.is_discarded()) provenance = origin.provenance;
    json["from"].push_back({{"file", origin.file}, {"provenance", std::move(provenance)}});
  }
  json["formats"] = summary.formats;
  json["files"] = summary.files;
  if (summary.foreign_files > 0) {
    json["foreign_files"] = summary.foreign_files;
    json["foreign_examples"] = summary.foreign_examples;
  }
  Json steps = reading_of(options.read);
  add_cleaning(options.clean, steps);
  add_cuts(options.cut, steps);
  add_drawing(options, steps);
  json["options"] = std::move(steps);
  add_counts(summary, json);
  if (options.sample || (options.split && options.split->random)) json["seed"] = options.seed;
  if (!summary.columns.empty()) json["columns"] = columns_of(summary);
  constexpr auto replace = Json::error_handler_t::replace;
  return json.dump(-1, ' ', false, replace);
}

}  // namespace tsmini
