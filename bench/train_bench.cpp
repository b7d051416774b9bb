// How fast a training step is, beside the machine's own matrix product in the same run.
//
//   bench_train DATA.tsd [--preset P] [--batch N]
//
// Operations are counted on real points, three times those of the forward pass. Processor time is
// shown beside wall time, because a shared machine stretches only the second.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <dlfcn.h>
#include <sys/resource.h>
#include <tbb/task_arena.h>

#include "tsmini/dataset.h"

#include "learn/feature_store.h"
#include "learn/library_environment.h"
#include "learn/recipe.h"
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

template <typename Work>
Span span_of(const Work& work) {
  const double processor = processor_seconds();
  const auto start = std::chrono::steady_clock::now();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          processor_seconds() - processor};
}

Span less_of(const Span& a, const Span& b) {
  return {std::min(a.wall, b.wall), std::min(a.processor, b.processor)};
}

// The machine's own matrix product: OpenBLAS, on as many threads as the step has.
class Sgemm {
 public:
  explicit Sgemm(int threads) {
    set_library_environment();  // which instructions OpenBLAS may use
    void* library = ::dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return;
    multiply_ = reinterpret_cast<Multiply>(::dlsym(library, "cblas_sgemm"));
    if (const auto set =
            reinterpret_cast<void (*)(int)>(::dlsym(library, "openblas_set_num_threads")))
      set(threads);
  }

  bool is_there() const { return multiply_ != nullptr; }

  static constexpr int size = 1024;
  static double operations() { return 2.0 * size * size * size; }
  void run() {
    constexpr int row_major = 101, plain = 111;
    multiply_(row_major, plain, plain, size, size, size, 1, a_.data(), size, b_.data(), size, 0,
              c_.data(), size);
  }

 private:
  using Multiply = void (*)(int order, int transpose_a, int transpose_b, int m, int n, int k,
                            float alpha, const float* a, int a_stride, const float* b, int b_stride,
                            float beta, float* c, int c_stride);

  Multiply multiply_ = nullptr;
  std::vector<float> a_ = std::vector<float>(std::size_t{size} * size, 0.5F);
  std::vector<float> b_ = std::vector<float>(std::size_t{size} * size, 0.25F);
  std::vector<float> c_ = std::vector<float>(std::size_t{size} * size);
};

void run(const std::string& file, const std::string& preset, std::size_t batch) {
  const Dataset data = Dataset::open(file);
  std::vector<std::size_t> indices = data.indices_of(Part::train);
  if (indices.empty()) {
    indices.resize(data.size());
    std::iota(indices.begin(), indices.end(), std::size_t{0});
  }
  const Recipe recipe = recipe_for(preset, Measure::frechet);
  const FeatureFrame frame = FeatureFrame::fit(data);
  const FeatureStore store(data, indices, frame, recipe.net);
  const TripSource trips(data, indices, Space::fit(SpaceKind::zscore, data));
  Net<float> net(recipe.net, frame, {}, 1, store.longest());
  Optimiser optimiser(net.parameters(), recipe.weight_decay, recipe.average);
  Arena arena;
  const auto labels = make_labels(LabelKind::batch, Measure::frechet, {}, trips, Device::cpu);
  Stepper stepper({net, optimiser, arena, store, *labels, recipe.loss, 5.0});

  StepInput input;
  double operations = 0;
  for (std::size_t i = 0; i < batch; ++i) {
    input.ids.push_back(static_cast<int>(i * (store.size() / batch)));
    operations += 3 * forward_operations(recipe.net,
                                         store.length(static_cast<std::size_t>(input.ids.back())));
  }
  input.rates = optimiser.rates(0, 0.001);
  constexpr int steps = 5, products = 8;  // runs long enough for the clock of processor time
  const auto work = [&] {
    for (int i = 0; i < steps; ++i) stepper.step(input, &input);
    stepper.take_loss();
  };
  work();
  const int threads = tbb::this_task_arena::max_concurrency();
  Sgemm sgemm(threads);
  // In turns, so that a shared machine slows both alike.
  Span step{1e9, 1e9}, product{1e9, 1e9};
  for (int round = 0; round < 8; ++round) {
    step = less_of(step, span_of(work));
    if (sgemm.is_there())
      product = less_of(product, span_of([&] {
                          for (int i = 0; i < products; ++i) sgemm.run();
                        }));
  }
  std::printf(
      "batch %zu, %d threads: %.2f ms a step (%.2f ms of processor time), %.2f GFLOP, arena %.0f "
      "MB\n",
      batch, threads, 1e3 * step.wall / steps, 1e3 * step.processor / steps, operations / 1e9,
      static_cast<double>(arena.bytes()) / 1e6);
  if (!sgemm.is_there()) {
    std::printf("no OpenBLAS to compare with: install libopenblas0\n");
    return;
  }
  const double gemm = products * Sgemm::operations();
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
  CLI::App app("Times a training step");
  std::string data, preset = "quick";
  std::size_t batch = 128;
  app.add_option("DATA", data)->required();
  app.add_option("--preset", preset);
  app.add_option("--batch", batch);
  CLI11_PARSE(app, argc, argv);
  tsmini::learn::run(data, preset, batch);
}
