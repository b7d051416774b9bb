// GRot: vectors of cells from a graph of knowledge, "this cell lies north-east of that one".
//
// As in RotatE, a cell is a vector of complex numbers and a direction a rotation of each of them,
// so that going there and back is no move at all: the head h of a true triple, rotated by r, shall
// be its tail t. A triple's distance is Σ |h r - t|, over the complex numbers. The loss of one is
//
//   -log σ(γ - distance) - mean over drawn tails of log σ(distance - γ) + λ ‖h - t‖²
//
// whose last part is GRot's own: neighbours stay close.
#pragma once

#include <cstdint>
#include <optional>

#include "tsmini/progress.h"

#include "rivals/core/ground.h"
#include "rivals/core/tensors.h"

namespace tsmini::rivals {

struct GrotSettings {
  std::int64_t width = 64;  // complex numbers of a vector
  double margin = 12;       // γ
  double closeness = .1;    // λ
  std::int64_t negatives = 32;
  std::int64_t batch = 1024;
  std::int64_t epochs = 20;
  double rate = .001;                  // of Adam
  std::optional<double> seconds = {};  // at most
};

struct Grot {
  Tensor cells;   // [known cells, 2 · width]: real parts, then imaginary ones
  Tensor angles;  // [8, width]: of the directions of Cells::neighbours()
};

// [triples, 3]: head, direction, tail; every known cell with each of its known neighbours.
Tensor triples_of(const Cells& cells);
// Distances of triples: heads and tails [..., 2 · width], angles [..., width].
Tensor rotated_distance(const Tensor& heads, const Tensor& angles, const Tensor& tails);

// Learns the vectors by random numbers from torch's generator; they are on the CPU. Progress counts
// steps.
Grot learn_grot(const Cells& cells, const GrotSettings& settings, const torch::Device& device,
                const Progress& progress = {});

}  // namespace tsmini::rivals
