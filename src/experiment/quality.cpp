#include <array>
#include <cmath>

#include <fmt/format.h>

#include "experiment/degrade.h"
#include "experiment/experiments.h"
#include "experiment/paper_figures.h"
#include "experiment/study.h"

namespace tsmini::experiment {
namespace {

struct Case {
  const char* name;
  Damage damage;
};
constexpr std::array<Case, 7> cases{{{"as it is", {}},
                                     {"40 % masked", {.4, 0}},
                                     {"80 % masked", {.8, 0}},
                                     {"shifted 100 m", {0, 100}},
                                     {"shifted 500 m", {0, 500}},
                                     {"40 % masked, shifted 100 m", {.4, 100}},
                                     {"80 % masked, shifted 500 m", {.8, 500}}}};

struct Figures {
  std::array<std::vector<double>, cases.size()> own, original;  // a value a seed
};

Figures measure(Lab& lab, const Setting& setting, const Variant& variant, Measure measure) {
  Figures figures;
  const Dataset& data = setting.city.data;
  const auto test = data.indices_of(Part::test);
  for (const std::uint64_t seed : setting.seeds) {
    const Model model = trained_as(lab, setting, setting.city, variant, measure, seed).model;
    const auto truth = lab.truth(model, data);
    for (std::size_t c = 0; c < cases.size(); ++c) {
      const Dataset damaged = degraded(data, test, cases[c].damage, model.frame, seed);
      figures.own[c].push_back(lab.judge(model, damaged).score.hr10);
      figures.original[c].push_back(lab.judge(model, damaged, truth).score.hr10);
    }
  }
  return figures;
}

}  // namespace

Report quality(const Setting& setting, Lab& lab) {
  Report report{"quality", "Points missing and moved", made_with(setting), {}, {}, {}};
  report.made_with.emplace_back(
      "every point moves by the full distance in a random direction, after a random share is left "
      "out");
  const Measure by = Measure::frechet;
  BarChart chart = ratio_chart(fmt::format("{}, {}", setting.city.name, title_of(by)), {});
  for (const Case& one : cases) chart.groups.emplace_back(one.name);
  for (const char* preset : {"paper", "default"}) {
    const Figures figures = measure(lab, setting, {preset, preset, {}}, by);
    Table table{fmt::format("HR@10 for {}, `{}` preset", title_of(by), preset),
                {"test trips", "HR@10", "of the undamaged", "the paper's share",
                 "against the truth of the undamaged"},
                {},
                ""};
    BarChart::Series series{fmt::format("{} preset", preset), {}};
    std::size_t held = 0;
    for (std::size_t c = 0; c < cases.size(); ++c) {
      const Spread own = spread_of(figures.own[c]), original = spread_of(figures.original[c]);
      const double share = own.mean / spread_of(figures.own[0]).mean;
      const double paper = paper_quality[c] / paper_quality[0];
      table.rows.push_back(
          {{cases[c].name}, own.cell(), ratio(share), ratio(paper), original.cell()});
      series.values.push_back(own.mean);
      if (c > 0 && share >= paper) ++held;
    }
    report.findings.push_back(
        fmt::format("`{}` keeps at least the paper's share (on Xi'an) in {} of {} cases.", preset,
                    held, cases.size() - 1));
    report.tables.push_back(table);
    chart.series.push_back(series);
  }
  report.figures.push_back({"", svg_of(chart)});
  return report;
}

}  // namespace tsmini::experiment
