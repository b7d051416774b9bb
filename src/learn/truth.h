// True distances for training and evaluation, on the CPU or a GPU.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <ATen/ATen.h>

#include "tsmini/measure.h"
#include "tsmini/planar_set.h"

#include "learn/label_kind.h"

namespace tsmini::learn {

// The square matrix among all trajectories of a set, row-major, on the CPU: n² floats.
std::vector<float> true_distances(Measure measure, const MeasureSettings& settings,
                                  const PlanarSet& trips, const at::Device& device);

// The largest distance within a seeded sample of at most 2,000 trajectories (of the first `among`,
// where given): what labels are divided by. Throws Error(bad_input) where it is 0.
double largest_distance(Measure measure, const MeasureSettings& settings, const PlanarSet& trips,
                        std::uint64_t seed, const at::Device& device,
                        std::optional<std::size_t> among = {});

// Where the labels of a batch come from.
class LabelSource {
 public:
  virtual ~LabelSource() = default;

  // Says which batch follows the current one, so that its labels can be made meanwhile.
  virtual void prepare(std::span<const int> ids) = 0;
  // Writes the square matrix of the batch that was prepared last into `labels` [count, count], on
  // the device.
  virtual void fetch(const at::Tensor& labels) = 0;

  // The whole matrix [n, n] where it lies on the device: a batch may then be gathered there,
  // without prepare() and fetch(). Undefined otherwise.
  virtual at::Tensor matrix() const { return {}; }
};

std::unique_ptr<LabelSource> make_labels(LabelKind kind, Measure measure,
                                         const MeasureSettings& settings, const PlanarSet& trips,
                                         const at::Device& device);

}  // namespace tsmini::learn
