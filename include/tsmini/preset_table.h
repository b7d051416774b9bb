// What the presets differ in, read off the recipes themselves: for a page or a program that shows
// presets side by side, as docs/presets.md does.
//
//   const PresetTable table = preset_table();
//   for (const auto& row : table.rows) std::cout << row.setting << ": " << row.values[0] << '\n';
//
// Needs no data and no model: it makes the recipe of every preset and measure, once a setting.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tsmini/recipe.h"

namespace tsmini {

struct PresetTable {
  // Measures for which all presets are the same, by letters from A on.
  std::vector<std::vector<Measure>> groups;

  struct Row {
    std::string setting;
    std::string groups;  // "B, C"; "all"
    std::array<std::string, preset_names.size()> values;
    std::string meaning;
  };
  std::vector<Row> rows;  // a setting in which presets differ has one or more

  std::vector<std::pair<std::string, std::string>> same;  // settings in which none does, and values
};

PresetTable preset_table();

}  // namespace tsmini
