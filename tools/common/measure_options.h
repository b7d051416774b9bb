// What every verb that measures is asked: which measure, in which space, of which trajectories.
//
//   MeasureOptions options;
//   add_measure_options(verb, options);               // --measure --space --epsilon --gap …
//   …
//   MeasureSetup setup(options);                      // checks what was asked, opens nothing
//   MeasuredSet base = setup.load(base_trips, {}, console);          // the first fixes the space
//   MeasuredSet queries = setup.load(query_trips, picking, console);  // in the same space
//   double d = distance(setup.measure(), queries.points[0], base.points[0], setup.settings());
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "tsmini/dataset.h"
#include "tsmini/measure.h"
#include "tsmini/pick.h"
#include "tsmini/planar_set.h"
#include "tsmini/space.h"

#include "common/console.h"
#include "common/trips.h"

namespace tsmini::cli {

struct MeasureOptions {
  std::string measure = "frechet", space, gap;
  std::optional<double> epsilon;
  std::optional<std::size_t> band;
};
void add_measure_options(CLI::App& verb, MeasureOptions& options);

// The pieces, for a verb that has only some of them: --measure and --space, whose texts say what is
// usual, and --epsilon, --gap and --band.
void add_measure_name(CLI::App& verb, std::string& measure, const std::string& text);
void add_space_name(CLI::App& verb, std::string& space, const std::string& text);
// Adds --space with the text for a verb that asks space_kind_of() what is usual.
void add_space_name(CLI::App& verb, std::string& space);
void add_measure_settings(CLI::App& verb, MeasureOptions& options);

// Whether --epsilon, --gap or --band was given.
bool has_settings(const MeasureOptions& options);
// What they ask for; a gap that was not given is the origin. Throws Error(usage) for one that is
// wrong or does not fit the measure, or is needed and not there.
MeasureSettings settings_of(Measure measure, const MeasureOptions& options);

// The one of that name or, where it is empty, the usual one for such data: ground or planar.
SpaceKind space_kind_of(const std::string& name, const Dataset& data);
// Space::fit(), which names the file where the data do not fit the kind.
Space fitted_space(SpaceKind kind, const Dataset& data, const std::string& file);
// Where the gap point of erp is, unless told otherwise: in the middle of data of that extent.
Planar usual_gap(const Space& space, const Box& extent);

// Trips, or those of them that were asked for, ready to be measured.
struct MeasuredSet {
  std::string file;
  Dataset data;
  std::vector<std::size_t> indices;  // of the trajectories in the data set
  PlanarSet points;

  std::size_t size() const { return indices.size(); }
  std::string_view id(std::size_t index) const { return data[indices[index]].id; }
  // The first of this id. Throws Error(bad_input) where there is none.
  std::size_t find(std::string_view wanted) const;
};

class MeasureSetup {
 public:
  // Throws Error(usage) for options that are wrong or do not fit the measure.
  explicit MeasureSetup(const MeasureOptions& options);

  // The space of the first is a collection's own or fitted to all of its trips. Throws
  // Error(bad_input) where nothing is picked, the trips do not fit the space, or there is one that
  // the measure or the space cannot take; it names the id. Says where the space is not true to the
  // ground.
  MeasuredSet load(const Trips& trips, const Picking& picking, const Console& console);

  Measure measure() const { return measure_; }
  SpaceKind space_kind(const Dataset& data) const { return space_kind_of(space_name_, data); }
  // These two are complete after the first load().
  const MeasureSettings& settings() const { return settings_; }
  const Space& space() const { return *space_; }

 private:
  Space space_of(const Trips& trips) const;

  Measure measure_;
  MeasureSettings settings_;
  bool gap_given_;
  std::string space_name_;
  std::optional<Space> space_;
  std::string fitted_to_;  // the file
  Coordinates coordinates_ = Coordinates::degrees;
};

}  // namespace tsmini::cli
