#include "data/provenance.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

#include "base/enum_names.h"
#include "base/json.h"
#include "data/import_json.h"

namespace tsmini {
namespace {

using Json = nlohmann::ordered_json;

// Settings that differ from their defaults.
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
  if (read.unique_ids) json["unique_ids"] = true;
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
    json["split_order"] = name_in(split_order_names, split->random);
  }
}

// Where it lies is left out: the same files make the same data set anywhere.
std::string name_of(const std::filesystem::path& input) {
  const bool has_slash = !input.has_filename();
  return (has_slash ? input.parent_path() : input).filename().string();
}

Json names_of(const std::vector<ForeignFile>& foreign) {
  constexpr std::size_t enough = 5;
  Json names = Json::array();
  for (const ForeignFile& file : std::span(foreign).first(std::min(enough, foreign.size()))) {
    names.push_back(name_of(file.path));
  }
  return names;
}

// A step that took nothing away is left out.
void leave_out_nothing(Json& json) {
  for (auto entry = json.begin(); entry != json.end();) {
    if (entry.key() == "dropped") leave_out_nothing(*entry);
    const bool is_nothing = entry->empty() || (entry->is_number() && *entry == 0);
    entry = is_nothing ? json.erase(entry) : std::next(entry);
  }
}

}  // namespace

std::string provenance_of(const std::vector<std::filesystem::path>& inputs,
                          const ImportOptions& options, const PassResult& result) {
  Json json;
  for (const auto& input : inputs) json["inputs"].push_back(name_of(input));
  for (const Origin& origin : result.origins) {
    json["from"].push_back(
        {{"file", origin.file}, {"provenance", json_or_text(origin.provenance)}});
  }
  Json steps = reading_of(options.read);
  add_cleaning(options.clean, steps);
  add_cuts(options.cut, steps);
  add_drawing(options, steps);
  json["options"] = std::move(steps);
  Json counts = counts_json(result.summary);
  counts["foreign"] = names_of(result.summary.foreign);
  leave_out_nothing(counts);
  json.update(counts);
  if (options.sample || (options.split && options.split->random)) json["seed"] = options.seed;
  constexpr auto replace = Json::error_handler_t::replace;
  return json.dump(-1, ' ', false, replace);
}

}  // namespace tsmini
