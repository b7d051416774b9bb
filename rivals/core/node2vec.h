// node2vec: vectors of the nodes of a graph, such that nodes that random walks see together have
// similar ones. Walks are uniform (p = q = 1); the vectors are learned by skip-gram with negative
// samples, in large batches on the device, from a start in which neighbours are alike already.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tsmini/progress.h"

#include "rivals/core/tensors.h"

namespace tsmini::rivals {

using Graph = std::vector<std::vector<std::int64_t>>;  // the neighbours of every node

struct WalkSettings {
  std::int64_t walks = 10;   // from every node
  std::int64_t length = 50;  // nodes of a walk
  std::int64_t window = 10;  // nodes of a walk that count as seen together
  std::int64_t negatives = 10;
  std::int64_t epochs = 4;
  double rate = .01;                   // of Adam
  std::optional<double> seconds = {};  // at most
};

// [nodes, width], on the CPU. From torch's generator; progress counts steps.
Tensor node2vec(const Graph& graph, std::int64_t width, const WalkSettings& settings,
                const torch::Device& device, const Progress& progress = {});

}  // namespace tsmini::rivals
