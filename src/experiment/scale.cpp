#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"
#include "experiment/experiments.h"
#include "experiment/paper_figures.h"
#include "experiment/rival_rows.h"
#include "experiment/study.h"
#include "experiment/synthetic.h"
#include "experiment/trip_sets.h"

namespace tsmini::experiment {
namespace {

constexpr std::array<std::size_t, 3> multiples{1, 2, 4};

// A quarter of what there is to learn from, marked or not, in round numbers.
std::size_t unit_of(const Dataset& data) {
  const std::size_t quarter =
      (data.indices_of(Part::train).size() + data.indices_of(Part::none).size()) / 4;
  return quarter < 1000 ? quarter : quarter / 500 * 500;
}

struct Size {
  std::size_t count;
  City city;  // with so many trips to learn from
};

std::vector<Size> sizes_of(const Dataset& data, const std::string& name) {
  std::vector<Size> sizes;
  for (const std::size_t multiple : multiples) {
    const std::size_t count = multiple * unit_of(data);
    sizes.push_back(
        {count,
         {fmt::format("{} of {}", with_thousands(count), name), with_training_set(data, count)}});
  }
  return sizes;
}

void add_rivals(Report& report, Table& table, const Setting& setting, Lab& lab, const City& city,
                const std::vector<Size>& sizes, Measure measure) {
  for (const Contender& contender : contenders(setting.rivals, report.name)) {
    std::vector<double> hr10;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const RivalOutcome outcome =
          rival_outcome(lab, setting, sizes[i].city, contender, measure, report);
      table.rows.push_back({{contender.title()},
                            count_of(static_cast<double>(sizes[i].count)),
                            seconds_of(outcome.label_seconds),
                            seconds_of(outcome.pretraining_seconds + outcome.seconds),
                            marked(outcome.hr10, outcome.rising),
                            outcome.hr50.cell(),
                            outcome.r10at50.cell(),
                            ratio(paper_rival_scale(contender.rival.name, i)),
                            {"–"}});
      hr10.push_back(outcome.hr10.mean);
    }
    const double change = hr10.back() - hr10.front();
    if (std::isfinite(change))
      report.findings.push_back(fmt::format("{}, {}: four times the trips change HR@10 by {:+.3f}.",
                                            city.name, contender.title(), change));
  }
}

void study(Report& report, BarChart& chart, const Setting& setting, Lab& lab, const City& city,
           Measure measure) {
  Table table{fmt::format("{}, {}", city.name, title_of(measure)),
              {"method", "trips to learn from", "true distances", "training", "HR@10", "HR@50",
               "R10@50", "HR@10, the paper on Xi'an", "true distances, the paper"},
              {},
              ""};
  const std::vector<Size> sizes = sizes_of(city.data, city.name);
  for (const char* preset : {"paper", "default"}) {
    BarChart::Series series{fmt::format("{}, {}", city.name, preset), {}};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const Outcome outcome =
          outcome_of(lab, setting, sizes[i].city, {preset, preset, {}}, measure);
      table.rows.push_back({{fmt::format("`{}`", preset)},
                            count_of(static_cast<double>(sizes[i].count)),
                            seconds_of(outcome.label_seconds),
                            seconds_of(outcome.seconds),
                            outcome.hr10.cell(),
                            outcome.hr50.cell(),
                            outcome.r10at50.cell(),
                            ratio(paper_scale_hr10[i]),
                            seconds_of(paper_scale_label_seconds[i])});
      series.values.push_back(outcome.hr10.mean);
    }
    report.findings.push_back(
        fmt::format("{}, `{}`: four times the trips change HR@10 by {:+.3f} (the paper: {:+.3f}).",
                    city.name, preset, series.values.back() - series.values.front(),
                    paper_scale_hr10.back() - paper_scale_hr10.front()));
    chart.series.push_back(series);
  }
  add_rivals(report, table, setting, lab, city, sizes, measure);
  if (setting.rivals.any())
    table.note = fmt::format("{} Training of a rival includes its pretraining.", mark_note);
  report.tables.push_back(table);
}

}  // namespace

Report scale(const Setting& setting, Lab& lab) {
  Report report{"scale", "More trips to learn from", made_with(setting), {}, {}, {}};
  report.made_with.emplace_back(
      "composed trips of the `default` preset fill up what real ones leave; true distances: those "
      "made before the first step, the others are made while training");
  if (setting.rivals.any()) report.made_with.push_back(rivals_with(setting.rivals));
  const Measure by = Measure::frechet;
  BarChart chart = ratio_chart(title_of(by), {});
  for (const std::size_t multiple : multiples)
    chart.groups.push_back(fmt::format("{} ×", multiple));
  study(report, chart, setting, lab, setting.city, by);
  study(report, chart, setting, lab,
        synthetic_city({.train = 4 * setting.synthetic, .others = 3 * setting.synthetic / 7}), by);
  report.figures.push_back({"", svg_of(chart)});
  return report;
}

}  // namespace tsmini::experiment
