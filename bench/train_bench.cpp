// How fast a training step is, beside the machine's own matrix product in the same run.
//
//   bench_train DATA.tsd [--preset P] [--device cpu|cuda] [--batch N]
//
// Operations are counted on real points, three times those of the forward pass. Processor time is
// shown beside wall time, because a shared machine stretches only the second.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <CLI/CLI.hpp>
#include <sys/resource.h>

#include "tsmini/dataset.h"

#include "learn/device.h"
#include "learn/feature_store.h"
#include "learn/library_environment.h"
#include "learn/stepper.h"
#include "model/operations.h"

namespace tsmini::learn {
namespace {

struct Span {
  double wall = 0;
  double processor = 0;
};

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// The best of several runs.
template <typename Work>
Span best_of(int runs, const Work& work) {
  Span best{1e9, 1e9};
  for (int i = 0; i < runs; ++i) {
    const double processor = processor_seconds();
    const auto start = std::chrono::steady_clock::now();
    work();
    best.wall = std::min(
        best.wall, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    best.processor = std::min(best.processor, processor_seconds() - processor);
  }
  return best;
}

void run(const std::string& file, const std::string& preset, const std::string& device_name,
         std::size_t batch) {
  const DeviceSession session(device_name);
  const at::Device device = device_from(device_name);
  const Dataset data = Dataset::open(file);
  std::vector<std::size_t> indices = data.indices_of(Part::train);
  if (indices.empty()) {
    indices.resize(data.size());
    std::iota(indices.begin(), indices.end(), std::size_t{0});
  }
  const Recipe recipe = recipe_for(preset, Measure::frechet);
  const FeatureFrame frame = FeatureFrame::fit(data);
  const FeatureStore store(data, indices, frame, recipe.net, device);
  const TripSource trips(data, indices, Space::fit(SpaceKind::zscore, data));
  Net net(recipe.net, frame, {}, 1, store.longest(), device);
  Optimiser optimiser(net.parameters(), recipe.weight_decay, recipe.average);
  const auto labels = make_labels(LabelKind::batch, Measure::frechet, {}, trips, device);
  const auto stepper = make_stepper({net, optimiser, store, *labels, recipe.loss, 5.0});

  StepInput input;
  double operations = 0;
  for (std::size_t i = 0; i < batch; ++i) {
    input.ids.push_back(static_cast<int>(i * (store.size() / batch)));
    const std::int64_t points = store.length(static_cast<std::size_t>(input.ids.back()));
    operations += 3 * forward_operations(recipe.net, static_cast<std::size_t>(points));
  }
  input.rates = optimiser.rates(0, 0.001);
  const int steps = device.is_cuda() ? 200 : 5;
  const auto work = [&] {
    for (int i = 0; i < steps; ++i) stepper->step(input, &input);
    stepper->take_loss();
  };
  work();
  const Span step = best_of(5, work);
  const at::Tensor a = at::randn({1024, 1024}).to(device), b = at::randn({1024, 1024}).to(device);
  const int products = 8;  // a run long enough for the clock of processor time
  const Span product = best_of(10, [&] {
    for (int i = 0; i < products; ++i) at::mm(a, b).to(at::kCPU);
  });
  const double gemm = 2.0 * products * 1024 * 1024 * 1024;
  std::printf("batch %zu, %d threads: %.2f ms a step (%.2f ms of processor time), %.2f GFLOP\n",
              batch, at::get_num_threads(), 1e3 * step.wall / steps, 1e3 * step.processor / steps,
              operations / 1e9);
  std::printf(
      "sgemm %.0f GFLOP/s wall, %.0f a processor second; the step runs at %.0f %% (wall), "
      "%.0f %% (processor time)\n",
      gemm / product.wall / 1e9, gemm / product.processor / 1e9,
      100 * operations * steps / step.wall / (gemm / product.wall),
      100 * operations * steps / step.processor / (gemm / product.processor));
}

}  // namespace
}  // namespace tsmini::learn

int main(int argc, char** argv) {
  tsmini::learn::settle_libraries(argv);
  CLI::App app("Times a training step");
  std::string data, preset = "quick", device = "cpu";
  std::size_t batch = 128;
  app.add_option("DATA", data)->required();
  app.add_option("--preset", preset);
  app.add_option("--device", device);
  app.add_option("--batch", batch);
  CLI11_PARSE(app, argc, argv);
  tsmini::learn::run(data, preset, device, batch);
}
