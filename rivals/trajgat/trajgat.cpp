#include "rivals/trajgat/trajgat.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include <tbb/parallel_for.h>

#include "rivals/core/node2vec.h"
#include "rivals/core/pair_losses.h"
#include "rivals/trajgat/laplacian.h"

namespace tsmini::rivals {
namespace {

constexpr std::int64_t layers = 3, heads = 8, head_width = dimension / heads;
constexpr std::int64_t feature_columns = 4, columns = feature_columns + laplacian_width + 2;
constexpr std::int64_t vector_column = columns - 2, group_column = columns - 1;
constexpr double dropout = .01, most_exponent = 5, alpha = 16, rate = .001;
constexpr double kilometre = 1000;
constexpr double vector_scale = .1;  // of leaves, beside features that are z-scored
constexpr std::int64_t listed = 10;  // near ones, and far ones
constexpr std::int64_t anchors_at_once = 16, epochs = 100;
constexpr const char* random_signs = "random-signs";
constexpr const char* overwritten_cells = "overwritten-cells";

// Row 0 is of points, row i + 1 of node i.
Tensor vectors_of(const Quadtree& tree, const Settings& settings, const Progress& progress) {
  const auto nodes = static_cast<std::int64_t>(tree.nodes().size());
  // As released, the matrices' initial values overwrite the table too.
  if (settings.keeps(overwritten_cells))
    return torch::nn::init::xavier_uniform_(torch::empty({nodes + 1, dimension}));
  Tensor vectors = torch::zeros({nodes + 1, dimension});
  if (nodes == 1) return vectors;
  const WalkSettings walks{.walks = 10,
                           .length = 80,
                           .window = 10,
                           .negatives = 5,
                           .epochs = 1,
                           .rate = .01,
                           .seconds = settings.cell_seconds};
  const Tensor found = node2vec(tree.graph(), dimension, walks, settings.device, progress);
  const Tensor low = found.amin(0), range = (found.amax(0) - low).clamp_min(1e-12);
  vectors.narrow(0, 1, nodes).copy_(vector_scale * (found - low) / range);
  return vectors;
}

void add_tree(Ground& ground, const City& city, const Settings& settings,
              const Progress& progress) {
  const Quadtree tree(ground.cells.box(), city.all);
  ground.tensors["tree"] = tree.kept();
  ground.tensors["vectors"] = vectors_of(tree, settings, progress);
}

// All columns of a trip's nodes, row by row.
std::vector<float> nodes_of(std::span<const Planar> trip, const Quadtree& tree,
                            const Statistics& statistics) {
  std::vector<std::int64_t> leaf_of, leaves;  // of the trip; of the tree
  std::unordered_map<std::int64_t, std::int64_t> numbers;
  for (const Planar& point : trip) {
    const std::int64_t leaf = tree.leaf_at(point);
    const auto [found, fresh] = numbers.emplace(leaf, static_cast<std::int64_t>(leaves.size()));
    if (fresh) leaves.push_back(leaf);
    leaf_of.push_back(found->second);
  }
  const std::vector<LaplacianRow> laplacian = laplacian_rows(leaf_of);
  std::vector<float> values;
  values.reserve(laplacian.size() * columns);
  const auto add = [&](const Planar& at, double width, double height, std::int64_t vector,
                       std::int64_t group) {
    const LaplacianRow& row = laplacian[values.size() / columns];
    for (const double value : {statistics.x(at), statistics.y(at), width, height})
      values.push_back(static_cast<float>(value));
    values.insert(values.end(), row.begin(), row.end());
    values.push_back(static_cast<float>(vector));
    values.push_back(static_cast<float>(group));
  };
  for (std::size_t i = 0; i < trip.size(); ++i) add(trip[i], 0, 0, 0, -(leaf_of[i] + 1));
  for (std::size_t l = 0; l < leaves.size(); ++l) {
    const Quadtree::Node& node = tree.nodes()[static_cast<std::size_t>(leaves[l])];
    add(node.centre(), node.box.width() / kilometre, node.box.height() / kilometre, leaves[l] + 1,
        static_cast<std::int64_t>(l) + 1);
  }
  return values;
}

// A point's group is its leaf's, negative; both are 0 behind the end, where nodes are joined with
// each other and with nothing else.
Tensor barrier_of(const Tensor& group) {
  const Tensor mine = group.unsqueeze(2), theirs = group.unsqueeze(1);
  const Tensor point_and_leaf = mine + theirs == 0, leaves = torch::minimum(mine, theirs) > 0;
  const Tensor itself = torch::eye(group.size(1), point_and_leaf.options());
  const Tensor nothing = torch::full({}, -std::numeric_limits<float>::infinity(), group.options());
  return torch::where(point_and_leaf | leaves | itself, torch::zeros_like(nothing), nothing)
      .unsqueeze(1);
}

}  // namespace

GraphBatch graph_batch(const Streams& trips, std::span<const std::int64_t> ids) {
  const ByLength sorted = by_length(trips[0], ids);
  const Padded padded = trips[0].padded(sorted.ids);
  GraphBatch batch;
  batch.back = sorted.back;
  std::vector<Tensor> nodes;
  std::int64_t from = 0;
  for (const Stretch& stretch : stretches_of(padded)) {
    const Tensor values = stretch.of(padded.values);
    const auto first = padded.counted.begin() + stretch.from;
    const Packing packing({first, first + stretch.count}, stretch.longest, values.device());
    nodes.push_back(packing.pack(values));
    const std::int64_t count = nodes.back().size(0);
    batch.parts.push_back({from, count, packing, barrier_of(values.select(2, group_column)),
                           padded.lengths.narrow(0, stretch.from, stretch.count).unsqueeze(1)});
    from += count;
  }
  batch.nodes = torch::cat(nodes);
  return batch;
}

GraphLayerImpl::GraphLayerImpl() {
  input_ = register_module(
      "input", torch::nn::Linear(torch::nn::LinearOptions(dimension, 3 * dimension).bias(false)));
  output_ = register_module("output", torch::nn::Linear(dimension, dimension));
  widen_ = register_module("widen", torch::nn::Linear(dimension, 2 * dimension));
  narrow_ = register_module("narrow", torch::nn::Linear(2 * dimension, dimension));
  first_norm_ = register_module("first_norm", torch::nn::BatchNorm1d(dimension));
  second_norm_ = register_module("second_norm", torch::nn::BatchNorm1d(dimension));
  const torch::NoGradGuard no_grad;
  for (std::int64_t i = 0; i < 3; ++i)
    torch::nn::init::xavier_uniform_(input_->weight.narrow(0, i * dimension, dimension));
  for (const torch::nn::Linear& linear : {output_, widen_, narrow_})
    torch::nn::init::xavier_uniform_(linear->weight);
}

Tensor GraphLayerImpl::attend(const Tensor& nodes, const GraphBatch& batch) {
  const Tensor inputs = input_(nodes);
  std::vector<Tensor> seen;
  for (const GraphBatch::Part& part : batch.parts) {
    const Tensor apart = part.apart(inputs);
    const Tensor all =
        apart.view({apart.size(0), apart.size(1), 3, heads, head_width}).permute({2, 0, 3, 1, 4});
    const Tensor query = all[0] / std::sqrt(static_cast<double>(head_width));
    const Tensor score =
        query.matmul(all[1].transpose(2, 3)).clamp(-most_exponent, most_exponent).exp();
    const Tensor mixed = (score + part.barrier).softmax(3).matmul(all[2]);
    seen.push_back(part.packing.pack(mixed.transpose(1, 2).flatten(2)));
  }
  return torch::cat(seen);
}

Tensor GraphLayerImpl::forward(const Tensor& nodes, const GraphBatch& batch) {
  const Tensor seen = torch::dropout(attend(nodes, batch), dropout, is_training());
  const Tensor middle = first_norm_(nodes + output_(seen));
  const Tensor wide = torch::dropout(torch::relu(widen_(middle)), dropout, is_training());
  return second_norm_(middle + narrow_(wide));
}

TrajGat::TrajGat(const Settings& settings, const Ground& ground)
    : settings_(settings),
      statistics_(ground.statistics),
      tree_(ground.cells.box(), ground.tensors.at("tree")) {
  features_ = register_module("features", torch::nn::Linear(feature_columns, dimension));
  positions_ = register_module(
      "positions", torch::nn::Linear(static_cast<std::int64_t>(laplacian_width), dimension));
  for (const torch::nn::Linear& linear : {features_, positions_})
    torch::nn::init::xavier_uniform_(linear->weight);
  for (std::int64_t i = 0; i < layers; ++i)
    layers_.push_back(register_module("layer" + std::to_string(i), GraphLayer()));
  vectors_ = ground.tensors.at("vectors").to(settings.device);
  to(settings.device);
}

Streams TrajGat::prepare(const PlanarSet& trips) const {
  std::vector<std::vector<float>> nodes(trips.size());
  tbb::parallel_for(std::size_t{0}, trips.size(),
                    [&](std::size_t i) { nodes[i] = nodes_of(trips[i], tree_, statistics_); });
  std::vector<float> values;
  std::vector<std::int64_t> lengths;
  for (const std::vector<float>& trip : nodes) {
    values.insert(values.end(), trip.begin(), trip.end());
    lengths.push_back(static_cast<std::int64_t>(trip.size()) / columns);
  }
  return {Ragged(torch::tensor(values).reshape({-1, columns}), lengths, settings_.device)};
}

Tensor TrajGat::embed(const Streams& trips, std::span<const std::int64_t> ids) {
  constexpr std::int64_t most_edges = std::int64_t{1} << 25;  // of all trips: 1 GB of scores
  std::int64_t longest = 0;
  for (const std::int64_t id : ids) longest = std::max(longest, trips[0].length(id));
  const auto count = static_cast<std::int64_t>(ids.size());
  if (!is_training() && count > 1 && count * longest * longest > most_edges)
    return torch::cat(
        {embed(trips, ids.first(ids.size() / 2)), embed(trips, ids.subspan(ids.size() / 2))});
  const GraphBatch batch = graph_batch(trips, ids);
  Tensor laplacian = batch.nodes.narrow(1, feature_columns, laplacian_width);
  // As released, signs are drawn whenever a trip is embedded.
  if (is_training() || settings_.keeps(random_signs))
    laplacian = laplacian * torch::randn({laplacian_width}, laplacian.options()).sign();
  const Tensor rows = batch.nodes.select(1, vector_column).to(torch::kLong);
  Tensor nodes = features_(batch.nodes.narrow(1, 0, feature_columns)) + positions_(laplacian) +
                 torch::embedding(vectors_, rows);
  for (GraphLayer& layer : layers_) nodes = layer(nodes, batch);
  std::vector<Tensor> means;
  for (const GraphBatch::Part& part : batch.parts)
    means.push_back(part.apart(nodes).sum(1) / part.lengths);
  return torch::cat(means).index_select(0, batch.back);
}

Companions companions_of(const Labels& labels) {
  constexpr std::int64_t rows_at_once = 1024;
  const std::int64_t trips = labels.matrix.size(0), count = std::min(listed, trips);
  std::vector<Tensor> ids, truth;
  for (std::int64_t from = 0; from < trips; from += rows_at_once) {
    const std::int64_t rows = std::min(rows_at_once, trips - from);
    Tensor distances = labels.matrix.narrow(0, from, rows).clone();
    distances.diagonal(from).fill_(-1);  // first, whoever else is at distance 0
    const auto [near, near_ids] = distances.topk(count, 1, false);
    const auto [far, far_ids] = distances.topk(count, 1, true);
    ids.push_back(torch::cat({near_ids, far_ids.flip(1)}, 1).to(torch::kCPU));
    truth.push_back(torch::cat({near.clamp_min(0), far.flip(1).clamp_min(0)}, 1));
  }
  const auto options = labels.matrix.options();
  const Tensor near = torch::cat(
      {torch::ones({1}, options), torch::arange(listed, listed - count + 1, -1, options)});
  const Tensor far = torch::arange(listed - count + 1, listed + 1, options);
  const Tensor weights = torch::cat({near, far});
  return {torch::cat(ids), torch::cat(truth).mul(-alpha).exp(), weights / weights.sum()};
}

std::optional<Stage> TrajGat::training(const TrainingSet& set) {
  const std::int64_t trips = set.streams[0].size();
  return Stage{
      .steps =
          static_cast<std::uint64_t>(epochs * ((trips + anchors_at_once - 1) / anchors_at_once)),
      .groups = {{parameters()}},
      .loss =
          [this, &set, trips, companions = companions_of(set.labels)] {
            const Tensor anchors = draw(trips, anchors_at_once);
            const Tensor ids = companions.ids.index_select(0, anchors);
            const Tensor embedded =
                embed(set.streams, ids_of(ids)).view({ids.size(0), ids.size(1), dimension});
            const Tensor alike =
                distances_along(MetricKind::l2, embedded.narrow(1, 0, 1), embedded).neg().exp();
            const Tensor truth =
                companions.truth.index_select(0, anchors.to(companions.truth.device()));
            return ((alike - truth).square() * companions.weights).sum() /
                   static_cast<double>(anchors.size(0));
          },
      .rate = halving(rate, 3)};
}

RivalKind trajgat_kind() {
  return {.name = "trajgat",
          .title = "TrajGAT",
          .summary = "a graph Transformer over points and the cells of a quadtree",
          .mistakes = {{random_signs, "signs of Laplacian positions are random at inference too"},
                       {overwritten_cells, "vectors of cells are small random numbers"}},
          .add_ground = add_tree,
          .make = [](const Settings& settings, const Ground& ground) -> std::shared_ptr<Rival> {
            return std::make_shared<TrajGat>(settings, ground);
          }};
}

}  // namespace tsmini::rivals
