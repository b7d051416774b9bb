#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/exact_search.h"
#include "tsmini/line_chart.h"

#include "base/amounts.h"
#include "base/file.h"
#include "base/stopwatch.h"
#include "bench.h"
#include "common/console.h"
#include "common/document.h"
#include "common/measure_options.h"
#include "common/outputs.h"

namespace tsmini::cli {
namespace {

constexpr std::size_t smallest = 10'000;  // trips, then ten times as many

struct GrowthFigures {
  Measure measure;
  std::size_t trips = 0;
  double median = 0, p99 = 0;  // milliseconds a query
  double distances = 0;        // computed a query
};

GrowthFigures measured(Measure measure, const MeasureSettings& settings, const PlanarSet& base,
                       const PlanarSet& queries, std::size_t k, const Heartbeat& heartbeat) {
  const ExactSearch search(measure, base, settings);
  SearchWork work;
  std::vector<double> times;
  search.nearest(queries[0], k);
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const Stopwatch watch;
    search.nearest(queries[q], k, ExactSearch::nothing, &work);
    times.push_back(watch.milliseconds());
    heartbeat.advance(1);
  }
  std::sort(times.begin(), times.end());
  return {measure, base.size(), times[times.size() / 2], times[times.size() * 99 / 100],
          static_cast<double>(work.pairs) / static_cast<double>(queries.size())};
}

LineChart chart_of(const std::vector<GrowthFigures>& rows, std::size_t k) {
  LineChart chart;
  chart.title = fmt::format("Exact search for the {} nearest", k);
  chart.x_title = "trips";
  chart.log_x = true;
  chart.panels = {{"median [ms]", {}, 0.0, {}}, {"99th percentile [ms]", {}, 0.0, {}}};
  for (const GrowthFigures& row : rows) {
    const std::string name(name_of(row.measure));
    for (ChartPanel& panel : chart.panels) {
      if (panel.lines.empty() || panel.lines.back().name != name) panel.lines.push_back({name, {}});
    }
    const auto n = static_cast<double>(row.trips);
    chart.panels[0].lines.back().points.push_back({n, row.median});
    chart.panels[1].lines.back().points.push_back({n, row.p99});
  }
  return chart;
}

void print_json(const std::vector<GrowthFigures>& rows, const BenchArguments& a) {
  auto json = machine_facts();
  json["queries"] = a.queries;
  json["k"] = a.k;
  auto& list = json["searches"] = nlohmann::ordered_json::array();
  for (const GrowthFigures& row : rows) {
    list.push_back({{"measure", name_of(row.measure)},
                    {"trips", row.trips},
                    {"p50_ms", row.median},
                    {"p99_ms", row.p99},
                    {"distances_per_query", row.distances}});
  }
  print_document(json);
}

void print_table(const std::vector<GrowthFigures>& rows, const BenchArguments& a) {
  fmt::print("{}\n{} nearest, {}, exact\n", machine_line(), a.k, counted(a.queries, "query"));
  fmt::print("{:<20}{:>12}{:>10}{:>10}{:>12}\n", "measure", "trips", "p50", "p99", "distances");
  for (const GrowthFigures& row : rows) {
    fmt::print("{:<20}{:>12}{:>10}{:>10}{:>12}\n", name_of(row.measure), with_thousands(row.trips),
               human_seconds(row.median / 1000), human_seconds(row.p99 / 1000),
               human_number(row.distances));
  }
}

}  // namespace

void bench_growth(const BenchArguments& a, const CommonOptions& common) {
  std::vector<Measure> measures;
  for (const std::string& name : a.measures) measures.push_back(measure_from(name));
  if (measures.empty()) measures = {Measure::dtw, Measure::frechet, Measure::hausdorff};
  check_outputs({a.inputs[0]}, {a.output});
  std::optional<OutputFile> picture;
  if (!a.output.empty()) picture.emplace(a.output);
  const Console console(common.quiet);
  MeasureSetup setup({});
  const MeasuredSet set = setup.load(bench_trips(a, 0), {}, console);
  const std::span<const std::size_t> indices = set.indices;
  std::vector<std::size_t> sizes;
  for (std::size_t n = smallest; n + a.queries <= set.size(); n *= 10) sizes.push_back(n);
  if (sizes.empty()) {
    throw Error(ErrorCode::usage,
                fmt::format("{} has {}, of which {} leave less than {} to search", a.inputs[0],
                            counted(set.size(), "trip"), counted(a.queries, "query"),
                            with_thousands(smallest)),
                "take a larger data set");
  }
  MeasureSettings settings = setup.settings();
  settings.epsilon = a.epsilon;
  const PlanarSet queries(set.data, setup.space(), indices.first(a.queries));
  const Heartbeat heartbeat(console.progress("searching", Unit::trips),
                            sizes.size() * measures.size() * a.queries);
  std::vector<GrowthFigures> rows;
  for (const Measure measure : measures) {
    for (const std::size_t size : sizes) {
      const PlanarSet base(set.data, setup.space(), indices.subspan(a.queries, size));
      rows.push_back(measured(measure, settings, base, queries, a.k, heartbeat));
    }
  }
  if (picture) {
    picture->write(svg_of(chart_of(rows, a.k)));
    picture->commit();
  }
  if (common.json) {
    print_json(rows, a);
  } else {
    print_table(rows, a);
  }
}

}  // namespace tsmini::cli
