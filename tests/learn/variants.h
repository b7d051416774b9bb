// The kinds of network that training is tested with.
#pragma once

#include <vector>

#include "encode/random_model.h"
#include "learn/small_batch.h"

namespace tsmini {

// Every setting that changes what is computed, by itself; without dropout. A GPU takes them all.
std::vector<Variant> learned_variants();

// A network and the loss that it is trained with.
struct LearnedCase {
  std::string name;
  NetSettings net;
  LossSettings loss;
};
// The recipes of the presets, for a measure of each group: as they are.
std::vector<LearnedCase> preset_cases();
// All that the formulas judge, without dropout: the variants, sizes that vectors do not divide,
// three layers, and the presets.
std::vector<LearnedCase> judged_cases();

NetSettings without_dropout(NetSettings settings = {});

// Always the same weights.
template <typename T = double>
learn::Net<T> net_for(const NetSettings& settings, const SmallBatch& batch) {
  constexpr std::size_t longest = 64;
  constexpr std::uint64_t seed = 7;
  return {settings, batch.frame, batch.known_cells(settings), seed, longest};
}
// Gains and shifts away from 1 and 0, so that nothing hides behind them.
void disturb(learn::Net<double>& net);

}  // namespace tsmini
