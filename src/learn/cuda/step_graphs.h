// Work on a GPU that is asked for again and again, as graphs: captured once a size, then replayed,
// which costs a hundredth of asking for each kernel.
//
//   graphs.run(capacity, arena, [&] { … kernels … });
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>

#include <cuda_runtime.h>

#include "learn/cuda/gpu_storage.h"

namespace tsmini::learn {

class StepGraphs {
 public:
  StepGraphs() = default;
  StepGraphs(const StepGraphs&) = delete;
  StepGraphs& operator=(const StepGraphs&) = delete;
  ~StepGraphs() { clear(); }

  // Does the work, which is the same for the same size but for what it reads from memory. It takes
  // its memory from the arena, which is cleared before. The first time it is done as it is, so that
  // the arena has room for it and libraries are loaded; the second time it is captured. Where that
  // fails three times in a row, it is done as it is until graphs are cleared, which they also are
  // where the arena has moved.
  void run(std::size_t size, GpuArena& arena, const std::function<void()>& work);

  // Where something that the work names by address has moved. What was captured, or could not be,
  // is captured anew.
  void clear();

 private:
  struct Entry {
    bool tried = false;
    int failures = 0;  // of captures, since clear()
    cudaGraphExec_t graph = nullptr;
  };

  std::map<std::size_t, Entry> entries_;
  std::uint64_t moves_ = 0;  // of the arena, when the graphs were captured
};

}  // namespace tsmini::learn
