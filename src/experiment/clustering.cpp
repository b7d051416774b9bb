#include <fmt/format.h>

#include "experiment/experiments.h"
#include "experiment/paper_figures.h"
#include "experiment/variants.h"

namespace tsmini::experiment {

Report clustering(const Setting& setting, Lab& lab) {
  Report report{"clustering",
                "Clusters of embeddings against clusters of trips",
                made_with(setting),
                {},
                {},
                {}};
  report.made_with.push_back(
      fmt::format("`{}` preset; ten medoids, once by the true distances and once by those of "
                  "embeddings",
                  studied_preset));
  Table table{"Rand index", {"variant"}, {}, ""};
  for (const Measure measure : setting.measures) table.columns.push_back(title_of(measure));
  for (const Measure measure : setting.measures)
    table.columns.push_back(fmt::format("{}, the paper on Xi'an", title_of(measure)));
  BarChart chart = measures_chart(setting, setting.city.name);
  chart.y_title = "Rand index";
  for (const Variant& variant : {full_model(), without_sub_views()}) {
    std::vector<Cell> row{variant.name};
    BarChart::Series series{variant.name, {}};
    for (const Measure measure : setting.measures) {
      const Outcome outcome = outcome_of(lab, setting, variant, measure);
      row.push_back(outcome.rand_index.cell());
      series.values.push_back(outcome.rand_index.mean);
    }
    for (const Measure measure : setting.measures) {
      const auto figure = paper_rand_index(variant.name, measure);
      row.push_back(figure ? ratio(*figure) : Cell("–"));
    }
    table.rows.push_back(row);
    chart.series.push_back(series);
  }
  std::size_t better = 0;
  for (std::size_t m = 0; m < setting.measures.size(); ++m)
    if (chart.series[0].values[m] > chart.series[1].values[m]) ++better;
  report.findings.push_back(fmt::format("With sub-views the clusters agree better for {} of {}.",
                                        better, setting.measures.size()));
  report.tables.push_back(table);
  report.figures.push_back({"", svg_of(chart)});
  return report;
}

}  // namespace tsmini::experiment
