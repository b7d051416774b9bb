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

// HR@10 of damaged trips, a value a seed. What is true is either how near the damaged trips are to
// each other, which a model can know, or how near the trips were before, which is what a user wants
// and what damage may have made unknowable. The paper does not say which of the two it takes.
struct Figures {
  using Cases = std::array<std::vector<double>, cases.size()>;
  Cases damaged, undamaged;
};

// The share of the first case's figure that each case keeps.
std::array<double, cases.size()> kept(const Figures::Cases& figures) {
  std::array<double, cases.size()> shares{};
  for (std::size_t c = 0; c < cases.size(); ++c)
    shares[c] = spread_of(figures[c]).mean / spread_of(figures[0]).mean;
  return shares;
}

std::size_t cases_held(const std::array<double, cases.size()>& shares) {
  std::size_t held = 0;
  for (std::size_t c = 1; c < cases.size(); ++c)
    if (shares[c] >= paper_quality[c] / paper_quality[0]) ++held;
  return held;
}

BarChart::Series series_of(const std::string& name, const Figures::Cases& figures) {
  BarChart::Series series{name, {}};
  for (const std::vector<double>& values : figures) series.values.push_back(spread_of(values).mean);
  return series;
}

Figures measure(Lab& lab, const Setting& setting, const Variant& variant, Measure measure) {
  Figures figures;
  const Dataset& data = setting.city.data;
  const auto test = data.indices_of(Part::test);
  for (const std::uint64_t seed : setting.seeds) {
    const Model model = trained_as(lab, setting, setting.city, variant, measure, seed).model;
    const auto truth = lab.truth(model, data);
    for (std::size_t c = 0; c < cases.size(); ++c) {
      const Dataset damaged = degraded(data, test, cases[c].damage, model.frame, seed);
      figures.damaged[c].push_back(lab.judge(model, damaged).score.hr10);
      figures.undamaged[c].push_back(lab.judge(model, damaged, truth).score.hr10);
    }
  }
  return figures;
}

}  // namespace

Report quality(const Setting& setting, Lab& lab) {
  Report report{"quality", "Points missing and moved", made_with(setting), {}, {}, {}};
  report.made_with.emplace_back(
      "every point moves by the full distance in a random direction, after a random share is left "
      "out; the paper's shares are those of Xi'an, and it does not say by which truth");
  report.made_with.emplace_back(
      "`default` learns from trips damaged in these ways, `paper` from trips as they are");
  const Measure by = Measure::frechet;
  BarChart chart = ratio_chart(fmt::format("{}, {}", setting.city.name, title_of(by)), {});
  for (const Case& one : cases) chart.groups.emplace_back(one.name);
  for (const char* preset : {"paper", "default"}) {
    const Figures figures = measure(lab, setting, {preset, preset, {}}, by);
    const auto damaged = kept(figures.damaged), undamaged = kept(figures.undamaged);
    Table table{fmt::format("HR@10 for {}, `{}` preset", title_of(by), preset),
                {"test trips", "truth of the damaged", "kept of it", "truth of the undamaged",
                 "kept of that", "the paper kept"},
                {},
                ""};
    for (std::size_t c = 0; c < cases.size(); ++c) {
      table.rows.push_back({{cases[c].name},
                            spread_of(figures.damaged[c]).cell(),
                            ratio(damaged[c]),
                            spread_of(figures.undamaged[c]).cell(),
                            ratio(undamaged[c]),
                            ratio(paper_quality[c] / paper_quality[0])});
    }
    report.findings.push_back(
        fmt::format("`{}` keeps at least the paper's share in {} of {} cases by the truth of the "
                    "damaged trips, in {} by that of the undamaged.",
                    preset, cases_held(damaged), cases.size() - 1, cases_held(undamaged)));
    report.tables.push_back(table);
    chart.series.push_back(series_of(fmt::format("{}, damaged", preset), figures.damaged));
    chart.series.push_back(series_of(fmt::format("{}, undamaged", preset), figures.undamaged));
  }
  report.figures.push_back({"", svg_of(chart)});
  return report;
}

}  // namespace tsmini::experiment
