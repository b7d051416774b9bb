// MovSemCL (AAAI 2026): TrajCL in two levels, cells within patches of four and patches within a
// trip.
//
// Points become cells as with TrajCL. Per cell:
//
//   Δx, Δy, step, turn     → layer of width 4 within patches → mean of a patch
//       → + learned positions → one layer, 1 head, three times: its last attention A ┐
//   cell, a frozen vector  → layer of 4 heads within patches → mean of a patch       │
//       → + learned positions → 2 layers of 4 heads, 10·σ(γ)·A added to their logits ┴
//   → mean over patches, and for a measure → Linear, ReLU, Linear → unit vector
//
// Without labels (MoCo): both views of a trip lack three points of ten, more likely where it goes
// straight on than where it turns or ends. With labels: fine_tuning.h.
#pragma once

#include "rivals/core/contrastive_rival.h"

namespace tsmini::rivals {

RivalKind movsemcl_kind();

class Movsemcl : public ContrastiveRival {
 public:
  Movsemcl(const Settings& settings, const Ground& ground);

  // Way from the cell before, by the size of the box, mean length of the two segments there,
  // turning term.
  Features features_of(std::span<const CellRun> runs) const override;
  Views views_of(std::span<const Planar> trip, Random& random) const override;

  // How likely a point is to be dropped from a view, in proportion.
  static std::vector<double> drop_weights(std::span<const Planar> trip);
};

}  // namespace tsmini::rivals
