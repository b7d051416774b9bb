#include "data/import_json.h"

#include <cstddef>
#include <string>

namespace tsmini {

using Json = nlohmann::ordered_json;

nlohmann::ordered_json counts_json(const ImportSummary& s) {
  Json json = {{"formats", s.formats},
               {"files", s.files},
               {"foreign_files", s.foreign_files},
               {"tracks", s.tracks},
               {"bad_records", s.bad_records},
               {"dropped", Json::object()},
               {"swapped_in_box", s.swapped_in_box},
               {"reversed", s.reversed},
               {"cut", s.cut},
               {"unwanted_points", s.unwanted_points},
               {"duplicate_points", s.duplicate_points},
               {"fast_points", s.fast_points},
               {"thinned_points", s.thinned_points},
               {"incomplete_times", s.incomplete_times},
               {"without_times", s.without_times},
               {"repeated_ids", s.repeated_ids},
               {"columns", Json::object()}};
  for (std::size_t i = 0; i < drop_count; ++i) {
    json["dropped"][std::string(key_of(static_cast<Drop>(i)))] = s.dropped[i];
  }
  for (const ColumnUse& use : s.columns) {
    json["columns"][use.name] = {{"kept", use.kept}, {"changes", use.changes}};
  }
  return json;
}

std::string to_json(const ImportSummary& summary) {
  constexpr auto replace = nlohmann::ordered_json::error_handler_t::replace;
  return counts_json(summary).dump(-1, ' ', false, replace);
}

}  // namespace tsmini
