// Where true distances for training come from.
#pragma once

namespace tsmini::learn {

enum class LabelKind {
  automatic,  // matrix on a GPU for up to 32,768 trajectories (8,192 where the CPU must measure
              // them), batch otherwise
  matrix,     // all pairs before training: n² floats
  batch,      // the pairs of each batch while the one before it trains: nothing grows with n²
};

}  // namespace tsmini::learn
