#include "rivals/trajgat/trajgat.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include <tbb/parallel_for.h>

#include "tsmini/error.h"

#include "rivals/core/node2vec.h"
#include "rivals/core/pair_losses.h"
#include "rivals/trajgat/laplacian.h"

namespace tsmini::rivals {
namespace {

constexpr std::int64_t layers = 3, heads = 8, head_width = dimension / heads;
constexpr std::int64_t feature_columns = 4, columns = feature_columns + laplacian_width + 2;
constexpr std::int64_t vector_column = columns - 2, home_column = columns - 1;
constexpr double dropout = .01, most_exponent = 5, alpha = 16, rate = .001;
constexpr double kilometre = 1000;
constexpr double vector_scale = .1;  // of leaves, beside features that are z-scored
constexpr std::int64_t listed = 10;  // near ones, and far ones
constexpr std::int64_t fewest_anchors = 2, most_anchors = 16, epochs = 100;
constexpr std::int64_t nodes_at_once = 1 << 16;
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

// The nodes of a trip: all columns, row by row.
struct Nodes {
  std::vector<float> points, leaves;
};
Nodes nodes_of(std::span<const Planar> trip, const Quadtree& tree, const Statistics& statistics) {
  std::vector<std::int64_t> leaf_of, leaves;  // of the trip; of the tree
  std::unordered_map<std::int64_t, std::int64_t> numbers;
  for (const Planar& point : trip) {
    const std::int64_t leaf = tree.leaf_at(point);
    const auto [found, fresh] = numbers.emplace(leaf, static_cast<std::int64_t>(leaves.size()));
    if (fresh) leaves.push_back(leaf);
    leaf_of.push_back(found->second);
  }
  const std::vector<LaplacianRow> laplacian = laplacian_rows(leaf_of);
  const auto add = [&](std::vector<float>& values, const LaplacianRow& row, const Planar& at,
                       double width, double height, std::int64_t vector, std::int64_t home) {
    for (const double value : {statistics.x(at), statistics.y(at), width, height})
      values.push_back(static_cast<float>(value));
    values.insert(values.end(), row.begin(), row.end());
    values.push_back(static_cast<float>(vector));
    values.push_back(static_cast<float>(home));
  };
  Nodes nodes;
  for (std::size_t i = 0; i < trip.size(); ++i)
    add(nodes.points, laplacian[i], trip[i], 0, 0, 0, leaf_of[i]);
  for (std::size_t l = 0; l < leaves.size(); ++l) {
    const Quadtree::Node& node = tree.nodes()[static_cast<std::size_t>(leaves[l])];
    add(nodes.leaves, laplacian[trip.size() + l], node.centre(), node.box.width() / kilometre,
        node.box.height() / kilometre, leaves[l] + 1, 0);
  }
  return nodes;
}

// Groups of trips, by falling number of leaves.
std::vector<GraphBatch::Leaves> groups_of(const Ragged& leaves, std::span<const std::int64_t> ids,
                                          const torch::Device& device) {
  std::vector<GraphBatch::Leaves> groups;
  std::int64_t from = 0;
  for (std::size_t first = 0, last = 0; first < ids.size(); first = last) {
    std::vector<std::int64_t> lengths;
    const std::int64_t most = leaves.length(ids[first]);
    for (; last < ids.size() && 2 * leaves.length(ids[last]) >= most; ++last)
      lengths.push_back(leaves.length(ids[last]));
    const Packing packing(lengths, most, device);
    const std::int64_t count = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
    const Tensor barrier =
        torch::zeros(packing.mask().sizes(), device)
            .masked_fill_(packing.mask().logical_not(), -std::numeric_limits<float>::infinity());
    groups.push_back({from, count, packing, barrier.unsqueeze(1).unsqueeze(1)});
    from += count;
  }
  return groups;
}

// How alike a query and a key are, [..., heads] of [..., heads, head_width]; and from the product.
Tensor score_of_product(const Tensor& product) {
  return (product / std::sqrt(static_cast<double>(head_width)))
      .clamp(-most_exponent, most_exponent)
      .exp();
}
Tensor score_of(const Tensor& query, const Tensor& key) {
  return score_of_product((query * key).sum(-1));
}

// Anchors of a step: fewer where trips are long.
std::int64_t anchors_of(const Streams& streams) {
  const std::int64_t nodes = streams[0].values().size(0) + streams[1].values().size(0);
  const std::int64_t of_anchor = std::max<std::int64_t>(1, 2 * listed * nodes / streams[0].size());
  return std::clamp(nodes_at_once / of_anchor, fewest_anchors, most_anchors);
}

}  // namespace

GraphBatch graph_batch(const Streams& trips, std::span<const std::int64_t> ids) {
  const ByLength sorted = by_length(trips[1], ids);
  const torch::Device device = trips[0].values().device();
  const Tensor points = trips[0].joined(sorted.ids), leaves = trips[1].joined(sorted.ids);
  std::vector<std::int64_t> first_leaves, of_points, of_leaves;
  std::vector<float> sizes;
  std::int64_t first = 0;
  for (std::size_t i = 0; i < sorted.ids.size(); ++i) {
    const std::int64_t n = trips[0].length(sorted.ids[i]), l = trips[1].length(sorted.ids[i]);
    first_leaves.insert(first_leaves.end(), static_cast<std::size_t>(n), first);
    of_points.insert(of_points.end(), static_cast<std::size_t>(n), static_cast<std::int64_t>(i));
    of_leaves.insert(of_leaves.end(), static_cast<std::size_t>(l), static_cast<std::int64_t>(i));
    sizes.push_back(static_cast<float>(n + l));
    first += l;
  }
  of_points.insert(of_points.end(), of_leaves.begin(), of_leaves.end());
  const auto on_device = [&](const std::vector<std::int64_t>& numbers) {
    return torch::tensor(numbers, torch::kLong).to(device);
  };
  GraphBatch batch;
  batch.points = points.size(0);
  batch.nodes = torch::cat({points, leaves});
  batch.homes = on_device(first_leaves) + points.select(1, home_column).to(torch::kLong);
  batch.leaves = groups_of(trips[1], sorted.ids, device);
  batch.trips = on_device(of_points);
  batch.sizes = torch::tensor(sizes).to(device).unsqueeze(1);
  batch.back = sorted.back;
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
  const std::int64_t points = batch.points, leaves = nodes.size(0) - points;
  const auto all = input_(nodes).view({-1, 3, heads, head_width}).unbind(1);
  const auto of_points = [&](int i) {
    return all[static_cast<std::size_t>(i)].narrow(0, 0, points);
  };
  const auto of_leaves = [&](int i) {
    return all[static_cast<std::size_t>(i)].narrow(0, points, leaves);
  };
  const auto at_home = [&](const Tensor& x) { return x.index_select(0, batch.homes); };

  // A softmax of two is a sigmoid.
  const Tensor share =
      (score_of(of_points(0), at_home(of_leaves(1))) - score_of(of_points(0), of_points(1)))
          .sigmoid()
          .unsqueeze(2);
  const Tensor points_see = torch::lerp(of_points(2), at_home(of_leaves(2)), share);

  // A leaf scores all leaves of its trip, and its points; the largest score is taken off both.
  const Tensor to_points = score_of(at_home(of_leaves(0)), of_points(1));
  std::vector<Tensor> to_leaves, largest;
  const auto apart = [](const GraphBatch::Leaves& group, const Tensor& x) {
    return group.packing.spread(x.narrow(0, group.from, group.count)).transpose(1, 2);
  };
  for (const GraphBatch::Leaves& group : batch.leaves) {
    const Tensor product =
        apart(group, of_leaves(0)).matmul(apart(group, of_leaves(1)).transpose(2, 3));
    to_leaves.push_back(score_of_product(product) + group.barrier);
    largest.push_back(group.packing.pack(to_leaves.back().detach().amax(3).transpose(1, 2)));
  }
  const Tensor most = torch::cat(largest).scatter_reduce(
      0, batch.homes.unsqueeze(1).expand({-1, heads}), to_points.detach(), "amax");
  const Tensor counted = (to_points - at_home(most)).exp();
  std::vector<Tensor> sums, seen;
  for (std::size_t i = 0; i < to_leaves.size(); ++i) {
    const GraphBatch::Leaves& group = batch.leaves[i];
    const Tensor weights = (to_leaves[i] - apart(group, most.unsqueeze(2))).exp();
    sums.push_back(group.packing.pack(weights.sum(3).transpose(1, 2)));
    seen.push_back(group.packing.pack(weights.matmul(apart(group, of_leaves(2))).transpose(1, 2)));
  }
  const Tensor sum = torch::cat(sums).index_add(0, batch.homes, counted);
  const Tensor leaves_see =
      torch::cat(seen).index_add(0, batch.homes, counted.unsqueeze(2) * of_points(2)) /
      sum.unsqueeze(2);
  return torch::cat({points_see, leaves_see}).flatten(1);
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
  const Tensor& vectors = ground.tensors.at("vectors");
  if (vectors.dim() != 2 || vectors.size(1) != dimension ||
      vectors.size(0) != static_cast<std::int64_t>(tree_.nodes().size()) + 1)
    throw Error(ErrorCode::bad_input, "it has not one vector a node of its tree", "train it again");
  vectors_ = vectors.to(settings.device);
  to(settings.device);
}

Streams TrajGat::prepare(const PlanarSet& trips) const {
  std::vector<Nodes> nodes(trips.size());
  tbb::parallel_for(std::size_t{0}, trips.size(),
                    [&](std::size_t i) { nodes[i] = nodes_of(trips[i], tree_, statistics_); });
  const auto stream = [&](std::vector<float> Nodes::*part) {
    std::vector<float> values;
    std::vector<std::int64_t> lengths;
    for (const Nodes& trip : nodes) {
      values.insert(values.end(), (trip.*part).begin(), (trip.*part).end());
      lengths.push_back(static_cast<std::int64_t>((trip.*part).size()) / columns);
    }
    return Ragged(torch::tensor(values).reshape({-1, columns}), lengths, settings_.device);
  };
  return {stream(&Nodes::points), stream(&Nodes::leaves)};
}

Tensor TrajGat::embed(const Streams& trips, std::span<const std::int64_t> ids) {
  const GraphBatch batch = graph_batch(trips, ids);
  Tensor laplacian = batch.nodes.narrow(1, feature_columns, laplacian_width);
  // As released, signs are drawn whenever a trip is embedded.
  if (is_training() || settings_.keeps(random_signs))
    laplacian = laplacian * torch::randn({laplacian_width}, laplacian.options()).sign();
  const Tensor rows = batch.nodes.select(1, vector_column).to(torch::kLong);
  Tensor nodes = features_(batch.nodes.narrow(1, 0, feature_columns)) + positions_(laplacian) +
                 torch::embedding(vectors_, rows);
  for (GraphLayer& layer : layers_) nodes = layer(nodes, batch);
  const Tensor sums = torch::zeros({batch.sizes.size(0), dimension}, nodes.options())
                          .index_add(0, batch.trips, nodes);
  return (sums / batch.sizes).index_select(0, batch.back);
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
  const std::int64_t trips = set.streams[0].size(), at_once = anchors_of(set.streams);
  return Stage{
      .steps = static_cast<std::uint64_t>(epochs * ((trips + at_once - 1) / at_once)),
      .groups = {{parameters()}},
      .loss =
          [this, &set, trips, at_once, companions = companions_of(set.labels)] {
            const Tensor anchors = draw(trips, at_once);
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
