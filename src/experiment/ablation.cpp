#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "experiment/experiments.h"
#include "experiment/paper_figures.h"
#include "experiment/variants.h"

namespace tsmini::experiment {
namespace {

using PaperFigure = std::optional<double> (*)(std::string_view city, std::string_view variant,
                                              Measure measure);

std::optional<double> paper_hr10(std::string_view city, std::string_view variant, Measure measure) {
  const auto score = paper_score(city, variant, measure);
  return score ? std::optional(score->hr10) : std::nullopt;
}

// HR@10 of variants beside the full model's, a row each, with the paper's behind them.
void compare(Report& report, const Setting& setting, Lab& lab, const std::vector<Variant>& variants,
             PaperFigure paper) {
  const std::string_view beside = paper_city(setting.city.name);
  Table table{"HR@10", {"variant"}, {}, ""};
  for (const Measure measure : setting.measures) table.columns.push_back(title_of(measure));
  for (const Measure measure : setting.measures)
    table.columns.push_back(fmt::format("{}, the paper on {}", title_of(measure), beside));
  BarChart chart = measures_chart(setting, setting.city.name);
  for (const Variant& variant : variants) {
    std::vector<Cell> row{variant.name};
    BarChart::Series series{variant.name, {}};
    for (const Measure measure : setting.measures) {
      const Outcome outcome = outcome_of(lab, setting, variant, measure);
      row.push_back(outcome.hr10.cell());
      series.values.push_back(outcome.hr10.mean);
    }
    for (const Measure measure : setting.measures) {
      const auto figure = paper(beside, variant.name, measure);
      row.push_back(figure ? ratio(*figure) : Cell("–"));
    }
    table.rows.push_back(row);
    chart.series.push_back(series);
  }
  for (std::size_t v = 1; v < variants.size(); ++v) {
    std::size_t lower = 0;
    double change = 0;
    for (std::size_t m = 0; m < setting.measures.size(); ++m) {
      const double own = chart.series[v].values[m], full = chart.series[0].values[m];
      if (own < full) ++lower;
      change += (own - full) / static_cast<double>(setting.measures.size());
    }
    report.findings.push_back(
        fmt::format("{}: below the full model for {} of {} measures, {:+.3f} in the mean.",
                    variants[v].name, lower, setting.measures.size(), change));
  }
  report.tables.push_back(table);
  report.figures.push_back({"", svg_of(chart)});
}

}  // namespace

Report ablation(const Setting& setting, Lab& lab) {
  Report report{"ablation", "What the parts of the model are worth", made_with(setting), {}, {},
                {}};
  report.made_with.push_back(fmt::format("`{}` preset", studied_preset));
  compare(report, setting, lab,
          {full_model(), without_sub_views(), without_ranking(), without_both()}, paper_hr10);
  return report;
}

Report attention(const Setting& setting, Lab& lab) {
  Report report{"attention", "Kinds of attention", made_with(setting), {}, {}, {}};
  report.made_with.push_back(fmt::format("`{}` preset", studied_preset));
  compare(report, setting, lab, {full_model(), grouped_queries(), vanilla_attention()},
          paper_attention);
  return report;
}

}  // namespace tsmini::experiment
