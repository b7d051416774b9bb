// What the verbs share that look at all trips of a data set or collection at once: duplicates,
// cluster, outliers. They run with no option but the data, and tell what they assumed.
//
//   Finding finding(*verb, options, common);               // opens, picks, projects
//   finding.assume("radius 143 m, the knee of …");
//   …
//   if (finding.draws()) finding.draw("12 clusters", route_lines(routes));
//   finding.write(table, facts, text, work);               // -o, or --json on standard output
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "tsmini/map.h"
#include "tsmini/neighbour_search.h"

#include "common/assumptions.h"
#include "common/common_options.h"
#include "common/console.h"
#include "common/laps.h"
#include "common/measure_options.h"
#include "common/pick_options.h"
#include "common/trip_table.h"

namespace tsmini::cli {

struct FindingOptions {
  std::string data, output, map;
  MeasureOptions measure;
  PickOptions picking;
  std::size_t top = 10;
};

// DATA, -o, --map, --top; what is measured and picked. `output` says what -o writes.
void add_finding_options(CLI::App& verb, FindingOptions& options, const std::string& output,
                         const std::string& top);

// What was found, as rows and as facts: the table for people on standard output, unless --json
// (`json`) asks for facts. With -o (`output`) the rows go there, and --json is a report of the
// facts; without, --json has both.
void write_found(const TripTable& rows, nlohmann::ordered_json facts, const std::string& for_people,
                 const std::string& output, bool json, const Laps& laps, const Console& console);

class Finding {
 public:
  // Throws before anything is opened where an output cannot be written or is an input.
  Finding(const CLI::App& verb, const FindingOptions& options, const CommonOptions& common);
  Finding(const Finding&) = delete;
  Finding& operator=(const Finding&) = delete;

  const Console& console() const { return console_; }
  const MeasuredSet& trips() const { return trips_; }
  const NeighbourSearch& search() const { return search_; }
  Trajectory trip(std::size_t index) const { return trips_.data[trips_.indices[index]]; }
  // The id as a table on a terminal may have it.
  std::string id_text(std::size_t index) const;
  std::string text(double distance) const;  // with its unit
  std::string_view unit() const { return unit_; }

  // Said at once, and in the facts.
  void assume(std::string what) { assumed_.add(std::move(what)); }
  Progress progress(std::string title) const {
    return console_.progress(std::move(title), Unit::trips);
  }
  void lap(std::string name) { laps_.end(std::move(name)); }

  // Writes what was found by write_found(), and says what it took.
  void write(const TripTable& table, const nlohmann::ordered_json& found,
             const std::string& for_people, const SearchWork& work);
  TripTable table() const;  // of all trips, without columns

  bool draws() const { return !options_.map.empty(); }
  // Draws the lines over all trips that were picked.
  void draw(const std::string& title, std::vector<MapLine> lines) const;

 private:
  nlohmann::ordered_json facts() const;

  const FindingOptions& options_;
  const CommonOptions& common_;
  std::string verb_;
  Laps laps_;
  Console console_;
  MeasureSetup setup_;
  MeasuredSet trips_;
  NeighbourSearch search_;
  std::string_view unit_;
  Assumptions assumed_;
};

// "… and 12 more" where a table ends before what there is; empty where it does not.
std::string more_text(std::size_t all, std::size_t shown);

}  // namespace tsmini::cli
