#include "common/option_names.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "tsmini/error.h"

namespace tsmini::cli {
namespace {

// Options are called as the settings are, with hyphens.
constexpr std::array<std::string_view, 32> options = {
    "bbox",        "batch",      "columns",    "cut_gap",     "cut_length", "cut_stay",
    "device",      "duplicates", "epsilon",    "format",      "init",       "labels",
    "max_points",  "max_speed",  "min_points", "mode",        "on_error",   "other",
    "planar",      "rebox",      "restart",    "resume",      "sample",     "sort_by_time",
    "space",       "split",      "steps",      "swap_lonlat", "thin",       "threads",
    "time_budget", "time_format"};

// Settings of a recipe that have no option of their own.
bool is_of_recipe(std::string_view name) {
  return name == "rate" || name == "average" || name == "validations" || name == "augment_to" ||
         name.find('.') != std::string_view::npos;
}

struct Command {
  std::string_view call, words;
};
constexpr std::array<Command, 6> commands = {{{"import_files", "tsmini import"},
                                              {"create", "tsmini index"},
                                              {"add", "tsmini add"},
                                              {"add_model", "tsmini model add"},
                                              {"compact", "tsmini compact"},
                                              {"remove_model", "tsmini model remove"}}};

std::string words_for(const Mention& mention) {
  if (mention.is_call) {
    for (const Command& command : commands) {
      if (command.call == mention.name) return fmt::format("'{}'", command.words);
    }
    return "";
  }
  if (is_of_recipe(mention.name)) {
    return mention.value.empty() ? fmt::format("--set {}", mention.name)
                                 : fmt::format("--set {}={}", mention.name, mention.value);
  }
  if (mention.name == "skip_impossible" || mention.name == "missing_too") return "--on-error skip";
  if (std::find(options.begin(), options.end(), mention.name) == options.end()) return "";
  std::string option = fmt::format("--{}", mention.name);
  std::replace(option.begin(), option.end(), '_', '-');
  // A box may begin with a minus, as an option does.
  if (!mention.value.empty()) option += mention.name == "bbox" ? '=' : ' ';
  return option.append(mention.value);
}

}  // namespace

std::string in_options(std::string_view text) {
  return with_names(text, words_for);
}

}  // namespace tsmini::cli
