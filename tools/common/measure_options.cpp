#include "common/measure_options.h"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text.h"
#include "base/utf8.h"
#include "common/error_of.h"
#include "common/option_checks.h"
#include "common/pick_options.h"
#include "common/reach_note.h"
#include "common/shell_word.h"

namespace tsmini::cli {
namespace {

constexpr const char* group = "Measuring";

// Whether the origin of such a space is in the middle of what it was fitted to.
bool is_centred(SpaceKind kind) {
  return kind == SpaceKind::ground || kind == SpaceKind::zscore;
}

[[noreturn]] void refuse_for(std::string_view option, Measure measure, std::string_view whose) {
  throw Error(ErrorCode::usage,
              fmt::format("{} means nothing to the measure '{}'", option, name_of(measure)),
              fmt::format("it is for {}", whose));
}

Planar gap_from(std::string_view text) {
  const std::size_t comma = std::min(text.find(','), text.size());
  const auto x = number_from(text.substr(0, comma));
  const auto y = number_from(text.substr(std::min(comma + 1, text.size())));
  if (!x || !y || !std::isfinite(*x) || !std::isfinite(*y)) {
    throw Error(ErrorCode::usage, fmt::format("--gap: '{}' is not X,Y", printable(text)),
                "for example --gap=-120.5,80");
  }
  return {*x, *y};
}

// All spaces; which of them is the default is what space_kind_of() makes of no name.
std::string spaces_text() {
  std::vector<std::string> texts(space_kind_names.begin(), space_kind_names.end());
  texts[static_cast<std::size_t>(SpaceKind::ground)] += " (metres; default)";
  texts[static_cast<std::size_t>(SpaceKind::planar)] += " (default for planar data)";
  texts.back().insert(0, "or ");
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

void add_measure_name(CLI::App& verb, std::string& measure, const std::string& text) {
  verb.add_option("--measure", measure, text)
      ->transform(any_case())
      ->option_text("NAME")
      ->group(group);
}

void add_space_name(CLI::App& verb, std::string& space, const std::string& text) {
  verb.add_option("--space", space, text)->transform(any_case())->option_text("NAME")->group(group);
}

void add_space_name(CLI::App& verb, std::string& space) {
  add_space_name(verb, space, spaces_text());
}

void add_measure_settings(CLI::App& verb, MeasureOptions& options) {
  verb.add_option("--epsilon", options.epsilon,
                  "edr, lcss, which need it: how near two points must be to match, in the unit of "
                  "the space")
      ->option_text("DISTANCE")
      ->group(group);
  verb.add_option(
          "--gap", options.gap,
          "erp: what unmatched points are compared with, in the space (default: its origin or the "
          "data's centre)")
      ->option_text("X,Y")
      ->group(group);
  verb.add_option("--band", options.band, "dtw: how far the alignment may leave the diagonal")
      ->option_text("POINTS")
      ->group(group);
}

void add_measure_options(CLI::App& verb, MeasureOptions& options) {
  std::string names;
  for (const std::string_view name : measure_names) {
    names += fmt::format("{}{}{}", names.empty() ? "" : ", ", name,
                         name == options.measure ? " (default)" : "");
  }
  add_measure_name(verb, options.measure, names);
  add_space_name(verb, options.space);
  add_measure_settings(verb, options);
}

std::size_t MeasuredSet::find(std::string_view wanted) const {
  for (std::size_t i = 0; i < size(); ++i) {
    if (id(i) == wanted) return i;
  }
  throw Error(
      ErrorCode::bad_input,
      fmt::format("{}: no trajectory has the id '{}'", file, printable(wanted)),
      fmt::format("tsmini export {} --format tsv -o - | cut -f1 lists them", shell_word(file)));
}

bool has_settings(const MeasureOptions& options) {
  return options.epsilon || options.band || !options.gap.empty();
}

MeasureSettings settings_of(Measure measure, const MeasureOptions& options) {
  if (options.epsilon && measure != Measure::edr && measure != Measure::lcss) {
    refuse_for("--epsilon", measure, "edr and lcss");
  }
  if (!options.gap.empty() && measure != Measure::erp) refuse_for("--gap", measure, "erp");
  MeasureSettings settings;
  if (!options.gap.empty()) settings.gap = gap_from(options.gap);
  settings.epsilon = options.epsilon.value_or(0);
  settings.band = options.band;
  check_settings(measure, settings);
  return settings;
}

SpaceKind space_kind_of(const std::string& name, const Dataset& data) {
  if (!name.empty()) return space_kind_from(name);
  return data.info().coordinates == Coordinates::planar ? SpaceKind::planar : SpaceKind::ground;
}

Space fitted_space(SpaceKind kind, const Dataset& data, const std::string& file) {
  try {
    return Space::fit(kind, data);
  } catch (const Error& error) {
    throw error_of(file, error);
  }
}

Planar usual_gap(const Space& space, const Box& extent) {
  if (is_centred(space.kind())) return {};
  // Both axes rise on their own in the others, so that the middle lies between the corners.
  const Planar low = space.project({extent.min_lon, extent.min_lat});
  const Planar high = space.project({extent.max_lon, extent.max_lat});
  return {std::midpoint(low.x, high.x), std::midpoint(low.y, high.y)};
}

MeasureSetup::MeasureSetup(const MeasureOptions& options)
    : measure_(measure_from(options.measure)),
      settings_(settings_of(measure_, options)),
      gap_given_(!options.gap.empty()),
      space_name_(options.space) {
  if (!space_name_.empty()) space_kind_from(space_name_);  // before anything is opened
}

Space MeasureSetup::space_of(const Trips& trips) const {
  const bool is_own =
      trips.space && (space_name_.empty() || space_kind_from(space_name_) == trips.space->kind());
  return is_own ? *trips.space : fitted_space(space_kind(trips.data), trips.data, trips.file);
}

MeasuredSet MeasureSetup::load(const Trips& trips, const Picking& picking, const Console& console) {
  const auto& [file, data, own_space] = trips;
  const bool first = !space_;
  if (first) {
    coordinates_ = data.info().coordinates;
    space_ = space_of(trips);
    fitted_to_ = file;
  } else if (data.info().coordinates != coordinates_) {
    throw Error(ErrorCode::bad_input,
                fmt::format("the coordinates of {} are {}, those of {} are {}", file,
                            name_of(data.info().coordinates), fitted_to_, name_of(coordinates_)),
                "both must be of one kind to be measured in one space");
  }
  std::vector<std::size_t> indices = picked(trips, picking);
  check_reach(console, *space_, data, indices, file);
  PlanarSet points(data, *space_, indices);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (is_defined(measure_, points.length(i))) continue;
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: the measure 'edwp' needs two points, the trajectory '{}' has one",
                            file, data[indices[i]].id),
                "drop such trajectories at import (--min-points 2), or choose another measure");
  }
  if (first && !gap_given_ && !is_centred(space_->kind())) settings_.gap = points.origin();
  return {file, data, std::move(indices), std::move(points)};
}

}  // namespace tsmini::cli
