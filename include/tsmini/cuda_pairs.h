// Many distances at once on an NVIDIA GPU, in single precision: dtw, frechet, hausdorff, edwp.
//
// The trajectories go to the device once and stay there. A warp takes one trajectory against 32
// others of similar length; the dynamic programme runs in registers, strip by strip, so that there
// is no limit on lengths. Results agree with PairEngine in single precision within its tolerances.
// Needs the library tsmini::cuda, which is built where nvcc is found; compiling needs no GPU.
//
//   if (CudaPairs::available()) {
//     CudaPairs pairs(trips);
//     std::vector<float> condensed(n * (n - 1) / 2);
//     pairs.all_pairs(Measure::dtw, condensed);
//   }
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "tsmini/measure.h"
#include "tsmini/planar_set.h"

namespace tsmini {

class CudaPairs {
 public:
  // Whether there is a GPU, with a driver, that this build can use.
  static bool available();
  // The name of that GPU: "NVIDIA H200", say; empty where there is none.
  static std::string name();
  // Throws Error(failure) where there is none, saying what is missing: a driver, a newer driver, a
  // GPU, a newer GPU.
  static void require();
  // Which measures there are kernels for.
  static bool supports(Measure measure);

  // Copies the points to the device (8 bytes each). Throws Error(failure) without a GPU or memory.
  explicit CudaPairs(const PlanarSet& trajectories);
  ~CudaPairs();
  CudaPairs(CudaPairs&&) noexcept;

  // Measures all pairs i < j, condensed as PairEngine has them, into host memory.
  void all_pairs(Measure measure, std::span<float> condensed) const;

  // Measures queries times trajectories, row-major, into host memory.
  void many_to_many(Measure measure, const PlanarSet& queries, std::span<float> distances) const;

  // The square matrix among some trajectories, row-major, into device memory of count² floats: the
  // labels of a training batch. `stream` is a cudaStream_t (nullptr: the default one); the call
  // returns before the work is done. `indices` may be reused at once. One call at a time per
  // object.
  void square(Measure measure, std::span<const std::uint32_t> indices, float* device_matrix,
              void* stream = nullptr);

  // How long all_pairs() takes on the device alone, in milliseconds: for benchmarks.
  double time_all_pairs(Measure measure) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tsmini
