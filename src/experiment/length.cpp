#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/text.h"
#include "experiment/experiments.h"
#include "experiment/joined_pieces.h"
#include "experiment/rival_rows.h"
#include "experiment/study.h"
#include "experiment/synthetic.h"

namespace tsmini::experiment {
namespace {

struct Class {
  const char* name;
  std::size_t fewest, most;
  double sampling;  // seconds between points of a synthetic trip
};
constexpr std::array<Class, 3> classes{
    {{"20–200", 20, 200, 15}, {"200–400", 200, 400, 2}, {"400–800", 400, 800, 1}}};
constexpr std::size_t fewest_trips = 400;  // to say anything

City synthetic_of(const Setting& setting, const Class& c) {
  City city = synthetic_city({.train = setting.synthetic,
                              .others = 3 * setting.synthetic / 7,
                              .sampling = c.sampling,
                              .fewest_points = c.fewest,
                              .most_points = c.most});
  city.name += fmt::format(", {} points", c.name);
  return city;
}

// The city as it is, then its pieces joined as far as they go.
std::optional<City> joined_of(const Setting& setting, const Class& c) {
  if (c.fewest == classes[0].fewest) return setting.city;
  const Dataset joined = joined_pieces(setting.city.data, c.fewest, c.most, 1);
  if (joined.size() < fewest_trips) return {};
  return City{fmt::format("{}, pieces joined", setting.city.name), joined};
}

std::vector<Cell> row_of(const Class& c, const City& city, const Outcome& outcome) {
  const auto mean =
      static_cast<double>(city.data.point_count()) / static_cast<double>(city.data.size());
  return {{c.name},
          count_of(static_cast<double>(city.data.size())),
          count_of(static_cast<double>(city.data.indices_of(Part::test).size())),
          rounded(mean),
          outcome.hr10.cell(),
          outcome.hr50.cell(),
          outcome.r10at50.cell(),
          seconds_of(outcome.seconds)};
}

// HR@10 of each rival on each set of trips. One that fails, for want of memory say, has no figure
// there.
class RivalTable {
 public:
  RivalTable(const Setting& setting, Lab& lab, Measure measure, Report& report)
      : setting_(setting),
        lab_(lab),
        report_(report),
        measure_(measure),
        rivals_(contenders(setting.rivals, "length")),
        table_{fmt::format("{}: HR@10 of rivals", title_of(measure)),
               {"rival"},
               {},
               std::string(mark_note)} {
    for (const Contender& contender : rivals_) table_.rows.push_back({{contender.title()}});
  }

  void add(const std::string& column, const City& city) {
    table_.columns.push_back(column);
    for (std::size_t r = 0; r < rivals_.size(); ++r)
      table_.rows[r].push_back(cell_of(rivals_[r], city));
  }

  bool is_empty() const { return rivals_.empty(); }
  const Table& table() const { return table_; }

 private:
  Cell cell_of(const Contender& contender, const City& city) {
    const RivalOutcome outcome = rival_outcome(lab_, setting_, city, contender, measure_, report_);
    return marked(outcome.hr10, outcome.rising);
  }

  const Setting& setting_;
  Lab& lab_;
  Report& report_;
  Measure measure_;
  std::vector<Contender> rivals_;
  Table table_;
};

}  // namespace

Report length(const Setting& setting, Lab& lab) {
  Report report{"length", "Longer trips", runs_with(setting), {}, {}, {}};
  report.made_with.emplace_back(
      "`default` preset with batches of 128 and without composed trips, whose distances would take "
      "longest");
  const Measure by = Measure::frechet;
  const Variant variant{"long trips", "default", [](Recipe& recipe) {
                          recipe.batch = 128;
                          recipe.augment_to = 0;
                        }};
  BarChart chart = ratio_chart(title_of(by), {});
  for (const Class& c : classes) chart.groups.push_back(fmt::format("{} points", c.name));
  const std::vector<std::string> columns{"points", "trips", "of these to test", "points a trip",
                                         "HR@10",  "HR@50", "R10@50",           "training"};
  Table dense{
      fmt::format("{} on a synthetic city, sampled every 15, 2 and 1 seconds", title_of(by)),
      columns,
      {},
      "The same city, sampled more often: trips are longer in points, not in kilometres."};
  Table joined{fmt::format("{} on {}, and on longer trips joined of its pieces", title_of(by),
                           setting.city.name),
               columns,
               {},
               "Every test trip is a query against the other test trips, of which the longer sets "
               "have fewer: the nearest of few are easier to find."};
  BarChart::Series dense_bars{"synthetic city", {}}, joined_bars{setting.city.name, {}};
  RivalTable rivals(setting, lab, by, report);
  for (const Class& c : classes) {
    const City city = synthetic_of(setting, c);
    const Outcome outcome = outcome_of(lab, setting, city, variant, by);
    dense.rows.push_back(row_of(c, city, outcome));
    dense_bars.values.push_back(outcome.hr10.mean);
    rivals.add(fmt::format("synthetic city, {}", c.name), city);
    const std::optional<City> own = joined_of(setting, c);
    joined_bars.values.push_back(std::nan(""));
    if (!own) {
      joined.note += fmt::format(" It has no {} trips of {} points, joined or not.",
                                 with_thousands(fewest_trips), c.name);
      continue;
    }
    const Outcome own_outcome = outcome_of(lab, setting, *own, variant, by);
    joined.rows.push_back(row_of(c, *own, own_outcome));
    joined_bars.values.back() = own_outcome.hr10.mean;
    rivals.add(fmt::format("{}, {}", setting.city.name, c.name), *own);
  }
  report.tables = {dense, joined};
  if (!rivals.is_empty()) {
    report.made_with.push_back(rivals_with(setting.rivals));
    report.tables.push_back(rivals.table());
  }
  chart.series = {dense_bars, joined_bars};
  report.findings.push_back(
      fmt::format("From 20–200 to 400–800 points HR@10 changes by {:+.3f} on the synthetic city.",
                  dense_bars.values.back() - dense_bars.values.front()));
  report.figures.push_back({"", svg_of(chart)});
  return report;
}

}  // namespace tsmini::experiment
