#include <array>
#include <optional>

#include <fmt/format.h>

#include "experiment/degrade.h"
#include "experiment/experiments.h"
#include "experiment/paper_figures.h"
#include "experiment/rival_study.h"
#include "experiment/scoring.h"
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

using Shares = std::array<std::optional<double>, cases.size()>;

// The share of the first case's figure that each case keeps.
Shares kept(const Figures::Cases& figures) {
  Shares shares;
  for (std::size_t c = 0; c < cases.size(); ++c)
    shares[c] = spread_of(figures[c]).mean / spread_of(figures[0]).mean;
  return shares;
}

Shares kept_by_paper() {
  Shares shares;
  for (std::size_t c = 0; c < cases.size(); ++c) shares[c] = paper_quality[c] / paper_quality[0];
  return shares;
}

Shares kept_by_paper(std::string_view rival) {
  Shares shares;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const auto first = paper_rival_quality(rival, 0), own = paper_rival_quality(rival, c);
    if (first && own) shares[c] = *own / *first;
  }
  return shares;
}

std::size_t cases_held(const Shares& shares, const Shares& paper) {
  std::size_t held = 0;
  for (std::size_t c = 1; c < cases.size(); ++c)
    if (shares[c] >= paper[c]) ++held;
  return held;
}

Table table_of(const std::string& title, const Figures& figures, const Shares& paper) {
  Table table{title,
              {"test trips", "truth of the damaged", "kept of it", "truth of the undamaged",
               "kept of that", "the paper kept"},
              {},
              ""};
  const Shares damaged = kept(figures.damaged), undamaged = kept(figures.undamaged);
  for (std::size_t c = 0; c < cases.size(); ++c) {
    table.rows.push_back({{cases[c].name},
                          spread_of(figures.damaged[c]).cell(),
                          ratio(damaged[c]),
                          spread_of(figures.undamaged[c]).cell(),
                          ratio(undamaged[c]),
                          ratio(paper[c])});
  }
  return table;
}

// How often a method keeps at least the paper's share.
std::string verdict_on(const std::string& name, const Figures& figures, const Shares& paper) {
  return fmt::format(
      "{} keeps at least the paper's share in {} of {} cases by the truth of the damaged trips, in "
      "{} by that of the undamaged.",
      name, cases_held(kept(figures.damaged), paper), cases.size() - 1,
      cases_held(kept(figures.undamaged), paper));
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
    const auto truth = lab.truth(measure, model.space, data);
    for (std::size_t c = 0; c < cases.size(); ++c) {
      const Dataset damaged = degraded(data, test, cases[c].damage, model.frame, seed);
      figures.damaged[c].push_back(lab.judge(model, damaged).score.hr10);
      figures.undamaged[c].push_back(lab.judge(model, damaged, truth).score.hr10);
    }
  }
  return figures;
}

// Measures a rival under the same damage as our own models, whose frame and space are those of the
// city.
Figures measure_rival(Lab& lab, const Setting& setting, const Contender& contender,
                      Measure measure) {
  Figures figures;
  const Dataset& data = setting.city.data;
  const auto test = data.indices_of(Part::test);
  const FeatureFrame frame = FeatureFrame::fit(data);
  const Space space = Space::fit(setting.space, data);
  for (const std::uint64_t seed : setting.seeds) {
    const RivalRun run = rival_run(lab, setting, setting.city, contender, measure, seed);
    const auto truth = lab.truth(measure, space, data);
    for (std::size_t c = 0; c < cases.size(); ++c) {
      const Dataset damaged = degraded(data, test, cases[c].damage, frame, seed);
      const Predicted predicted = lab.rival_distances(run, damaged, false);
      figures.damaged[c].push_back(
          score_of(predicted.distances, lab.truth(measure, space, damaged)).hr10);
      figures.undamaged[c].push_back(score_of(predicted.distances, truth).hr10);
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
    const std::string name = fmt::format("`{}`", preset);
    report.tables.push_back(table_of(fmt::format("HR@10 for {}, {} preset", title_of(by), name),
                                     figures, kept_by_paper()));
    report.findings.push_back(verdict_on(name, figures, kept_by_paper()));
    chart.series.push_back(series_of(fmt::format("{}, damaged", preset), figures.damaged));
    chart.series.push_back(series_of(fmt::format("{}, undamaged", preset), figures.undamaged));
  }
  const std::vector<Contender> rivals = contenders(setting.rivals, report.name);
  if (!rivals.empty()) report.made_with.push_back(rivals_with(setting.rivals));
  for (const Contender& contender : rivals) {
    Figures figures;
    const std::string title = fmt::format("HR@10 for {}, {}", title_of(by), contender.title());
    if (!succeeds(report, title, [&] { figures = measure_rival(lab, setting, contender, by); }))
      continue;
    const Shares paper = kept_by_paper(contender.rival.name);
    report.tables.push_back(table_of(title, figures, paper));
    if (paper[0]) report.findings.push_back(verdict_on(contender.title(), figures, paper));
  }
  report.figures.push_back({"", svg_of(chart)});
  return report;
}

}  // namespace tsmini::experiment
