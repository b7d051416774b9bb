#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tsmini/measure.h"
#include "tsmini/pair_engine.h"
#include "tsmini/planar_set.h"

#include "base/amounts.h"
#include "base/enum_names.h"
#include "base/random.h"
#include "base/timing.h"
#include "bench.h"
#include "common/console.h"
#include "common/document.h"

namespace tsmini::cli {
namespace {

constexpr double step = 100;  // metres between points

// Walks of one length, whose heading changes slowly, from starts all over a city.
PlanarSet random_walks(std::size_t count, std::size_t length, std::uint64_t seed) {
  std::vector<Planar> points;
  std::vector<std::uint64_t> offsets{0};
  for (std::size_t i = 0; i < count; ++i) {
    Random random(seed, i);
    Planar p{random.uniform(-5000, 5000), random.uniform(-5000, 5000)};
    double heading = random.uniform(0, 6.28);
    for (std::size_t k = 0; k < length; ++k) {
      points.push_back(p);
      heading += 0.3 * random.normal();
      p = {p.x + step * std::cos(heading), p.y + step * std::sin(heading)};
    }
    offsets.push_back(points.size());
  }
  return {std::move(points), std::move(offsets)};
}

struct Cell {
  Measure measure;
  Precision precision;
  double rate = 0, naive_rate = 0;
};

class MeasureBench {
 public:
  explicit MeasureBench(const BenchArguments& a)
      : seconds_(a.seconds),
        base_(random_walks(256, a.points, 1)),
        queries_(random_walks(64, a.points, 2)) {}

  std::vector<Cell> run(const Progress& progress) {
    std::vector<Cell> cells;
    for (const Measure measure : all_measures) {
      const double naive = naive_rate(measure);
      for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
        cells.push_back({measure, precision, engine_rate(measure, precision), naive});
      }
      progress({cells.size(), 2 * all_measures.size()});
    }
    return cells;
  }

 private:
  static MeasureSettings settings_for(Measure measure) {
    MeasureSettings settings;
    if (measure == Measure::edr || measure == Measure::lcss) settings.epsilon = step;
    return settings;
  }

  // How many pairs a second `work` does, which does so many.
  template <class Work>
  double rate_of(std::size_t pairs, const Work& work) const {
    return static_cast<double>(pairs) / best_seconds(seconds_, [&] {
             throw_if_interrupted();
             work();
           });
  }

  double naive_rate(Measure measure) const {
    // A million cells a time: long enough to be timed, short enough to be repeated.
    const std::size_t points = base_.length(0);
    const std::size_t pairs = std::max<std::size_t>(1'000'000 / (points * points), 1);
    std::size_t next = 0;
    return rate_of(pairs, [&] {
      for (std::size_t i = 0; i < pairs; ++i, ++next) {
        const auto query = queries_[next % queries_.size()], other = base_[next % base_.size()];
        distance(measure, query, other, settings_for(measure));
      }
    });
  }

  double engine_rate(Measure measure, Precision precision) const {
    const PairEngine engine(measure, base_, settings_for(measure), precision);
    std::vector<double> distances(engine.size());
    std::size_t next = 0;
    return rate_of(engine.size(), [&] {
      engine.one_to_many(queries_[next++ % queries_.size()], std::span<double>(distances));
    });
  }

  double seconds_;
  PlanarSet base_, queries_;
};

void print_json(const std::vector<Cell>& cells, const BenchArguments& a) {
  auto json = machine_facts();
  auto& list = json["measures"] = nlohmann::ordered_json::array();
  for (const Cell& cell : cells) {
    list.push_back({{"measure", name_of(cell.measure)},
                    {"points", a.points},
                    {"precision", name_in(precision_names, cell.precision)},
                    {"pairs_per_second", cell.rate},
                    {"ratio_to_naive", cell.rate / cell.naive_rate}});
  }
  print_document(json);
}

void print_table(const std::vector<Cell>& cells, const BenchArguments& a) {
  fmt::print("{}\n", machine_line());
  fmt::print("{} x {} points: pairs a second, and times the naive twin\n", a.points, a.points);
  fmt::print("{:<20}{:>12}{:>8}{:>14}{:>8}\n", "measure", "single", "", "double", "");
  for (std::size_t i = 0; i < cells.size(); i += 2) {
    fmt::print("{:<20}", name_of(cells[i].measure));
    for (const Cell& cell : {cells[i], cells[i + 1]}) {
      fmt::print("{:>12}{:>7.1f}x{}", human_number(cell.rate), cell.rate / cell.naive_rate,
                 cell.precision == Precision::single_precision ? "  " : "\n");
    }
  }
}

}  // namespace

void bench_measures(const BenchArguments& a, const CommonOptions& common) {
  const Console console(common.quiet);
  const auto cells = MeasureBench(a).run(console.progress("measuring", Unit::trips));
  if (common.json) {
    print_json(cells, a);
  } else {
    print_table(cells, a);
  }
}

}  // namespace tsmini::cli
