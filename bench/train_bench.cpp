// How fast a training step is, beside the machine's own matrix product in the same run.
//
//   bench_train DATA.tsd [--preset P] [--batch N] [--device cpu|cuda]
//
// Operations are counted on real points, three times those of the forward pass. Processor time is
// shown beside wall time, because a shared machine stretches only the second. On a GPU, batches
// differ from step to step as in training, and the time is that of the steps alone.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/resource.h>
#include <tbb/task_arena.h>

#include "tsmini/dataset.h"
#include "tsmini/error.h"
#include "tsmini/model_cost.h"
#include "tsmini/recipe.h"
#include "tsmini/train.h"

#include "base/stopwatch.h"
#include "common/option_checks.h"
#include "common/sgemm.h"
#include "learn/data_parts.h"
#include "learn/learner.h"

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
  const Stopwatch watch;
  work();
  return {watch.seconds(), processor_seconds() - processor};
}

Span less_of(const Span& a, const Span& b) {
  return {std::min(a.wall, b.wall), std::min(a.processor, b.processor)};
}

// A learner on a data set, and batches for it.
struct Course {
  Course(const std::string& file, const std::string& preset, Device device)
      : data(Dataset::open(file)),
        indices(indices_of(data)),
        recipe(recipe_for(preset, Measure::frechet)),
        frame(FeatureFrame::fit(data)),
        store(data, indices, frame, recipe.net),
        learner(make_learner(device, {store, store, frame, {}, 1, recipe.weight_decay})) {
    const ProjectedTrips trips(data, indices, Space::fit(SpaceKind::zscore, data));
    learner->begin({{device == Device::cpu ? LabelKind::batch : LabelKind::automatic,
                     Measure::frechet,
                     {},
                     trips},
                    recipe.loss,
                    5.0});
  }

  void check(std::size_t batch) const {
    if (batch > store.size())
      throw Error(ErrorCode::usage,
                  fmt::format("a batch of {} needs more than {} trips", batch, store.size()));
  }

  static std::vector<std::size_t> indices_of(const Dataset& data) {
    std::vector<std::size_t> indices = data.indices_of(Part::train);
    if (indices.empty()) {
      indices.resize(data.size());
      std::iota(indices.begin(), indices.end(), std::size_t{0});
    }
    return indices;
  }

  Dataset data;
  std::vector<std::size_t> indices;
  Recipe recipe;
  FeatureFrame frame;
  FeatureStore store;
  std::unique_ptr<Learner> learner;
};

void run_on_cpu(const std::string& file, const std::string& preset, std::size_t batch) {
  Course course(file, preset, Device::cpu);
  course.check(batch);
  const FeatureStore& store = course.store;
  StepInput input;
  double operations = 0;
  for (std::size_t i = 0; i < batch; ++i) {
    input.ids.push_back(static_cast<int>(i * (store.size() / batch)));
    operations += 3 * forward_operations(course.recipe.net,
                                         store.length(static_cast<std::size_t>(input.ids.back())));
  }
  input.rates = rates_of(0, 0.001, course.recipe.average);
  constexpr int steps = 5, products = 8;  // runs long enough for the clock of processor time
  const auto work = [&] {
    for (int i = 0; i < steps; ++i) course.learner->step(input, &input);
    course.learner->loss_sum();
  };
  work();
  const int threads = tbb::this_task_arena::max_concurrency();
  cli::Sgemm sgemm(1024, threads);
  // In turns, so that a shared machine slows both alike.
  Span step{1e9, 1e9}, product{1e9, 1e9};
  for (int round = 0; round < 8; ++round) {
    step = less_of(step, span_of(work));
    if (!sgemm.library().empty())
      product = less_of(product, span_of([&] {
                          for (int i = 0; i < products; ++i) sgemm.run();
                        }));
  }
  std::printf(
      "batch %zu, %d threads: %.2f ms a step (%.2f ms of processor time), %.2f GFLOP, arena %.0f "
      "MB\n",
      batch, threads, 1e3 * step.wall / steps, 1e3 * step.processor / steps, operations / 1e9,
      static_cast<double>(course.learner->memory_bytes()) / 1e6);
  if (sgemm.library().empty()) {
    std::printf("no OpenBLAS to compare with: install libopenblas0\n");
    return;
  }
  const double gemm = products * sgemm.operations();
  std::printf(
      "sgemm %.0f GFLOP/s wall, %.0f a processor second; the step runs at %.0f %% (wall), "
      "%.0f %% (processor time)\n",
      gemm / product.wall / 1e9, gemm / product.processor / 1e9,
      100 * operations * steps / step.wall / (gemm / product.wall),
      100 * operations * steps / step.processor / (gemm / product.processor));
}

// As in training: labels included, batches drawn anew.
void run_on_gpu(const std::string& file, const std::string& preset, std::size_t batch) {
  Course course(file, preset, Device::cuda);
  course.check(batch);
  constexpr std::uint64_t warm_up = 200, steps = 1000;
  const auto input_for = [&](std::uint64_t step) {
    return StepInput{sample_batch(1, step, course.store.size(), batch),
                     rates_of(step, 0.001, course.recipe.average), static_cast<std::int64_t>(step)};
  };
  std::uint64_t step = 0;
  StepInput input = input_for(step);
  const auto go = [&](std::uint64_t count) {
    for (const std::uint64_t end = step + count; step < end;) {
      const StepInput next = input_for(++step);
      course.learner->step(input, &next);
      input = next;
    }
    course.learner->loss_sum();
  };
  go(warm_up);
  double best = 1e9;
  for (int round = 0; round < 3; ++round)
    best = std::min(best, span_of([&] { go(steps); }).wall / static_cast<double>(steps));
  std::printf("batch %zu, %s: %.3f ms a step, labels included; memory of a step %.0f MB\n", batch,
              describe(Device::cuda, 0).c_str(), 1e3 * best,
              static_cast<double>(course.learner->memory_bytes()) / 1e6);
}

}  // namespace
}  // namespace tsmini::learn

int main(int argc, char** argv) {
  CLI::App app("Times a training step");
  std::string data, preset;
  tsmini::Device device = tsmini::Device::cpu;
  std::size_t batch = 128;
  app.add_option("DATA", data)->required();
  app.add_option("--preset", preset);
  app.add_option("--batch", batch);
  tsmini::cli::add_choice(app, "--device", device, tsmini::device_names, "Where steps are made");
  CLI11_PARSE(app, argc, argv);
  const bool gpu = device == tsmini::Device::cuda;
  if (preset.empty()) preset = gpu ? "default" : "quick";
  try {
    (gpu ? tsmini::learn::run_on_gpu : tsmini::learn::run_on_cpu)(data, preset, batch);
  } catch (const tsmini::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
