// True distances for training on a GPU.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "learn/array.h"
#include "learn/truth.h"

namespace tsmini::learn {

// Whether a GPU has a kernel for it.
bool measured_on_gpu(Measure measure, const MeasureSettings& settings);

// The square matrix among all trajectories of a set, made on the GPU: n² floats there and here.
std::vector<float> gpu_true_distances(Measure measure, const PlanarSet& trips);

// Where the labels of a batch come from.
class GpuLabels {
 public:
  virtual ~GpuLabels() = default;

  // The matrix of all pairs in the GPU's memory, where there is one: a batch is gathered from it,
  // and the two calls below do nothing.
  virtual const float* matrix() const { return nullptr; }

  // These two do what those of LabelSource do. What fetch() writes is there for all that is asked
  // of the stream later.
  virtual void prepare(std::span<const int> ids) = 0;
  virtual void fetch(std::span<GpuFloat> labels) = 0;
};

// A matrix of all pairs, made on the GPU, where it takes no more than a quarter of the memory that
// is free; else those of each batch, made on a stream beside the one that trains. What the GPU has
// no kernel for is made on the CPU. Throws Error(failure) where a matrix that was asked for has no
// room on the GPU or, made on the CPU, here.
std::unique_ptr<GpuLabels> make_gpu_labels(const LabelRequest& request);

}  // namespace tsmini::learn
