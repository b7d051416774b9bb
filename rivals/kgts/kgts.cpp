#include "rivals/kgts/kgts.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "rivals/core/pair_losses.h"
#include "rivals/kgts/grot.h"
#include "rivals/kgts/views.h"

namespace tsmini::rivals {
namespace {

constexpr std::int64_t batch = 128, epochs = 20;
constexpr double contrast_temperature = .3, rate = .001;

void add_vectors(Ground& ground, const City&, const Settings& settings, const Progress& progress) {
  const GrotSettings grot{.seconds = settings.cell_seconds};
  ground.tensors["vectors"] = learn_grot(ground.cells, grot, settings.device, progress).cells;
}

}  // namespace

Kgts::Kgts(const Settings& settings, const Ground& ground) : settings_(settings), ground_(ground) {
  prompt_ = register_module("prompt", torch::nn::Linear(2, dimension));
  common_ = register_parameter("common", torch::zeros({dimension}));
  convolution_ = register_module("convolution", torch::nn::Linear(dimension, dimension));
  gru_ = register_module(
      "gru", torch::nn::GRU(torch::nn::GRUOptions(dimension, dimension).batch_first(true)));
  vectors_ = cell_vectors_of(ground, dimension).to(settings.device);
  to(settings.device);
}

void Kgts::add(RaggedBuilder& cells, std::span<const Planar> trip) const {
  const std::vector<CellRun> runs = runs_of(ground_.cells, trip);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::int64_t number = ground_.cells.known()[static_cast<std::size_t>(runs[i].row)];
    const Planar centre = ground_.cells.centre_of(number);
    const int degree = 1 + (i > 0 ? 1 : 0) + (i + 1 < runs.size() ? 1 : 0);
    cells.add({static_cast<double>(runs[i].row), ground_.statistics.x(centre),
               ground_.statistics.y(centre), 1 / std::sqrt(degree)});
  }
  cells.end_sequence();
}

Streams Kgts::prepare(const PlanarSet& trips) const {
  RaggedBuilder cells(4);
  for (std::size_t i = 0; i < trips.size(); ++i) add(cells, trips[i]);
  return {cells.finish(settings_.device)};
}

// `scale` is one over the root of a cell's degree, and 0 behind the end.
Tensor Kgts::convolved(const Tensor& x, const Tensor& scale) {
  const std::int64_t longest = x.size(1);
  const Tensor wide = torch::constant_pad_nd(x * scale, {0, 0, 1, 1});
  const Tensor around =
      wide.narrow(1, 0, longest) + wide.narrow(1, 1, longest) + wide.narrow(1, 2, longest);
  return x + torch::relu(convolution_(around * scale));
}

Tensor Kgts::embed(const Streams& trips, std::span<const std::int64_t> ids) {
  const Padded cells = trips[0].padded(ids);
  const Tensor rows = cells.values.select(2, 0).to(torch::kLong);
  const Tensor x =
      torch::embedding(vectors_, rows) + (prompt_(cells.values.narrow(2, 1, 2)) + common_);
  const Tensor y = convolved(x, cells.values.narrow(2, 3, 1));
  return last_of(std::get<0>(gru_(y)), cells) + mean_of(y, cells.mask);
}

std::optional<Stage> Kgts::pretraining(const PlanarSet& trips) {
  const auto count = static_cast<std::int64_t>(trips.size());
  return Stage{.steps = static_cast<std::uint64_t>(epochs * ((count + batch - 1) / batch)),
               .groups = {{parameters()}},
               .loss =
                   [this, trips, count, random = Random(settings_.seed, 0x4b67)]() mutable {
                     // Trips and their copies in one batch: half as many steps of the GRU.
                     RaggedBuilder cells(4);
                     const Tensor ids = draw(count, batch);
                     for (const std::int64_t id : ids_of(ids))
                       add(cells, trips[static_cast<std::size_t>(id)]);
                     for (const std::int64_t id : ids_of(ids))
                       add(cells, perturbed(trips[static_cast<std::size_t>(id)], {}, random));
                     const Streams both{cells.finish(settings_.device)};
                     const Tensor embedded = embed(both, all_ids(2 * ids.numel()));
                     return pair_contrast(embedded.narrow(0, 0, ids.numel()),
                                          embedded.narrow(0, ids.numel(), ids.numel()),
                                          contrast_temperature);
                   },
               .rate = [](double) { return rate; }};
}

Tensor pair_contrast(const Tensor& a, const Tensor& b, double temperature) {
  const Tensor alike = distances_between(MetricKind::l2, a, b) / -temperature;
  const Tensor right = alike.diagonal();
  return (alike.logsumexp(0) + alike.logsumexp(1)).mean() / 2 - right.mean();
}

RivalKind kgts_kind() {
  return {.name = "kgts",
          .title = "KGTS",
          .summary = "cells that know their neighbours, a GRU over them, no labels",
          .mistakes = {},
          .add_ground = add_vectors,
          .make = [](const Settings& settings, const Ground& ground) -> std::shared_ptr<Rival> {
            return std::make_shared<Kgts>(settings, ground);
          }};
}

}  // namespace tsmini::rivals
