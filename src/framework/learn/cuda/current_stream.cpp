#include <ATen/cuda/CUDAContext.h>

#include "learn/ops/packing.h"

namespace tsmini::learn {

gpu::Stream current_stream() {
  return at::cuda::getCurrentCUDAStream().stream();
}

}  // namespace tsmini::learn
