// The optimiser's step on a GPU.
#pragma once

#include "learn/cuda/gpu_ops.h"
#include "learn/optimiser.h"

namespace tsmini::learn {

template <>
void Optimiser<GpuFloat>::step(GpuTape& tape, Parameters<GpuFloat>& parameters,
                               const StepRates* rates, const double* loss);

}  // namespace tsmini::learn
