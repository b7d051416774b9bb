// Starting a kernel, and learning whether it was started.
//
//   launch(gate_kernel, {blocks, 256, 0, stream}, size, hidden, h, out);
//
// The one way in which kernels are started here: a plain call, so that the same source also
// compiles for the emulator that tests use where there is no GPU.
//
// A kernel may be started while the one before it on its stream still runs, so that its threads are
// there when that one ends: every kernel begins with await_previous() (gpu/warp.cuh).
#pragma once

#include <cstddef>
#include <type_traits>

#include <cuda_runtime.h>

#include "gpu/device.h"
#include "gpu/status.h"

namespace tsmini::gpu {

// Blocks of a grid or threads of a block, in up to three directions.
struct Extent {
  Extent(int along_x, int along_y = 1, int along_z = 1) : x(along_x), y(along_y), z(along_z) {}

  int x, y, z;
};

struct Shape {
  Extent blocks;  // none: there is nothing to do
  Extent threads;
  std::size_t shared = 0;  // bytes of dynamic shared memory of a block
  cudaStream_t stream = nullptr;
};

// Bytes of so many numbers, for Shape::shared.
template <typename T>
constexpr std::size_t bytes_of(int count) {
  return static_cast<std::size_t>(count) * sizeof(T);
}

template <typename... Parameters>
void launch(void (*kernel)(Parameters...), const Shape& shape,
            std::type_identity_t<Parameters>... arguments) {
  if (shape.blocks.x == 0 || shape.blocks.y == 0 || shape.blocks.z == 0) return;
  const auto dimensions = [](const Extent& extent) {
    return dim3(static_cast<unsigned>(extent.x), static_cast<unsigned>(extent.y),
                static_cast<unsigned>(extent.z));
  };
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = dimensions(shape.blocks);
  configuration.blockDim = dimensions(shape.threads);
  configuration.dynamicSmemBytes = shape.shared;
  configuration.stream = shape.stream;
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  configuration.attrs = &early;
  configuration.numAttrs = starts_early() ? 1 : 0;
  check(cudaLaunchKernelEx(&configuration, kernel, arguments...), "start a kernel");
}

}  // namespace tsmini::gpu
