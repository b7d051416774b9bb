// Adam over all parameters of a stage at once: they are moved into one block of memory, so that a
// step is a handful of operations however many parameters there are.
#pragma once

#include <cstdint>
#include <vector>

#include "rivals/core/rival.h"

namespace tsmini::rivals {

class Adam {
 public:
  explicit Adam(const std::vector<Stage::Group>& groups);

  void zero_gradients();
  // Makes a step with the gradients that backward() has added up.
  void step(double rate);

 private:
  struct Block {
    Tensor values, gradients, first, second;
    double weight_decay = 0;
  };
  std::vector<Block> blocks_;
  std::uint64_t steps_ = 0;
};

}  // namespace tsmini::rivals
