#include "learn/cuda/step_graphs.h"

#include <utility>

#include "tsmini/error.h"

namespace tsmini::learn {
namespace {

// What is captured, or the end of a capture that failed.
class Capture {
 public:
  Capture() {
    gpu::check(cudaStreamBeginCapture(gpu_stream(), cudaStreamCaptureModeThreadLocal),
               "capture a step");
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;
  ~Capture() {
    if (!ended_) cudaStreamEndCapture(gpu_stream(), &graph_);
    if (graph_ != nullptr) cudaGraphDestroy(graph_);
  }

  cudaGraphExec_t finish() {
    ended_ = true;
    gpu::check(cudaStreamEndCapture(gpu_stream(), &graph_), "capture a step");
    cudaGraphExec_t executable = nullptr;
    gpu::check(cudaGraphInstantiate(&executable, graph_, 0), "make a graph of a step");
    return executable;
  }

 private:
  cudaGraph_t graph_ = nullptr;
  bool ended_ = false;
};

}  // namespace

void StepGraphs::run(std::size_t size, GpuArena& arena, const std::function<void()>& work) {
  arena.clear();
  if (std::exchange(moves_, arena.moves()) != arena.moves()) clear();
  Entry& entry = entries_[size];
  if (entry.graph == nullptr) {
    // Where captures go on failing, each costs what a step does, for nothing.
    constexpr int most_failures = 3;
    if (!std::exchange(entry.tried, true) || entry.failures == most_failures) return work();
    try {
      Capture capture;
      work();
      entry.graph = capture.finish();
    } catch (const Error&) {
      // Another thread's work on the device can end a capture. Nothing was done yet.
      ++entry.failures;
      arena.clear();
      return work();
    }
  }
  gpu::check(cudaGraphLaunch(entry.graph, gpu_stream()), "start a step");
}

void StepGraphs::clear() {
  for (auto& [size, entry] : entries_) {
    entry.failures = 0;
    if (entry.graph == nullptr) continue;
    cudaGraphExecDestroy(entry.graph);
    entry.graph = nullptr;
  }
}

}  // namespace tsmini::learn
