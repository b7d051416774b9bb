#include <fmt/format.h>

#include "experiment/experiments.h"
#include "experiment/paper_figures.h"
#include "experiment/rival_rows.h"
#include "experiment/study.h"

namespace tsmini::experiment {
namespace {

constexpr double paper_trips = 2000;  // in the paper's test part

Cell each_of(double seconds, double trips) {
  return rounded(1e6 * seconds / trips, " µs");
}

std::vector<Cell> paper_row(const std::string& name, const PaperCost& cost) {
  const auto& embedding = cost.embedding_seconds;
  return {{name},
          count_of(cost.parameters),
          {"–"},
          seconds_of(cost.training_seconds),
          {"–"},
          embedding ? seconds_of(*embedding) : Cell("–"),
          embedding ? each_of(*embedding, paper_trips) : Cell("–")};
}

}  // namespace

Report efficiency(const Setting& setting, Lab& lab) {
  Report report{"efficiency", "Parameters and times", made_with(setting), {}, {}, {}};
  report.made_with.emplace_back(
      "embedding: the test trips, by the encoder on the processor's cores, one pass");
  const Measure by = Measure::frechet;
  const auto trips = static_cast<double>(setting.city.data.indices_of(Part::test).size());
  Table table{title_of(by),
              {"method", "parameters", "true distances", "training", "steps", "embedding",
               "embedding of one trip"},
              {},
              ""};
  BarChart chart;
  chart.title = fmt::format("Training time, {}", setting.city.name);
  chart.y_title = "time [s]";
  chart.low = 0;
  BarChart::Series series{"true distances and training", {}};
  for (const char* preset : {"paper", "default"}) {
    const Outcome outcome = outcome_of(lab, setting, {preset, preset, {}}, by);
    table.rows.push_back({{fmt::format("`{}` preset", preset)},
                          count_of(static_cast<double>(outcome.parameters)),
                          seconds_of(outcome.label_seconds),
                          seconds_of(outcome.seconds),
                          count_of(static_cast<double>(outcome.runs.front().steps)),
                          seconds_of(outcome.embed_seconds),
                          each_of(outcome.embed_seconds, trips)});
    chart.groups.push_back(fmt::format("{} preset", preset));
    series.values.push_back(outcome.label_seconds + outcome.seconds);
  }
  table.rows.push_back(
      paper_row("the paper, Porto, A100",
                {paper_parameters, paper_training_seconds, paper_embedding_seconds}));
  const std::vector<Contender> rivals = contenders(setting.rivals, report.name);
  for (const Contender& contender : rivals) {
    const RivalOutcome outcome = rival_outcome(lab, setting, setting.city, contender, by, report);
    const double training = outcome.pretraining_seconds + outcome.seconds;
    table.rows.push_back({{contender.title()},
                          count_of(outcome.parameters),
                          seconds_of(outcome.label_seconds),
                          seconds_of(training),
                          count_of(outcome.steps),
                          seconds_of(outcome.embed_seconds),
                          each_of(outcome.embed_seconds, trips)});
    if (const auto cost = paper_rival_cost(contender.rival.name); cost && !contender.as_released)
      table.rows.push_back(
          paper_row(fmt::format("{}, the paper, Porto, A100", contender.rival.title), *cost));
    chart.groups.push_back(contender.title());
    series.values.push_back(outcome.label_seconds + training);
  }
  if (!rivals.empty()) {
    report.made_with.push_back(rivals_with(setting.rivals));
    table.note =
        "Training of a rival includes what comes before it and does not depend on the measure; its "
        "parameters are those that are learned, without frozen tables. It embeds where it is "
        "trained, and prepares its input within that time." +
        pairs_note(rivals);
  }
  report.tables.push_back(table);
  chart.series.push_back(series);
  report.figures.push_back({"", svg_of(chart)});
  return report;
}

}  // namespace tsmini::experiment
