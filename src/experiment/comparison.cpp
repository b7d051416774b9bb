#include "experiment/comparison.h"

#include <fmt/format.h>

namespace tsmini::experiment {
namespace {

using Outcomes = std::vector<std::vector<Outcome>>;  // by variant, then by measure

Table table_of(const Setting& setting, const std::vector<Variant>& variants,
               const Outcomes& outcomes, const Figured& figure) {
  Table table{figure.name, {"variant"}, {}, ""};
  for (const Measure measure : setting.measures) table.columns.push_back(title_of(measure));
  for (const Measure measure : setting.measures)
    table.columns.push_back(
        fmt::format("{}, the paper on {}", title_of(measure), figure.paper_city));
  for (std::size_t v = 0; v < variants.size(); ++v) {
    std::vector<Cell> row{variants[v].name};
    for (const Outcome& outcome : outcomes[v]) row.push_back((outcome.*figure.own).cell());
    for (const Measure measure : setting.measures)
      row.push_back(ratio(figure.paper(figure.paper_city, variants[v].name, measure)));
    table.rows.push_back(row);
  }
  return table;
}

BarChart chart_of(const Setting& setting, const std::vector<Variant>& variants,
                  const Outcomes& outcomes, const Figured& figure) {
  BarChart chart = measures_chart(setting);
  chart.y_title = figure.name;
  for (std::size_t v = 0; v < variants.size(); ++v) {
    BarChart::Series series{variants[v].name, {}};
    for (const Outcome& outcome : outcomes[v]) series.values.push_back((outcome.*figure.own).mean);
    chart.series.push_back(series);
  }
  return chart;
}

std::string verdict_on(const Variant& variant, const std::vector<Outcome>& own,
                       const std::vector<Outcome>& full, const Figured& figure) {
  std::size_t lower = 0;
  double change = 0;
  for (std::size_t m = 0; m < own.size(); ++m) {
    const double difference = (own[m].*figure.own).mean - (full[m].*figure.own).mean;
    if (difference < 0) ++lower;
    change += difference / static_cast<double>(own.size());
  }
  return fmt::format("{}: {} below the full model's for {} of {} measures, {:+.3f} in the mean.",
                     variant.name, figure.name, lower, own.size(), change);
}

}  // namespace

void compare(Report& report, const Setting& setting, Lab& lab, const std::vector<Variant>& variants,
             const std::vector<Figured>& figures) {
  Outcomes outcomes(variants.size());
  for (std::size_t v = 0; v < variants.size(); ++v)
    for (const Measure measure : setting.measures)
      outcomes[v].push_back(outcome_of(lab, setting, variants[v], measure));
  for (const Figured& figure : figures)
    report.tables.push_back(table_of(setting, variants, outcomes, figure));
  for (std::size_t v = 1; v < variants.size(); ++v)
    report.findings.push_back(verdict_on(variants[v], outcomes[v], outcomes[0], figures[0]));
  report.figures.push_back({"", svg_of(chart_of(setting, variants, outcomes, figures[0]))});
}

}  // namespace tsmini::experiment
