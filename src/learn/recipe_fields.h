// The settings of a recipe by name: how the command line, logs and model files speak of them.
//
//   Recipe recipe = recipe_for("default", Measure::dtw);
//   set_field(recipe, "net.layers", "2");
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "learn/recipe.h"

namespace tsmini::learn {

struct RecipeField {
  std::string_view name;
  std::string_view meaning;
};
const std::vector<RecipeField>& recipe_fields();

// Throws Error(usage) where there is no such setting or the value does not fit it.
void set_field(Recipe& recipe, std::string_view name, std::string_view value);
std::string field_value(const Recipe& recipe, std::string_view name);

}  // namespace tsmini::learn
