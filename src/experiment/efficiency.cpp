#include <fmt/format.h>

#include "experiment/experiments.h"
#include "experiment/paper_figures.h"
#include "experiment/study.h"

namespace tsmini::experiment {

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
                          rounded(1e6 * outcome.embed_seconds / trips, " µs")});
    chart.groups.push_back(fmt::format("{} preset", preset));
    series.values.push_back(outcome.label_seconds + outcome.seconds);
  }
  table.rows.push_back({{"the paper, Porto, A100"},
                        count_of(paper_parameters),
                        {"–"},
                        seconds_of(paper_training_seconds),
                        {"–"},
                        seconds_of(paper_embedding_seconds),
                        rounded(1e6 * paper_embedding_seconds / 2000, " µs")});
  report.tables.push_back(table);
  chart.series.push_back(series);
  report.figures.push_back({"", svg_of(chart)});
  return report;
}

}  // namespace tsmini::experiment
