#include "common/pick_options.h"

#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/amounts.h"
#include "base/enum_names.h"
#include "base/utf8.h"
#include "common/error_of.h"
#include "common/id_list.h"
#include "common/option_checks.h"
#include "common/shell_word.h"
#include "common/values.h"

namespace tsmini::cli {
namespace {

constexpr NameList parts = NameList(part_names).subspan(1);  // but for none

}  // namespace

std::string picking_text(const Picking& picking) {
  std::vector<std::string> asked;
  if (!picking.ids.empty()) asked.emplace_back("the ids named");
  if (picking.part) asked.push_back(fmt::format("--part {}", name_of(*picking.part)));
  for (const Condition& condition : picking.where) {
    asked.push_back(fmt::format("--where '{}'", printable(text_of(condition))));
  }
  if (const auto& box = picking.box) {
    asked.push_back(
        fmt::format("--bbox={},{},{},{}", box->min_lon, box->min_lat, box->max_lon, box->max_lat));
  }
  if (picking.limit) asked.push_back(fmt::format("--limit {}", *picking.limit));
  return fmt::format("{}", fmt::join(asked, ", "));
}

std::string typed_again(const PickOptions& options) {
  std::string text;
  for (const std::string& id : options.ids) text += " --id " + shell_word(id);
  if (!options.ids_from.empty()) text += " --ids-from " + shell_word(options.ids_from);
  if (!options.part.empty()) text += " --part " + shell_word(options.part);
  if (!options.bbox.empty()) text += " --bbox=" + shell_word(options.bbox);
  for (const std::string& where : options.where) text += " --where " + shell_word(where);
  if (options.limit) text += fmt::format(" --limit {}", *options.limit);
  return text;
}

namespace {

constexpr const char* pick_group = "Picking";

CLI::Option* add_repeated(CLI::App& verb, const char* name, std::vector<std::string>& values,
                          const char* text) {
  return verb.add_option(name, values, text)->type_size(1)->allow_extra_args(false);
}

[[noreturn]] void refuse_empty(const Trips& trips, const Picking& picking) {
  std::string what = fmt::format("none of its {} fits {}", counted(trips.data.size(), "trajectory"),
                                 picking_text(picking));
  std::string hint = fmt::format("tsmini info {} shows where they are and what is known of them",
                                 shell_word(trips.file));
  if (trips.data.size() == 0) {
    what = "there are no trajectories";
    hint = trips.is_collection() ? "tsmini add fills a collection"
                                 : "check what the import dropped, and why";
  } else if (picking.part && trips.data.indices_of(*picking.part).empty()) {
    what = fmt::format("no trajectory is marked '{}'", name_of(*picking.part));
    hint = "tsmini info shows the split; tsmini import --split marks one";
  }
  throw Error(ErrorCode::bad_input, fmt::format("{}: {}", trips.file, what), hint);
}

}  // namespace

CLI::Option* add_where(CLI::App& verb, std::vector<std::string>& where) {
  return add_repeated(
             verb, "--where", where,
             "Only trips with such an attribute: taxi=17, also != < <= > >=; again for more")
      ->option_text("COLUMN=VALUE");
}

void add_pick_options(CLI::App& verb, PickOptions& options, const PickWords& words) {
  add_repeated(verb, "--id", options.ids, "Only the trip of this id; again for more")
      ->option_text("ID")
      ->group(pick_group);
  verb.add_option("--ids-from", options.ids_from,
                  "Only trips of a file of ids, one a line; - is stdin")
      ->option_text("FILE")
      ->group(pick_group);
  verb.add_option("--part", options.part, words.part)
      ->transform(any_case())
      ->option_text(fmt::format("{}|all", fmt::join(parts, "|")))
      ->group(pick_group);
  if (words.has_bbox) {
    verb.add_option("--bbox", options.bbox, "Only trips that lie inside")
        ->option_text("MINLON,MINLAT,MAXLON,MAXLAT")
        ->group(pick_group);
  }
  if (words.has_where) add_where(verb, options.where)->group(pick_group);
  verb.add_option("--limit", options.limit, words.limit)
      ->check(at_least(1))
      ->option_text("N")
      ->group(pick_group);
}

std::optional<Part> part_from(const std::string& name) {
  if (name.empty() || name == "all") return {};
  if (const auto part = value_in<Part>(part_names, name); part && part != Part::none) return part;
  throw Error(ErrorCode::usage, fmt::format("--part: '{}' is not a part", printable(name)),
              fmt::format("the parts are {}; all means every trip", listed(parts, "and")));
}

std::vector<Condition> conditions_from(const std::vector<std::string>& texts) {
  std::vector<Condition> conditions;
  for (const std::string& text : texts) {
    try {
      conditions.push_back(condition_from(text));
    } catch (const Error& error) {
      throw error.with_message(fmt::format("--where: {}", error.what()));
    }
  }
  return conditions;
}

Picking picking_of(const PickOptions& options) {
  Picking picking{.ids = options.ids, .part = part_from(options.part), .limit = options.limit};
  if (!options.bbox.empty()) picking.box = box_from(options.bbox);
  picking.where = conditions_from(options.where);
  if (!options.ids_from.empty()) {
    for (std::string& id : ids_from_file(options.ids_from)) picking.ids.push_back(std::move(id));
  }
  return picking;
}

Picking of_both(const Picking& picking) {
  return {.ids = {}, .part = picking.part};
}

std::vector<std::size_t> picked(const Trips& trips, const Picking& picking) {
  if (trips.is_collection() && !picking.where.empty() && trips.data.attributes().empty()) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: this collection keeps no attributes of its trips", trips.file),
                "pick with --where from the data set that it was made of");
  }
  std::vector<std::size_t> indices;
  try {
    indices = pick(trips.data, picking);
  } catch (const Error& error) {
    throw error_of(trips.file, error);
  }
  if (indices.empty()) refuse_empty(trips, picking);
  return indices;
}

Dataset picked_data(const Trips& trips, const Picking& picking) {
  if (picking.is_everything()) return trips.data;
  return subset(trips.data, picked(trips, picking));
}

}  // namespace tsmini::cli
