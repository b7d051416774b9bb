#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "tsmini/line_chart.h"

#include "experiment/experiments.h"
#include "experiment/paper_figures.h"
#include "experiment/variants.h"

namespace tsmini::experiment {
namespace {

constexpr std::array<std::size_t, 5> batches{32, 64, 128, 256, 512};
constexpr std::array<double, 6> lambdas{0, 0.2, 0.4, 0.6, 0.8, 1};

Variant with_batch(std::size_t batch) {
  return {fmt::format("batch {}", batch), studied_preset,
          [batch](Recipe& recipe) { recipe.batch = batch; }};
}

Variant with_lambda(double lambda) {
  return {fmt::format("lambda {}", lambda), studied_preset,
          [lambda](Recipe& recipe) { recipe.loss.lambda = lambda; }};
}

// Seconds until a run first validated at this HR@10; not a number where it never did.
double seconds_to(double hr10, const Trained& run) {
  const auto found = std::find_if(run.stages.begin(), run.stages.end(),
                                  [&](const Stage& stage) { return stage.hr10 >= hr10; });
  return found == run.stages.end() ? std::nan("") : found->seconds;
}

double best_of(const Trained& run) {
  double best = 0;
  for (const Stage& stage : run.stages) best = std::max(best, stage.hr10);
  return best;
}

// What every run reaches: the worst of their best.
double common_hr10(const std::vector<Trained>& runs) {
  double least = 1;
  for (const Trained& run : runs) least = std::min(least, best_of(run));
  return least;
}

void study_batches(Report& report, const Setting& setting, Lab& lab) {
  Table table{"Batch size", {"measure"}, {}, ""};
  for (const std::size_t batch : batches) table.columns.push_back(fmt::format("{}", batch));
  Table times = table, equal = table;
  table.title = "HR@10 by batch size, as many steps each";
  times.title = "Training time by batch size";
  equal.title = "Time until validation HR@10 reaches what all of them reach";
  LineChart chart;
  chart.title = setting.city.name;
  chart.x_title = "batch size";
  chart.log_x = true;
  chart.panels = {{"HR@10", {}, {}, {}}, {"training time [s]", {}, 0.0, {}}};
  for (const Measure measure : setting.measures) {
    std::vector<Cell> ratios{title_of(measure)}, seconds{title_of(measure)};
    ChartLine line{title_of(measure), {}}, time_line = line;
    std::vector<Trained> runs;
    for (const std::size_t batch : batches) {
      const Outcome outcome = outcome_of(lab, setting, with_batch(batch), measure);
      ratios.push_back(outcome.hr10.cell());
      seconds.push_back(seconds_of(outcome.seconds));
      line.points.push_back({static_cast<double>(batch), outcome.hr10.mean});
      time_line.points.push_back({static_cast<double>(batch), outcome.seconds});
      runs.push_back(outcome.runs.front());
    }
    const double goal = common_hr10(runs);
    std::vector<Cell> waits{fmt::format("{} ({})", title_of(measure), ratio(goal).text)};
    for (const Trained& run : runs) waits.push_back(seconds_of(seconds_to(goal, run)));
    table.rows.push_back(ratios);
    times.rows.push_back(seconds);
    equal.rows.push_back(waits);
    chart.panels[0].lines.push_back(line);
    chart.panels[1].lines.push_back(time_line);
  }
  std::vector<Cell> paper{"the paper on Xi'an"};
  for (const double hours : paper_batch_hours) paper.push_back(rounded(hours, " h"));
  times.rows.push_back(paper);
  times.note =
      "The paper's steps fall with the square of the batch size, so its times do too; here all "
      "runs have as many steps.";
  report.tables.insert(report.tables.end(), {table, times, equal});
  report.figures.push_back({"", svg_of(chart)});
}

void study_lambda(Report& report, const Setting& setting, Lab& lab) {
  Table table{"HR@10 by λ, the share of the squared error in the loss", {"measure"}, {}, ""};
  for (const double lambda : lambdas) table.columns.push_back(fmt::format("{}", lambda));
  LineChart chart;
  chart.title = setting.city.name;
  chart.x_title = "λ";
  chart.panels = {{"HR@10", {}, {}, {}}};
  std::size_t both = 0, ranking = 0;
  for (const Measure measure : setting.measures) {
    std::vector<Cell> row{title_of(measure)};
    ChartLine line{title_of(measure), {}};
    for (const double lambda : lambdas) {
      const Outcome outcome = outcome_of(lab, setting, with_lambda(lambda), measure);
      row.push_back(outcome.hr10.cell());
      line.points.push_back({lambda, outcome.hr10.mean});
    }
    const double alone = line.points.front().y, none = line.points.back().y;
    double mixed = 0;
    for (std::size_t i = 1; i + 1 < line.points.size(); ++i)
      mixed = std::max(mixed, line.points[i].y);
    if (mixed > std::max(alone, none)) ++both;
    if (alone > none) ++ranking;
    table.rows.push_back(row);
    chart.panels[0].lines.push_back(line);
  }
  report.tables.push_back(table);
  report.figures.push_back({"-lambda", svg_of(chart)});
  const std::size_t count = setting.measures.size();
  report.findings.push_back(fmt::format(
      "Both losses together are better than either alone for {} of {} measures; the ranking loss "
      "alone is better than the squared error alone for {}.",
      both, count, ranking));
}

}  // namespace

Report parameters(const Setting& setting, Lab& lab) {
  Report report{
      "parameters", "Batch size and the weight of the losses", made_with(setting), {}, {}, {}};
  report.made_with.push_back(fmt::format("`{}` preset", studied_preset));
  study_batches(report, setting, lab);
  study_lambda(report, setting, lab);
  return report;
}

}  // namespace tsmini::experiment
