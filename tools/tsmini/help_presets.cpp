#include "help_presets.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tsmini/preset_table.h"

namespace tsmini::cli {
namespace {

using Line = std::vector<std::string>;

std::string as_markdown(const std::vector<Line>& lines) {
  std::vector<std::size_t> widths(lines.front().size(), 3);
  for (const Line& line : lines) {
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
      widths[i] = std::max(widths[i], line[i].size());
    }
  }
  std::string text;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
      text += fmt::format("| {:<{}} ", lines[n][i], widths[i]);
    }
    text += fmt::format("| {} |\n", lines[n].back());
    if (n > 0) continue;
    for (const std::size_t width : widths) text += fmt::format("|{:-<{}}", "", width + 2);
    text += "|\n";
  }
  return text;
}

std::string measures_text(const PresetTable& table) {
  std::string text = "Measures:";
  for (std::size_t g = 0; g < table.groups.size(); ++g) {
    std::vector<std::string_view> names;
    for (const Measure measure : table.groups[g]) names.push_back(name_of(measure));
    text += fmt::format("\n- {}: {}", static_cast<char>('A' + g), fmt::join(names, ", "));
  }
  return text;
}

}  // namespace

std::string presets_page() {
  const PresetTable table = preset_table();
  std::vector<Line> lines{{"setting", "measures"}};
  for (const std::string_view name : preset_names) lines[0].emplace_back(name);
  lines[0].emplace_back("what it is");
  for (const auto& row : table.rows) {
    Line& line = lines.emplace_back(Line{row.setting, row.groups});
    line.insert(line.end(), row.values.begin(), row.values.end());
    line.push_back(row.meaning);
  }
  std::string same;
  for (const auto& [name, value] : table.same) {
    same += fmt::format("- {} = {}\n", name, value);
  }
  return fmt::format("{}\n{}\n\nThe same in all three:\n{}", as_markdown(lines),
                     measures_text(table), same);
}

}  // namespace tsmini::cli
