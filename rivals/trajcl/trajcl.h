// TrajCL (Chang et al., ICDE 2023): attention over the cells of a trip that knows of a second
// attention, over where and how it moves there; learned without labels first.
//
// Points become cells; of points in a row in one cell the first stands for all. Per cell:
//
//   x, y, step, turn        → + positions → 3 layers of width 4, 1 head: attention of the last A ┐
//   cell, a frozen vector   → + positions → 2 layers of 4 heads, 10·σ(γ)·A added to their logits ┴
//   → mean over cells, and for a measure → Linear, ReLU, Linear → unit vector
//
// Without labels (MoCo): a trip without three points of ten, and seven tenths of it in one piece,
// are the same among other trips. With labels: fine_tuning.h.
#pragma once

#include "rivals/core/contrastive_rival.h"

namespace tsmini::rivals {

RivalKind trajcl_kind();

class Trajcl : public ContrastiveRival {
 public:
  Trajcl(const Settings& settings, const Ground& ground);

  // x and y within the box, mean length of the two segments there, turning term.
  Features features_of(std::span<const CellRun> runs) const override;
  Views views_of(std::span<const Planar> trip, Random& random) const override;
};

}  // namespace tsmini::rivals
