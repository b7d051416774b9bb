#include "tsmini/duplicates.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/map_lines.h"
#include "tsmini/radius.h"

#include "base/amounts.h"
#include "base/enum_names.h"
#include "common/option_checks.h"
#include "common/text_columns.h"
#include "finding.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 2> grouping_names{"centre", "connected"};

struct DuplicatesArguments {
  FindingOptions finding;
  DuplicateGrouping grouping = DuplicateGrouping::by_centre;
  std::optional<double> within;
  std::uint64_t seed = 1;
};

double radius_for(const DuplicatesArguments& a, Finding& finding) {
  if (a.within) return *a.within;
  const DuplicateRadius found =
      duplicate_radius(finding.search(), {.seed = a.seed}, finding.progress("looking around"));
  if (found.found) {
    finding.assume(
        fmt::format("within {}, between what is nearly the same and the rest: {} of {} "
                    "have another that near (--within sets it)",
                    finding.text(found.radius), human_share(found.share),
                    counted(found.sample, "distinct trip")));
  } else {
    finding.assume(
        fmt::format("only copies: among {} nothing that is nearly the same stands apart "
                    "from the rest (--within sets a distance)",
                    counted(found.sample, "distinct trip")));
  }
  return found.radius;
}

double farthest_of(const DuplicateGroup& group) {
  double farthest = 0;
  for (const Neighbour& dropped : group.dropped) farthest = std::max(farthest, dropped.distance);
  return farthest;
}

// What a trip is in its group, by trip.
struct Place {
  std::size_t group = 0;  // from 1; 0: in none
  bool is_kept = true;
  double distance = 0;  // to the one that is kept
};

std::vector<Place> places_of(const DuplicateGroups& found, std::size_t trips) {
  std::vector<Place> places(trips);
  for (std::size_t g = 0; g < found.groups.size(); ++g) {
    places[found.groups[g].kept].group = g + 1;
    for (const Neighbour& dropped : found.groups[g].dropped) {
      places[dropped.index] = {g + 1, false, dropped.distance};
    }
  }
  return places;
}

Json json_of(const Finding& finding, const DuplicateGroups& found) {
  Json list = Json::array();
  for (std::size_t g = 0; g < found.groups.size(); ++g) {
    Json dropped = Json::array();
    for (const Neighbour& n : found.groups[g].dropped) {
      dropped.push_back({{"id", finding.trips().id(n.index)}, {"distance", n.distance}});
    }
    list.push_back({{"group", g + 1},
                    {"kept", finding.trips().id(found.groups[g].kept)},
                    {"dropped", std::move(dropped)}});
  }
  return list;
}

std::string table_of(const Finding& finding, const DuplicateGroups& found, std::size_t top) {
  const std::size_t left = finding.trips().size() - found.dropped;
  std::string last = fmt::format("{}: {} kept, {} to drop\n", counted(found.groups.size(), "group"),
                                 with_thousands(left), with_thousands(found.dropped));
  if (found.groups.empty()) return last;
  TextColumns table({"group", "trips", "farthest", "kept", "dropped"});
  for (std::size_t g = 0; g < std::min(top, found.groups.size()); ++g) {
    const DuplicateGroup& group = found.groups[g];
    constexpr std::size_t most_named = 3;
    std::string dropped;
    for (std::size_t i = 0; i < std::min(most_named, group.dropped.size()); ++i) {
      dropped += (i > 0 ? ", " : "") + finding.id_text(group.dropped[i].index);
    }
    if (group.dropped.size() > most_named) {
      dropped += fmt::format(" and {} more", with_thousands(group.dropped.size() - most_named));
    }
    table.add({std::to_string(g + 1), with_thousands(group.dropped.size() + 1),
               finding.text(farthest_of(group)), finding.id_text(group.kept), dropped});
  }
  return table.text() + more_text(found.groups.size(), top) + last;
}

// All trips and what they are, or as a data set those that stay.
TripTable rows_of(const Finding& finding, const DuplicateGroups& found,
                  const std::vector<Place>& places, bool applied) {
  TripTable table = finding.table();
  if (applied) {
    std::vector<std::size_t> kept;
    for (const std::size_t i : without_dropped(found, finding.trips().size())) {
      kept.push_back(finding.trips().indices[i]);
    }
    table.indices = std::move(kept);
    return table;
  }
  table.columns = {
      {"group",
       [&](std::size_t row) -> AttributeValue {
         if (places[row].group == 0) return {};
         return static_cast<std::int64_t>(places[row].group);
       }},
      {"kept", [&](std::size_t row) -> AttributeValue { return places[row].is_kept; }},
      {"duplicate_of",
       [&](std::size_t row) -> AttributeValue {
         if (places[row].is_kept) return {};
         return finding.trips().id(found.groups[places[row].group - 1].kept);
       }},
      {"distance",
       [&](std::size_t row) -> AttributeValue {
         if (places[row].is_kept) return {};
         return places[row].distance;
       }},
  };
  return table;
}

void draw(const Finding& finding, const DuplicateGroups& found, std::size_t top) {
  std::vector<RouteLine> routes;
  for (std::size_t g = 0; g < std::min(top, found.groups.size()); ++g) {
    const DuplicateGroup& group = found.groups[g];
    routes.push_back(
        {finding.trip(group.kept), group.dropped.size() + 1, finding.id_text(group.kept)});
  }
  finding.draw(fmt::format("{} of near-duplicates, {} to drop",
                           counted(found.groups.size(), "group"), counted(found.dropped, "trip")),
               route_lines(routes));
}

void run(const CLI::App& verb, const DuplicatesArguments& a, const CommonOptions& common) {
  Finding finding(verb, a.finding, common);
  const double radius = radius_for(a, finding);
  const DuplicateGroups found = find_duplicates(
      finding.search(), {.radius = radius, .grouping = a.grouping}, finding.progress("comparing"));
  finding.lap("comparing");
  const std::vector<Place> places = places_of(found, finding.trips().size());
  const Json facts = {{"within", radius},         {"grouping", name_in(grouping_names, a.grouping)},
                      {"seed", a.seed},           {"kept", finding.trips().size() - found.dropped},
                      {"dropped", found.dropped}, {"groups", json_of(finding, found)}};
  if (finding.draws()) draw(finding, found, a.finding.top);
  const bool applied = a.finding.output.ends_with(".tsd");
  finding.write(rows_of(finding, found, places, applied), facts,
                table_of(finding, found, a.finding.top), found.work);
}

}  // namespace

void add_duplicates(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<DuplicatesArguments>();
  CLI::App* verb = app.add_subcommand(
      "duplicates", "Find trips that are there twice, or nearly so, and drop them");
  verb->footer(
      "By centre: the trip with most points of each place is kept, and what is within the "
      "distance\n"
      "of it is dropped for it. Connected: trips that a chain of steps within the distance joins\n"
      "are one group, of which the one with most points is kept. Without --within the distance is\n"
      "the gap that the data has between what is nearly the same and the rest; where there is "
      "none,\n"
      "only copies count.\n"
      "-o DATA.tsd writes the data set without what is to drop; .csv, .json and .geojson say of\n"
      "every trip whether it is kept, and for which other one it is dropped.\n"
      "Examples:\n"
      "  tsmini duplicates city.tsd\n"
      "  tsmini duplicates city.tsd --within 15 -o unique.tsd\n"
      "  tsmini duplicates city.tsd --within 15 --grouping connected --measure dtw -o twice.csv");
  verb->add_option("--within", a->within,
                   "How near is nearly the same, in the unit of the measure (default: found in the "
                   "data)")
      ->check(at_least(0))
      ->option_text("DISTANCE");
  add_choice(*verb, "--grouping", a->grouping, grouping_names,
             "What is one group (default centre)");
  verb->add_option("--seed", a->seed, "Of the trips that are looked at for a distance (default 1)")
      ->option_text("N");
  add_finding_options(*verb, a->finding,
                      "Write there what stays (.tsd), or what each trip is (.csv, .json, .geojson)",
                      "Rows of the table and lines of the map (default 10)");
  add_common(*verb, common, Reports::yes);
  verb->callback([verb, a, &common] { run(*verb, *a, common); });
}

}  // namespace tsmini::cli
