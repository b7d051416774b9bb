#include "tsmini/outliers.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/map_lines.h"

#include "base/amounts.h"
#include "base/enum_names.h"
#include "common/option_checks.h"
#include "common/text_columns.h"
#include "finding.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

enum class By { density, distance };
constexpr std::array<std::string_view, 2> by_names{"density", "distance"};

struct OutliersArguments {
  FindingOptions finding;
  std::optional<std::size_t> k;
  By by = By::density;
};

// What the score is made of: lof is the first distance divided by the second.
std::string reason(const Finding& finding, const OutlierScore& score, std::size_t k, bool by_lof) {
  const std::string from =
      by_lof ? fmt::format("on average {} from its {}, which are {} from theirs",
                           finding.text(score.neighbour_distance), counted(k, "neighbour"),
                           finding.text(score.usual_distance))
             : fmt::format("neighbour {} is {} away", k, finding.text(score.kth_distance));
  return fmt::format("{}; nearest: {} at {}", from, finding.id_text(score.nearest),
                     finding.text(score.nearest_distance));
}

std::string table_of(const Finding& finding, const Outliers& found,
                     const std::vector<std::size_t>& ranked, std::size_t top, bool by_lof) {
  TextColumns table({"rank", by_lof ? "lof" : "distance", "id", "why"});
  for (std::size_t i = 0; i < std::min(top, ranked.size()); ++i) {
    const OutlierScore& score = found.trips[ranked[i]];
    table.add({std::to_string(i + 1),
               by_lof ? human_number(score.lof) : finding.text(score.kth_distance),
               finding.id_text(ranked[i]), reason(finding, score, found.k, by_lof)});
  }
  const std::size_t unscored = finding.trips().size() - ranked.size();
  return (ranked.empty() ? "" : table.text()) + more_text(ranked.size(), top) +
         (unscored > 0 ? fmt::format("without a neighbour: {}\n", counted(unscored, "trip")) : "");
}

// The oddest first, then what has no score.
TripTable rows_of(const Finding& finding, const Outliers& found,
                  const std::vector<std::size_t>& order, std::size_t scored) {
  TripTable table = finding.table();
  for (std::size_t row = 0; row < order.size(); ++row) {
    table.indices[row] = finding.trips().indices[order[row]];
  }
  const auto add = [&](const char* name, auto value) {
    table.columns.push_back({name, [&order, &found, scored, value](std::size_t row) {
                               if (row >= scored) return AttributeValue();
                               return AttributeValue(value(row, found.trips[order[row]]));
                             }});
  };
  using Score = const OutlierScore&;
  add("rank", [](std::size_t row, Score) { return static_cast<std::int64_t>(row + 1); });
  add("lof", [](std::size_t, Score score) { return score.lof; });
  add("kth_distance", [](std::size_t, Score score) { return score.kth_distance; });
  add("neighbour_distance", [](std::size_t, Score score) { return score.neighbour_distance; });
  add("usual_distance", [](std::size_t, Score score) { return score.usual_distance; });
  add("nearest", [&](std::size_t, Score score) { return finding.trips().id(score.nearest); });
  add("nearest_distance", [](std::size_t, Score score) { return score.nearest_distance; });
  return table;
}

// The oddest alone, for a report that has no rows.
Json json_of(const Finding& finding, const Outliers& found, const std::vector<std::size_t>& ranked,
             std::size_t top) {
  Json list = Json::array();
  for (std::size_t i = 0; i < std::min(top, ranked.size()); ++i) {
    const OutlierScore& score = found.trips[ranked[i]];
    list.push_back({{"rank", i + 1},
                    {"id", finding.trips().id(ranked[i])},
                    {"lof", score.lof},
                    {"kth_distance", score.kth_distance},
                    {"neighbour_distance", score.neighbour_distance},
                    {"usual_distance", score.usual_distance},
                    {"nearest", finding.trips().id(score.nearest)},
                    {"nearest_distance", score.nearest_distance}});
  }
  return list;
}

void draw(const Finding& finding, const Outliers& found, const std::vector<std::size_t>& ranked,
          std::size_t top) {
  std::vector<OddLine> odd;
  for (std::size_t i = 0; i < std::min(top, ranked.size()); ++i) {
    const OutlierScore& score = found.trips[ranked[i]];
    odd.push_back({finding.trip(ranked[i]), finding.trip(score.nearest),
                   finding.text(score.nearest_distance)});
  }
  finding.draw(fmt::format("The {}, each beside its nearest", counted(odd.size(), "oddest trip")),
               odd_lines(odd));
}

void run(const CLI::App& verb, const OutliersArguments& a, const CommonOptions& common) {
  Finding finding(verb, a.finding, common);
  const OutlierOptions options{.k = a.k.value_or(OutlierOptions().k)};
  if (verb.count("--by") == 0) finding.assume("odd is what lies sparser than its neighbours (lof)");
  const Outliers found =
      find_outliers(finding.search(), options, finding.progress("looking around"));
  finding.lap("looking around");
  if (found.k < options.k) {
    finding.assume(
        fmt::format("{}: there are no more trips that differ", counted(found.k, "neighbour")));
  } else if (!a.k) {
    finding.assume(fmt::format("{} (-k sets it)", counted(found.k, "neighbour")));
  }
  const bool by_lof = a.by == By::density;
  const std::vector<std::size_t> ranked =
      by_lof ? found.ranked_by_density() : found.ranked_by_distance();
  std::vector<std::size_t> order = ranked;
  for (std::size_t i = 0; i < found.trips.size(); ++i) {
    if (!found.trips[i].is_scored()) order.push_back(i);
  }
  const std::size_t top = a.finding.top;
  const Json facts = {{"k", found.k},
                      {"by", name_in(by_names, a.by)},
                      {"scored", ranked.size()},
                      {"outliers", json_of(finding, found, ranked, top)}};
  if (finding.draws()) draw(finding, found, ranked, top);
  finding.write(rows_of(finding, found, order, ranked.size()), facts,
                table_of(finding, found, ranked, top, by_lof), found.work);
}

}  // namespace

void add_outliers(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<OutliersArguments>();
  CLI::App* verb = app.add_subcommand("outliers", "Find trips that are unlike the others, and why");
  verb->footer(
      "By density: the local outlier factor (lof), how many times as far a trip is from its\n"
      "neighbours as they are from theirs; about 1 is ordinary, in a busy street as in the "
      "country.\n"
      "Both distances are told: averages, of neighbours that are no nearer than their own k-th "
      "one.\n"
      "By distance: how far away the k-th neighbour is, so that what is far from everything comes\n"
      "first. Each odd trip is told and drawn with its nearest, copies aside: what a person can "
      "see\n"
      "it by.\n"
      "-o writes every trip with its scores, the oddest first: as attributes of a data set "
      "(.tsd),\n"
      "for a spreadsheet (.csv), for a program (.json) or a map (.geojson).\n"
      "Examples:\n"
      "  tsmini outliers city.tsd\n"
      "  tsmini outliers city.tsd --by distance --top 20 --map odd.html\n"
      "  tsmini outliers city -k 50 --measure dtw -o scores.csv");
  verb->add_option("-k", a->k, "How many neighbours are looked at (default 20)")
      ->check(between(1, 100'000))
      ->option_text("N");
  add_choice(*verb, "--by", a->by, by_names, "What is odd (default density)");
  add_finding_options(*verb, a->finding,
                      "Write every trip with its scores there (.csv, .json, .geojson or .tsd)",
                      "Rows of the table and odd trips of the map (default 10)");
  add_common(*verb, common, Reports::yes);
  verb->callback([verb, a, &common] { run(*verb, *a, common); });
}

}  // namespace tsmini::cli
