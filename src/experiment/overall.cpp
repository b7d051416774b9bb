#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "experiment/experiments.h"
#include "experiment/paper_figures.h"
#include "experiment/rival_rows.h"
#include "experiment/scoring.h"
#include "experiment/sketch.h"
#include "experiment/study.h"

namespace tsmini::experiment {
namespace {

// A method: its line of the table, and HR@10 a measure for its bars.
struct Line {
  explicit Line(const std::string& title) : cells{title} {}

  void add(const Cell& first, const Cell& second, const Cell& third) {
    cells.insert(cells.end(), {first, second, third});
    hr10.push_back(first.value.value_or(std::nan("")));
  }

  std::vector<Cell> cells;
  std::vector<double> hr10;
};

Line paper_line(const Setting& setting, std::string_view city) {
  Line line(fmt::format("the paper, {}", city));
  for (const Measure measure : setting.measures) {
    const auto score = paper_score(city, "full", measure);
    if (score)
      line.add(ratio(score->hr10), ratio(score->hr50), ratio(score->r10at50));
    else
      line.add("–", "–", "–");
  }
  return line;
}

Line preset_line(Lab& lab, const Setting& setting, const char* preset) {
  const Variant variant{fmt::format("`{}` preset", preset), preset, {}};
  Line line(variant.name);
  for (const Measure measure : setting.measures) {
    const Outcome outcome = outcome_of(lab, setting, variant, measure);
    line.add(outcome.hr10.cell(), outcome.hr50.cell(), outcome.r10at50.cell());
  }
  return line;
}

Line sketch_line(Lab& lab, const Setting& setting, const Sketch& sketch) {
  const Dataset& data = setting.city.data;
  const Space space = Space::fit(setting.space, data);
  const PlanarSet trips(data, space, data.indices_of(Part::test));
  Line line(fmt::format("{}, not learned", sketch.title));
  for (const Measure measure : setting.measures) {
    const auto truth = lab.truth(measure, space, data);
    const RetrievalScore score = truth.empty()
                                     ? RetrievalScore()
                                     : score_of(sketch_distances(sketch, trips, measure), truth);
    line.add(ratio(score.hr10), ratio(score.hr50), ratio(score.r10at50));
  }
  return line;
}

Rated rated_as(Lab& lab, const Setting& setting, const Contender& contender, Report& report) {
  Rated rated{contender, {}};
  for (const Measure measure : setting.measures)
    rated.outcomes.push_back(rival_outcome(lab, setting, setting.city, contender, measure, report));
  return rated;
}

Line rival_line(const Rated& rated) {
  Line line(rated.contender.title());
  for (const RivalOutcome& outcome : rated.outcomes)
    line.add(marked(outcome.hr10, outcome.rising), outcome.hr50.cell(), outcome.r10at50.cell());
  return line;
}

// A group of bars a method, one bar a measure.
class MethodsChart {
 public:
  explicit MethodsChart(const Setting& setting) : chart_(ratio_chart(setting.city.name, {})) {
    for (const Measure measure : setting.measures) chart_.series.push_back({title_of(measure), {}});
  }

  void add(const std::string& name, const Line& line) {
    chart_.groups.push_back(name);
    for (std::size_t m = 0; m < chart_.series.size(); ++m)
      chart_.series[m].values.push_back(line.hr10[m]);
  }

  std::string svg() {
    constexpr double group_width = 95;
    chart_.width = std::max(chart_.width, group_width * static_cast<double>(chart_.groups.size()));
    return svg_of(chart_);
  }

 private:
  BarChart chart_;
};

std::size_t count_above(const Line& line, const Line& other) {
  std::size_t above = 0;
  for (std::size_t m = 0; m < line.hr10.size(); ++m)
    if (line.hr10[m] > other.hr10[m]) ++above;
  return above;
}

// "DTW .639, Fréchet .792".
std::string figures_of(const Setting& setting, const Line& line) {
  std::string text;
  for (std::size_t m = 0; m < line.hr10.size(); ++m)
    text += fmt::format("{}{} {}", m == 0 ? "" : ", ", title_of(setting.measures[m]),
                        ratio(line.hr10[m]).text);
  return text;
}

}  // namespace

Report overall(const Setting& setting, Lab& lab) {
  Report report{"overall", "Hit ratios for each measure", made_with(setting), {}, {}, {}};
  const std::string_view beside = paper_city(setting.city.name);
  const std::size_t count = setting.measures.size();
  MethodsChart chart(setting);
  std::vector<Line> lines{paper_line(setting, beside)};
  chart.add(fmt::format("the paper, {}", beside), lines.front());
  for (const char* preset : {"paper", "default"}) {
    lines.push_back(preset_line(lab, setting, preset));
    chart.add(fmt::format("{} preset", preset), lines.back());
    report.findings.push_back(fmt::format("`{}`: HR@10 above the paper's on {} for {} of {}.",
                                          preset, beside, count_above(lines.back(), lines[0]),
                                          count));
  }
  report.findings.push_back(
      fmt::format("From `paper` to `default` HR@10 changes by {:+.3f} in the mean.",
                  spread_of(lines[2].hr10).mean - spread_of(lines[1].hr10).mean));
  for (const Sketch& sketch : sketches()) lines.push_back(sketch_line(lab, setting, sketch));
  const std::string sketched(sketches().front().title);
  const Line simple = lines[3];
  chart.add(sketched, simple);
  report.findings.push_back(
      fmt::format("{}, without learning: HR@10 {}; `paper` is above for {} of {}, `default` "
                  "for {}.",
                  sketched, figures_of(setting, simple), count_above(lines[1], simple), count,
                  count_above(lines[2], simple)));
  std::vector<Rated> rated;
  for (const Contender& contender : contenders(setting.rivals, report.name)) {
    rated.push_back(rated_as(lab, setting, contender, report));
    lines.push_back(rival_line(rated.back()));
    if (!contender.as_released) chart.add(contender.title(), lines.back());
  }
  Table table{"Hit ratios", {"method"}, {}, ""};
  for (const Measure measure : setting.measures)
    for (const char* figure : {"HR@10", "HR@50", "R10@50"})
      table.columns.push_back(fmt::format("{} {}", title_of(measure), figure));
  for (const Line& line : lines) table.rows.push_back(line.cells);
  table.note = "Not learned: a few points of a trip, compared one by one with those of the other.";
  if (!rated.empty()) table.note += fmt::format(" {}", mark_note);
  report.tables.push_back(table);
  if (!rated.empty()) {
    report.made_with.push_back(rivals_with(setting.rivals));
    report.tables.push_back(rivals_table(setting, rated, beside));
    for (const std::string& sentence : counted_below(setting, rated, simple.hr10, sketched))
      report.findings.push_back(sentence);
  }
  report.figures.push_back({"", chart.svg()});
  return report;
}

}  // namespace tsmini::experiment
