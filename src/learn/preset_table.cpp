#include "tsmini/preset_table.h"

#include <algorithm>

#include "tsmini/model_cost.h"
#include "tsmini/recipe.h"

#include "base/text.h"

namespace tsmini {
namespace {

using Values = std::array<std::string, preset_names.size()>;  // of one setting, a preset each

// A setting, and what it is for each measure.
struct Setting {
  std::string name, meaning;
  std::vector<Values> values;
};

template <class Show>
Setting setting_of(std::string_view name, std::string_view meaning, const Show& show) {
  Setting setting{std::string(name), std::string(meaning), {}};
  for (const Measure measure : all_measures) {
    Values& values = setting.values.emplace_back();
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = show(recipe_for(preset_names[i], measure));
    }
  }
  return setting;
}

std::vector<Setting> all_settings() {
  std::vector<Setting> all;
  for (const RecipeField& field : recipe_fields()) {
    all.push_back(setting_of(field.name, field.meaning, [&](const Recipe& recipe) {
      return field_value(recipe, field.name);
    }));
  }
  all.push_back(
      setting_of("(parameters)", "numbers that training finds, with these settings",
                 [](const Recipe& recipe) { return with_thousands(parameter_count(recipe.net)); }));
  return all;
}

// Places in all_measures, of measures that agree in every setting.
std::vector<std::vector<std::size_t>> groups_of(const std::vector<Setting>& settings) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t m = 0; m < all_measures.size(); ++m) {
    const auto agrees = [&](const std::vector<std::size_t>& group) {
      return std::all_of(settings.begin(), settings.end(), [&](const Setting& setting) {
        return setting.values[m] == setting.values[group.front()];
      });
    };
    const auto found = std::find_if(groups.begin(), groups.end(), agrees);
    if (found == groups.end()) {
      groups.push_back({m});
    } else {
      found->push_back(m);
    }
  }
  return groups;
}

bool differs(const Setting& setting) {
  return std::any_of(setting.values.begin(), setting.values.end(), [&](const Values& values) {
    return std::any_of(values.begin(), values.end(),
                       [&](const std::string& value) { return value != setting.values[0][0]; });
  });
}

// Groups with equal values share a row.
void add_rows(const Setting& setting, const std::vector<std::vector<std::size_t>>& groups,
              std::vector<PresetTable::Row>& rows) {
  const std::size_t first = rows.size();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Values& values = setting.values[groups[g].front()];
    const std::string letter(1, static_cast<char>('A' + g));
    const auto same =
        std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(),
                     [&](const PresetTable::Row& row) { return row.values == values; });
    if (same == rows.end()) {
      rows.push_back({setting.name, letter, values, setting.meaning});
    } else {
      same->groups += ", " + letter;
    }
  }
  if (rows.size() == first + 1) rows.back().groups = "all";
}

}  // namespace

PresetTable preset_table() {
  const std::vector<Setting> settings = all_settings();
  const auto groups = groups_of(settings);
  PresetTable table;
  for (const auto& group : groups) {
    auto& measures = table.groups.emplace_back();
    for (const std::size_t m : group) measures.push_back(all_measures[m]);
  }
  for (const Setting& setting : settings) {
    if (differs(setting)) {
      add_rows(setting, groups, table.rows);
    } else {
      table.same.emplace_back(setting.name, setting.values[0][0]);
    }
  }
  return table;
}

}  // namespace tsmini
