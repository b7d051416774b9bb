#include "common/measure_options.h"

#include <cmath>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text.h"
#include "common/option_checks.h"
#include "common/part_option.h"
#include "common/reach_note.h"

namespace tsmini::cli {
namespace {

constexpr const char* group = "Measuring";

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

}  // namespace

void add_measure_choice(CLI::App& verb, MeasureOptions& options) {
  verb.add_option("--measure", options.measure,
                  "dtw, frechet (default), frechet-continuous, hausdorff, hausdorff-segment, edwp, "
                  "erp, edr, lcss, sspd")
      ->transform(any_case())
      ->option_text("NAME")
      ->group(group);
  verb.add_option("--space", options.space,
                  "ground (metres; default), mercator, zscore, or planar (default for planar data)")
      ->transform(any_case())
      ->option_text("NAME")
      ->group(group);
  verb.add_option("--epsilon", options.epsilon,
                  "edr, lcss, which need it: how near two points must be to match, in the unit of "
                  "the space")
      ->option_text("DISTANCE")
      ->group(group);
  verb.add_option("--gap", options.gap,
                  "erp: the point that unmatched ones are compared with (default: centre of the "
                  "data)")
      ->option_text("X,Y")
      ->group(group);
  verb.add_option("--band", options.band, "dtw: how far the alignment may leave the diagonal")
      ->option_text("POINTS")
      ->group(group);
}

void add_measure_options(CLI::App& verb, MeasureOptions& options) {
  add_measure_choice(verb, options);
  verb.add_option("--part", options.part, "Only trajectories of this part of the split")
      ->transform(any_case())
      ->option_text("train|validation|test")
      ->group(group);
}

std::size_t MeasuredSet::find(std::string_view wanted) const {
  for (std::size_t i = 0; i < size(); ++i) {
    if (id(i) == wanted) return i;
  }
  throw Error(ErrorCode::bad_input,
              fmt::format("{}: no trajectory has the id '{}'", file, printable(wanted)),
              fmt::format("tsmini export {} --format tsv -o - | cut -f1 lists them", file));
}

MeasureSetup::MeasureSetup(const MeasureOptions& options)
    : measure_(measure_from(options.measure)), gap_given_(!options.gap.empty()) {
  if (options.epsilon && measure_ != Measure::edr && measure_ != Measure::lcss) {
    refuse_for("--epsilon", measure_, "edr and lcss");
  }
  if (gap_given_ && measure_ != Measure::erp) refuse_for("--gap", measure_, "erp");
  if (gap_given_) settings_.gap = gap_from(options.gap);
  settings_.epsilon = options.epsilon.value_or(0);
  settings_.band = options.band;
  check_settings(measure_, settings_);
  if (!options.space.empty()) kind_ = space_kind_from(options.space);
  part_ = part_from(options.part);
}

MeasuredSet MeasureSetup::load(const std::string& file, const Console& console) {
  const Dataset data = Dataset::open(file);
  const bool first = !space_;
  if (first) {
    fit(data, file);
  } else if (data.info().coordinates != coordinates_) {
    throw Error(ErrorCode::bad_input,
                fmt::format("the coordinates of {} are {}, those of {} are {}", file,
                            name_of(data.info().coordinates), fitted_to_, name_of(coordinates_)),
                "both must be of one kind to be measured in one space");
  }
  std::vector<std::size_t> indices = selected(data, part_, file);
  check_reach(console, *space_, data, indices, file);
  PlanarSet points(data, *space_, indices);
  for (std::size_t i = 0; measure_ == Measure::edwp && i < points.size(); ++i) {
    if (points.length(i) >= 2) continue;
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: the measure 'edwp' needs two points, the trajectory '{}' has one",
                            file, data[indices[i]].id),
                "drop such trajectories at import (--min-points 2), or choose another measure");
  }
  const bool centred = space_->kind() == SpaceKind::ground || space_->kind() == SpaceKind::zscore;
  if (first && !gap_given_ && !centred) settings_.gap = points.origin();
  return {file, data, std::move(indices), std::move(points)};
}

SpaceKind MeasureSetup::space_kind(const Dataset& data) const {
  const bool planar = data.info().coordinates == Coordinates::planar;
  return kind_.value_or(planar ? SpaceKind::planar : SpaceKind::ground);
}

void MeasureSetup::fit(const Dataset& data, const std::string& file) {
  coordinates_ = data.info().coordinates;
  try {
    space_ = Space::fit(space_kind(data), data);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", file, error.what()), error.hint());
  }
  fitted_to_ = file;
}

}  // namespace tsmini::cli
