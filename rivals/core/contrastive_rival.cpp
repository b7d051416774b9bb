#include "rivals/core/contrastive_rival.h"

#include <algorithm>
#include <utility>

#include <tbb/parallel_for.h>

#include "rivals/core/pair_losses.h"

namespace tsmini::rivals {
namespace {

constexpr std::int64_t batch = 128, epochs = 20, queue = 2048;
constexpr double rate = .001, decay = 1e-4;

}  // namespace

ContrastiveRival::ContrastiveRival(const Settings& settings, const Ground& ground,
                                   const MakeEncoder& make_encoder)
    : settings_(settings), ground_(ground), make_encoder_(make_encoder) {
  encoder_ = register_module("encoder", make_encoder());
  head_ = register_module("head", RegressionHead());
  to(settings.device);
}

Ragged ContrastiveRival::sequences_of(std::size_t count, const Trip& trip) const {
  struct Sequence {
    std::vector<CellRun> runs;
    Features features;
  };
  std::vector<Sequence> sequences(count);
  tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
    sequences[i].runs = runs_of(ground_.cells, trip(i));
    sequences[i].features = features_of(sequences[i].runs);
  });
  RaggedBuilder builder(1 + feature_count);
  for (const auto& [runs, features] : sequences) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const auto& [a, b, c, d] = features[i];
      builder.add({static_cast<double>(runs[i].row), a, b, c, d});
    }
    builder.end_sequence();
  }
  return builder.finish(settings_.device);
}

Streams ContrastiveRival::prepare(const PlanarSet& trips) const {
  return {sequences_of(trips.size(), [&](std::size_t i) { return trips[i]; })};
}

Tensor ContrastiveRival::embed(const Streams& trips, std::span<const std::int64_t> ids) {
  return head_(encoder_->encode(trips[0].padded(ids)));
}

std::optional<Stage> ContrastiveRival::pretraining(const PlanarSet& trips) {
  struct State {
    Moco moco;
    Passes passes;
    std::uint64_t viewed = 0;
  };
  const auto n = static_cast<std::int64_t>(trips.size());
  auto state =
      std::make_shared<State>(State{{encoder_, make_encoder_(), std::min(queue, n)}, {n, batch}});
  const auto loss = [this, state, &trips] {
    const Tensor ids = state->passes.next();
    const auto chosen = ids_of(ids);
    std::vector<Views> views(chosen.size());
    tbb::parallel_for(std::size_t{0}, views.size(), [&](std::size_t i) {
      Random random(settings_.seed, state->viewed + i);
      views[i] = views_of(trips[static_cast<std::size_t>(chosen[i])], random);
    });
    state->viewed += views.size();
    const std::vector<std::int64_t> all = all_ids(ids.numel());
    const auto padded = [&](Points Views::*view) {
      return sequences_of(views.size(),
                          [&](std::size_t i) -> std::span<const Planar> { return views[i].*view; })
          .padded(all);
    };
    return state->moco.loss(padded(&Views::first), padded(&Views::second));
  };
  return Stage{.steps = static_cast<std::uint64_t>(epochs) * state->passes.steps(),
               .groups = {{state->moco.parameters(), decay}},
               .loss = loss,
               .rate = halving(rate, 4),
               .stepped = [state] { state->moco.stepped(); }};
}

std::optional<Stage> ContrastiveRival::training(const TrainingSet& set) {
  return fine_tuning(*this, set, *encoder_, *head_, distance_unit(settings_.keeps(unscaled.name)));
}

CellsAndFeatures parts_of(const Tensor& values) {
  return {values.select(2, 0).to(torch::kLong),
          values.narrow(2, 1, ContrastiveRival::feature_count)};
}

}  // namespace tsmini::rivals
