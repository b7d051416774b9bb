// All pairs of a data set on the GPU: time on the device, and the largest difference from the
// reference on a sample.
//
//   bench_cuda DATA.tsd [COUNT]        the first COUNT trajectories (default: 7,000), in zscore
//   space
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "tsmini/cuda_pairs.h"
#include "tsmini/dataset.h"

#include "base/random.h"

namespace {

using namespace tsmini;

std::size_t condensed_index(std::size_t n, std::size_t i, std::size_t j) {
  return i * (2 * n - i - 1) / 2 + (j - i - 1);
}

void bench(Measure measure, const PlanarSet& trips, const CudaPairs& pairs) {
  constexpr int repetitions = 5;
  std::vector<double> times;
  for (int i = 0; i < repetitions; ++i) times.push_back(pairs.time_all_pairs(measure));
  std::sort(times.begin(), times.end());

  const std::size_t n = trips.size();
  std::vector<float> condensed(n * (n - 1) / 2, NAN);
  pairs.all_pairs(measure, condensed);
  Random random(1);
  constexpr int checks = 20'000;
  double worst = 0;
  int off = 0;
  for (int k = 0; k < checks; ++k) {
    const std::size_t a = random.below(n), b = random.below(n);
    if (a == b) continue;
    const std::size_t i = std::min(a, b), j = std::max(a, b);
    const double truth = distance(measure, trips[i], trips[j]);
    const double found = condensed[condensed_index(n, i, j)];
    const double error = std::abs(found - truth) / std::max(truth, 1e-9);
    if (!(error <= 1e-3)) ++off;
    worst = std::max(worst, std::isnan(error) ? 1e9 : error);
  }
  double cells = 0;
  std::vector<double> lengths(n);
  for (std::size_t i = 0; i < n; ++i) lengths[i] = static_cast<double>(trips.length(i));
  const double sum = std::accumulate(lengths.begin(), lengths.end(), 0.0);
  for (const double length : lengths) cells += length * (sum - length) / 2;
  const double median = times[times.size() / 2];
  fmt::print(
      "{:<10} {:>9.2f} ms (best {:.2f})  {:>7.1f} Gcells/s  {:>6.2f} M pairs/s  worst error "
      "{:.1e}, "
      "over 1e-3: {:.3f} %\n",
      name_of(measure), median, times.front(), cells / median / 1e6,
      static_cast<double>(condensed.size()) / median / 1e3, worst, 100.0 * off / checks);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || !CudaPairs::available()) {
    fmt::print("usage: bench_cuda DATA.tsd [COUNT], on a machine with an NVIDIA GPU\n");
    return 2;
  }
  const Dataset data = Dataset::open(argv[1]);
  const std::size_t count =
      std::min<std::size_t>(data.size(), argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 7'000);
  std::vector<std::size_t> indices(count);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  const PlanarSet trips(data, Space::fit(SpaceKind::zscore, data), indices);
  fmt::print("{}, {} trajectories of {}\n", CudaPairs::name(), count, argv[1]);
  const CudaPairs pairs(trips);
  for (const Measure measure :
       {Measure::dtw, Measure::frechet, Measure::hausdorff, Measure::edwp}) {
    bench(measure, trips, pairs);
  }
}
