// Labels made and kept on a GPU.
#pragma once

#include <memory>
#include <vector>

#include "learn/truth.h"

namespace tsmini::learn {

bool gpu_labels_for(Measure measure, const MeasureSettings& settings);
std::vector<float> gpu_true_distances(Measure measure, const PlanarSet& trips);
// Measures without a kernel are computed on the CPU, all pairs at first.
std::unique_ptr<LabelSource> make_gpu_labels(LabelKind kind, Measure measure,
                                             const MeasureSettings& settings,
                                             const PlanarSet& trips);

}  // namespace tsmini::learn
