// How fast the measures are: pairs of 100 × 100 points a second on one core, for every SIMD target,
// in single and double precision, beside the scalar twin and the floor that the arithmetic sets;
// and all pairs of real trips on all cores.
//
//   bench_measure                   trips of $TSMINI_DATA/porto.tsv.gz, where it is set
//
// The floor counts the vector operations of a cell in single precision and divides by the two a
// cycle that AVX-512 can issue (docs/measures.md); the clock is measured. Times are processor time
// of the thread, best of many short runs.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "tsmini/dataset.h"
#include "tsmini/import.h"
#include "tsmini/pair_engine.h"
#include "tsmini/simd.h"

#include "base/random.h"
#include "base/stopwatch.h"
#include "base/timing.h"

namespace {

using namespace tsmini;
namespace fs = std::filesystem;

constexpr std::size_t points = 100;
constexpr std::size_t base_size = 256;

// From a chain of multiplications, three cycles each on every processor of the last decade.
double clock_hertz() {
  constexpr int steps = 1'000'000;
  volatile std::uint64_t sink = 3;
  const double seconds = best_seconds(0.05, [&] {
    std::uint64_t x = sink;
    for (int i = 0; i < steps; ++i) x = x * x + 0;
    sink = x | 1;
  });
  return 3.0 * steps / seconds;
}

PlanarSet walks(std::size_t count, std::uint64_t seed) {
  std::vector<Planar> all;
  std::vector<std::uint64_t> offsets{0};
  for (std::size_t i = 0; i < count; ++i) {
    Random random(seed, i);
    Planar p{random.uniform(-1, 1), random.uniform(-1, 1)};
    double heading = random.uniform(0, 6.28);
    for (std::size_t k = 0; k < points; ++k) {
      all.push_back(p);
      heading += 0.3 * random.normal();
      p.x += 0.03 * std::cos(heading);
      p.y += 0.03 * std::sin(heading);
    }
    offsets.push_back(all.size());
  }
  return PlanarSet(std::move(all), std::move(offsets));
}

// Vector operations of a cell in single precision; 0 where there is no fixed number.
double operations(Measure measure) {
  switch (measure) {
    case Measure::dtw: return 14;
    case Measure::frechet: return 7;
    case Measure::hausdorff: return 6;
    case Measure::hausdorff_segment:
    case Measure::sspd: return 22;
    case Measure::edwp: return 85;
    case Measure::erp: return 16;
    case Measure::edr: return 10;
    case Measure::lcss: return 9;
    case Measure::frechet_continuous: break;
  }
  return 0;
}

MeasureSettings settings_for(Measure measure) {
  MeasureSettings settings;
  if (measure == Measure::edr || measure == Measure::lcss) settings.epsilon = 0.2;
  return settings;
}

void bench_pairs() {
  const PlanarSet base = walks(base_size, 1);
  const PlanarSet query = walks(1, 2);
  const double hertz = clock_hertz();
  fmt::print("{} x {} points, pairs per second and core, {:.2f} GHz\n\n", points, points,
             hertz / 1e9);
  fmt::print("{:<20}{:>9}{:>8}{:>12}{:>12}{:>9}{:>8}\n", "measure", "twin", "target", "single",
             "double", "x twin", "floor");
  for (const Measure measure : all_measures) {
    const MeasureSettings settings = settings_for(measure);
    std::size_t next = 0;
    const double twin = 1 / best_seconds(0.3, [&] {
                          distance(measure, query[0], base[next++ % base_size], settings);
                        });
    for (const std::string_view target : simd_targets()) {
      force_simd_target(target);
      std::vector<double> rates;
      for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
        const PairEngine engine(measure, base, settings, precision);
        std::vector<double> row(base_size);
        rates.push_back(base_size / best_seconds(0.5, [&] {
                          engine.one_to_many(query[0], std::span<double>(row));
                        }));
      }
      const double floor = 16 * hertz / (points * points * operations(measure) / 2);
      const bool has_floor = target == "AVX3" && operations(measure) > 0;
      fmt::print("{:<20}{:>9.0f}{:>8}{:>12.0f}{:>12.0f}{:>9.1f}{:>8}\n", name_of(measure), twin,
                 target, rates[0], rates[1], rates[0] / twin,
                 has_floor ? fmt::format("{:.0f} %", 100 * rates[0] / floor) : "");
    }
  }
  force_simd_target(simd_targets().front());
}

void bench_trips(const fs::path& file) {
  const fs::path folder = fs::temp_directory_path() / fmt::format("tsmini-bench-{}", ::getpid());
  fs::create_directories(folder);
  ImportOptions options;
  options.clean.bbox = Box{-8.7005, 41.1001, -8.5192, 41.2086};
  options.split = SplitOptions{.train = 7000};
  import_files({file}, folder / "trips.tsd", options);
  const Dataset data = Dataset::open(folder / "trips.tsd");
  const PlanarSet trips(data, Space::fit(SpaceKind::zscore, data), data.indices_of(Part::train));
  std::vector<float> distances(trips.size() * (trips.size() - 1) / 2);
  fmt::print("\nall {} pairs of {} Porto trips\n", distances.size(), trips.size());
  for (const Measure measure :
       {Measure::frechet, Measure::dtw, Measure::hausdorff, Measure::edwp}) {
    const PairEngine engine(measure, trips);
    const double before = processor_seconds(CLOCK_PROCESS_CPUTIME_ID);
    const Stopwatch watch;
    engine.all_pairs(distances);
    const double wall = watch.seconds();
    fmt::print("{:<20}{:>8.2f} s, {:.2f} s of processor time; lane waste {:.1f} %\n",
               name_of(measure), wall, processor_seconds(CLOCK_PROCESS_CPUTIME_ID) - before,
               100 * engine.lane_waste());
  }
  fs::remove_all(folder);
}

}  // namespace

int main() {
  bench_pairs();
  const char* folder = std::getenv("TSMINI_DATA");
  const fs::path file = folder != nullptr ? fs::path(folder) / "porto.tsv.gz" : fs::path();
  if (!file.empty() && fs::exists(file)) bench_trips(file);
}
