#include <cmath>

#include <fmt/format.h>

#include "experiment/experiments.h"
#include "experiment/paper_figures.h"
#include "experiment/study.h"

namespace tsmini::experiment {
namespace {

Table paper_table(const Setting& setting, std::string_view city) {
  Table table{"", {"method"}, {}, ""};
  for (const Measure measure : setting.measures)
    for (const char* figure : {"HR@10", "HR@50", "R10@50"})
      table.columns.push_back(fmt::format("{} {}", title_of(measure), figure));
  std::vector<Cell> row{fmt::format("the paper, {}", city)};
  for (const Measure measure : setting.measures) {
    const auto score = paper_score(city, "full", measure);
    for (double PaperScore::*figure : {&PaperScore::hr10, &PaperScore::hr50, &PaperScore::r10at50})
      row.push_back(score ? ratio((*score).*figure) : Cell("–"));
  }
  table.rows.push_back(row);
  return table;
}

}  // namespace

Report overall(const Setting& setting, Lab& lab) {
  Report report{"overall", "Hit ratios for each measure", made_with(setting), {}, {}, {}};
  const std::string_view beside = paper_city(setting.city.name);
  Table table = paper_table(setting, beside);
  BarChart chart = measures_chart(setting);
  BarChart::Series paper{fmt::format("the paper, {}", beside), {}};
  for (const Measure measure : setting.measures) {
    const auto score = paper_score(beside, "full", measure);
    paper.values.push_back(score ? score->hr10 : std::nan(""));
  }
  chart.series.push_back(paper);
  for (const char* preset : {"paper", "default"}) {
    const Variant variant{fmt::format("`{}` preset", preset), preset, {}};
    std::vector<Cell> row{variant.name};
    BarChart::Series series{fmt::format("{} preset", preset), {}};
    std::size_t better = 0;
    for (std::size_t m = 0; m < setting.measures.size(); ++m) {
      const Outcome outcome = outcome_of(lab, setting, variant, setting.measures[m]);
      row.insert(row.end(), {outcome.hr10.cell(), outcome.hr50.cell(), outcome.r10at50.cell()});
      series.values.push_back(outcome.hr10.mean);
      if (outcome.hr10.mean > paper.values[m]) ++better;
    }
    table.rows.push_back(row);
    chart.series.push_back(series);
    report.findings.push_back(fmt::format("`{}`: HR@10 above the paper's on {} for {} of {}.",
                                          preset, beside, better, setting.measures.size()));
  }
  const double gain =
      spread_of(chart.series[2].values).mean - spread_of(chart.series[1].values).mean;
  report.findings.push_back(
      fmt::format("From `paper` to `default` HR@10 changes by {:+.3f} in the mean.", gain));
  report.tables.push_back(table);
  report.figures.push_back({"", svg_of(chart)});
  return report;
}

}  // namespace tsmini::experiment
