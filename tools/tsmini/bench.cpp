#include <chrono>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/measure.h"
#include "tsmini/pairs.h"
#include "tsmini/planar_set.h"
#include "tsmini/version.h"

#include "base/random.h"
#include "base/text.h"
#include "common/console.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

struct BenchArguments {
  std::string what, target;
  std::size_t points = 100;
  double seconds = 0.3;
};

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

// How many pairs a second `work` does; it says how many a call is.
template <class Work>
double rate_of(double seconds, const Work& work) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  double pairs = 0, elapsed = 0;
  do {
    throw_if_interrupted();
    pairs += static_cast<double>(work());
    elapsed = std::chrono::duration<double>(Clock::now() - start).count();
  } while (elapsed < seconds);
  return pairs / elapsed;
}

struct Cell {
  Measure measure;
  Precision precision;
  double rate = 0, naive_rate = 0;
};

std::string_view name_of(Precision precision) {
  return precision == Precision::single_precision ? "single" : "double";
}

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

  double naive_rate(Measure measure) const {
    std::size_t next = 0;
    double sum = 0;
    return rate_of(seconds_, [&] {
      const auto query = queries_[next % queries_.size()], other = base_[next % base_.size()];
      sum += distance(measure, query, other, settings_for(measure));
      ++next;
      return std::isfinite(sum) ? 1 : 0;  // the sum is used, so that nothing is optimised away
    });
  }

  double engine_rate(Measure measure, Precision precision) const {
    const PairEngine engine(measure, base_, settings_for(measure), precision);
    std::vector<double> distances(engine.size());
    std::size_t next = 0;
    return rate_of(seconds_, [&] {
      engine.one_to_many(queries_[next++ % queries_.size()], std::span<double>(distances));
      return distances.size();
    });
  }

  double seconds_;
  PlanarSet base_, queries_;
};

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (line.starts_with("model name") && colon != std::string::npos) {
      return std::string(trimmed(std::string_view(line).substr(colon + 1)));
    }
  }
  return "unknown";
}

void print_json(const std::vector<Cell>& cells, const BenchArguments& a) {
  Json json = {{"version", version()}, {"cpu", cpu_model()}, {"simd", simd_target()}};
  auto& list = json["measures"] = Json::array();
  for (const Cell& cell : cells) {
    list.push_back({{"measure", tsmini::name_of(cell.measure)},
                    {"points", a.points},
                    {"precision", name_of(cell.precision)},
                    {"pairs_per_second", cell.rate},
                    {"ratio_to_naive", cell.rate / cell.naive_rate}});
  }
  fmt::print("{}\n", json.dump(2));
}

void print_table(const std::vector<Cell>& cells, const BenchArguments& a) {
  fmt::print("tsmini {}, {}, {}, one core\n", version(), cpu_model(), simd_target());
  fmt::print("{} x {} points: pairs a second, and times the naive twin\n", a.points, a.points);
  fmt::print("{:<20}{:>12}{:>8}{:>14}{:>8}\n", "measure", "single", "", "double", "");
  for (std::size_t i = 0; i < cells.size(); i += 2) {
    fmt::print("{:<20}", tsmini::name_of(cells[i].measure));
    for (const Cell& cell : {cells[i], cells[i + 1]}) {
      fmt::print("{:>12}{:>7.1f}x{}", with_thousands(static_cast<std::uint64_t>(cell.rate)),
                 cell.rate / cell.naive_rate,
                 cell.precision == Precision::single_precision ? "  " : "\n");
    }
  }
}

void run(const BenchArguments& a, const CommonOptions& common) {
  if (!a.target.empty()) force_simd_target(a.target);
  const Console console(common.quiet);
  const auto cells = MeasureBench(a).run(console.progress("measuring", Unit::trips));
  if (common.json) {
    print_json(cells, a);
  } else {
    print_table(cells, a);
  }
}

}  // namespace

void add_bench(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<BenchArguments>();
  CLI::App* verb = app.add_subcommand("bench", "Say how fast this machine is");
  verb->footer(
      "measures: pairs of random walks a second on one core, for every measure.\n"
      "Example:\n"
      "  tsmini bench measures --points 100");
  verb->add_option("WHAT", a->what, "measures")
      ->required()
      ->check(CLI::IsMember({"measures"}))
      ->option_text("measures");
  verb->add_option("--points", a->points, "Of a trajectory (default 100)")
      ->check(CLI::Range(2, 10'000))
      ->option_text("N");
  verb->add_option("--seconds", a->seconds, "For each figure (default 0.3)")
      ->check(CLI::Range(0.001, 3600.0))
      ->option_text("S");
  verb->add_option("--target", a->target, "SIMD target to use instead of the best")
      ->option_text("NAME");
  add_common(*verb, common, Reports::yes);
  verb->callback([a, &common] { run(*a, common); });
}

}  // namespace tsmini::cli
