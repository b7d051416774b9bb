#include "learn/step.h"

#include <algorithm>
#include <cmath>

#include "tsmini/error.h"

namespace tsmini::learn {

void check_finite(std::span<const float> values) {
  const bool is_finite =
      std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
  if (!is_finite)
    throw Error(ErrorCode::failure, "training went astray: an embedding is not a number",
                "lower the learning rate: --set rate=0.0005");
}

double train_step(Net<float>& net, Optimiser& optimiser, Arena& arena, const FeatureStore& store,
                  const StepInput& input, const Labels& labels, const LossSettings& settings) {
  arena.clear();
  net.parameters().forget_gradient();
  Tape<float> tape(arena, Tape<float>::Purpose::training);
  const Points points = store.batch(input.ids, arena);
  const Array<float> embeddings = net.embed(tape, points.rows, points.packing, input.key);
  const Array<float> predicted = pair_distances(tape, embeddings, net.settings().metric);
  // Before the optimiser carries it into the weights.
  check_finite({predicted.data, predicted.size()});
  const double loss =
      similarity_loss(tape, predicted, labels.distances.data(), labels.largest, settings);
  tape.backward();
  optimiser.step(net.parameters(), input.rates);
  return loss;
}

}  // namespace tsmini::learn
