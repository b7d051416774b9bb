#include "rivals/trajgat/trajgat.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "rivals/core/pair_losses.h"
#include "rivals/plain.h"
#include "rivals/small_city.h"

namespace tsmini::rivals {
namespace {

using plain::Row;
using plain::Rows;

Row normed(const plain::Weights& weights, const std::string& prefix, const Row& x) {
  const Row mean = weights.vector(prefix + ".running_mean"),
            variance = weights.vector(prefix + ".running_var"),
            gain = weights.vector(prefix + ".weight"), shift = weights.vector(prefix + ".bias");
  Row out;
  for (std::size_t i = 0; i < x.size(); ++i)
    out.push_back((x[i] - mean[i]) / std::sqrt(variance[i] + 1e-5) * gain[i] + shift[i]);
  return out;
}

// Attention of 8 heads along edges, by the formulas alone.
Rows attended(const Rows& w, const Rows& x, const std::vector<std::vector<bool>>& edge) {
  Rows all;
  for (const Row& row : x) all.push_back(plain::linear(w, row));
  Rows out(x.size(), Row(128));
  for (std::size_t head = 0; head < 8; ++head) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      Row weight(x.size());
      double sum = 0;
      for (std::size_t j = 0; j < x.size(); ++j) {
        if (!edge[i][j]) continue;
        double product = 0;
        for (std::size_t k = 16 * head; k < 16 * (head + 1); ++k)
          product += all[i][k] * all[j][128 + k];
        weight[j] = std::exp(std::exp(std::clamp(product / 4, -5.0, 5.0)));
        sum += weight[j];
      }
      for (std::size_t j = 0; j < x.size(); ++j)
        for (std::size_t k = 16 * head; k < 16 * (head + 1); ++k)
          out[i][k] += weight[j] / sum * all[j][256 + k];
    }
  }
  return out;
}

// From the formulas alone, but for the Laplacian: its eigenvectors are those of `laplacian`.
Row expected(const Small& small, std::span<const Planar> trip, const Rows& laplacian) {
  const plain::Weights weights(*small.rival);
  const Rows vectors = plain::rows_of(small.ground.tensors.at("vectors"));
  const Quadtree tree(small.ground.cells.box(), small.city.all);
  const Statistics& s = small.ground.statistics;
  Rows features;
  std::vector<std::int64_t> leaf_of, leaves;
  for (const Planar& point : trip) {
    features.push_back(
        {(point.x - s.mean_x) / s.deviation_x, (point.y - s.mean_y) / s.deviation_y, 0, 0});
    leaf_of.push_back(tree.leaf_at(point));
    if (std::find(leaves.begin(), leaves.end(), leaf_of.back()) == leaves.end())
      leaves.push_back(leaf_of.back());
  }
  for (const std::int64_t leaf : leaves) {
    const PlanarBox box = tree.nodes()[static_cast<std::size_t>(leaf)].box;
    features.push_back({((box.low.x + box.high.x) / 2 - s.mean_x) / s.deviation_x,
                        ((box.low.y + box.high.y) / 2 - s.mean_y) / s.deviation_y,
                        (box.high.x - box.low.x) / 1000, (box.high.y - box.low.y) / 1000});
  }
  const std::size_t points = trip.size(), nodes = features.size();
  std::vector<std::vector<bool>> edge(nodes, std::vector<bool>(nodes));
  for (std::size_t i = 0; i < nodes; ++i) {
    for (std::size_t j = 0; j < nodes; ++j) {
      edge[i][j] = i == j || (i >= points && j >= points) ||
                   (i < points && j >= points && leaf_of[i] == leaves[j - points]) ||
                   (j < points && i >= points && leaf_of[j] == leaves[i - points]);
    }
  }
  Rows x;
  for (std::size_t i = 0; i < nodes; ++i) {
    const std::size_t row = i < points ? 0 : static_cast<std::size_t>(leaves[i - points]) + 1;
    const Row from_features = plain::linear(weights.matrix("features.weight"), features[i],
                                            weights.vector("features.bias"));
    const Row from_places = plain::linear(weights.matrix("positions.weight"), laplacian[i],
                                          weights.vector("positions.bias"));
    x.push_back(plain::plus(plain::plus(from_features, from_places), vectors[row]));
  }
  for (const std::string& prefix : std::vector<std::string>{"layer0", "layer1", "layer2"}) {
    const Rows seen = attended(weights.matrix(prefix + ".input.weight"), x, edge);
    for (std::size_t i = 0; i < nodes; ++i) {
      const auto layer = [&](const std::string& name, const Row& in) {
        return plain::linear(weights.matrix(prefix + name + ".weight"), in,
                             weights.vector(prefix + name + ".bias"));
      };
      const Row middle =
          normed(weights, prefix + ".first_norm", plain::plus(x[i], layer(".output", seen[i])));
      Row wide = layer(".widen", middle);
      for (double& value : wide) value = std::max(value, 0.0);
      x[i] = normed(weights, prefix + ".second_norm", plain::plus(middle, layer(".narrow", wide)));
    }
  }
  return plain::mean(x);
}

TEST(TrajGat, EmbedsAsItsFormulasSay) {
  const Small small = small_rival(trajgat_kind());
  const PlanarSet trips = odd_trips(small.city.all);
  const Streams streams = small.rival->prepare(trips);
  // Steps of training, so that no norm is without effect.
  const auto ids = all_ids(static_cast<std::int64_t>(trips.size()));
  for (int i = 0; i < 5; ++i) small.rival->embed(streams, ids);
  const Tensor rows = embeddings(*small.rival, streams);
  for (const std::int64_t id : ids) {
    const auto one = std::span(&id, 1);
    const Tensor nodes = torch::cat({streams[0].joined(one), streams[1].joined(one)});
    const Row want =
        expected(small, trips[static_cast<std::size_t>(id)], plain::rows_of(nodes.narrow(1, 4, 8)));
    EXPECT_LT(plain::difference(plain::row_of(rows[id]), want), 1e-5) << id;
  }
}

TEST(TrajGat, NormsKnowNoPadding) {
  const Small small = small_rival(trajgat_kind());
  const Streams streams = small.rival->prepare(odd_trips(small.city.all));
  // The first norm is given vectors of cells and nothing else.
  for (const std::string& name :
       std::vector<std::string>{"features", "positions", "layer0.output"}) {
    const torch::NoGradGuard no_grad;
    small.rival->named_parameters()[name + ".weight"].zero_();
    small.rival->named_parameters()[name + ".bias"].zero_();
  }
  small.rival->train();
  small.rival->embed(streams, all_ids(6));
  const Tensor rows =
      torch::cat({streams[0].values(), streams[1].values()}).select(1, 12).to(torch::kLong);
  const Tensor nodes = small.ground.tensors.at("vectors").index_select(0, rows);
  const auto buffers = small.rival->named_buffers();
  const Tensor mean = buffers["layer0.first_norm.running_mean"],
               variance = buffers["layer0.first_norm.running_var"];
  EXPECT_LT((mean - .1 * nodes.mean(0)).abs().max().item<double>(), 1e-6);
  EXPECT_LT((variance - .9 - .1 * nodes.var(0, true)).abs().max().item<double>(), 1e-6);
}

TEST(TrajGat, EmbeddingsDoNotDependOnTheBatch) {
  const Small small = small_rival(trajgat_kind());
  const Streams streams = small.rival->prepare(odd_trips(small.city.all));
  const Tensor together = embeddings(*small.rival, streams);
  EXPECT_TRUE(torch::isfinite(together).all().item<bool>());
  small.rival->eval();
  const torch::NoGradGuard no_grad;
  for (std::int64_t id = 0; id < 6; ++id) {
    const Tensor alone = small.rival->embed(streams, std::span(&id, 1))[0];
    EXPECT_LT(plain::difference(plain::row_of(alone), plain::row_of(together[id])), 1e-5) << id;
  }
}

TEST(TrajGat, CellVectorsAreFrozenAndAllElseLearns) {
  const Small small = small_rival(trajgat_kind());
  EXPECT_EQ(small.rival->parameter_count(), 398'080U);
  const TrainingSet set = training_set(*small.rival, small.city.train, Measure::frechet);
  small.rival->training(set)->loss().backward();
  for (const auto& item : small.rival->named_parameters())
    EXPECT_GT(item.value().grad().abs().max().item<double>(), 0) << item.key();
}

TEST(TrajGat, CellVectorsAreScaledAndPointsHaveNone) {
  const Small small = small_rival(trajgat_kind());
  const Tensor vectors = small.ground.tensors.at("vectors");
  const Tensor cells = vectors.narrow(0, 1, vectors.size(0) - 1);
  EXPECT_EQ(vectors[0].abs().max().item<double>(), 0);
  EXPECT_EQ(cells.amin(0).abs().max().item<double>(), 0);
  EXPECT_LT((cells.amax(0) - .1).abs().max().item<double>(), 1e-7);
  EXPECT_EQ(vectors.size(0), small.ground.tensors.at("tree").numel() + 1);
}

TEST(TrajGat, ReleasedCellVectorsAreSmallAndRandom) {
  const Small small = small_rival(trajgat_kind(), {.released = {"overwritten-cells"}});
  const Tensor vectors = small.ground.tensors.at("vectors");
  const double most = std::sqrt(6.0 / static_cast<double>(vectors.size(0) + vectors.size(1)));
  EXPECT_LE(vectors.abs().max().item<double>(), most);
  EXPECT_GT(vectors.abs().max().item<double>(), .9 * most);
  EXPECT_GT(vectors[0].abs().max().item<double>(), 0);
}

TEST(TrajGat, SignsAreRandomOnlyAsReleased) {
  for (const bool released : {false, true}) {
    Settings settings;
    if (released) settings.released = {"random-signs"};
    const Small small = small_rival(trajgat_kind(), settings, 16);
    const Streams streams = small.rival->prepare(small.city.all);
    Tensor spread = torch::zeros({});
    const Tensor first = embeddings(*small.rival, streams);
    for (int i = 0; i < 4; ++i)
      spread = torch::maximum(spread, (embeddings(*small.rival, streams) - first).abs().max());
    EXPECT_EQ(spread.item<double>() > 1e-3, released);
    EXPECT_EQ(spread.item<double>() == 0, !released);
  }
}

TEST(TrajGat, ComparesWithTheNearestAndTheFarthest) {
  const PlanarSet trips = small_trips(40);
  const Labels labels = labels_of(Measure::dtw, trips, 1, torch::kCPU);
  const Companions companions = companions_of(labels);
  const Row weights = plain::row_of(companions.weights);
  const double sum = 1 + 54 + 55;
  ASSERT_EQ(weights.size(), 20U);
  for (std::size_t k = 0; k < 20; ++k) {
    const double want = k == 0   ? 1
                        : k < 10 ? 11.0 - static_cast<double>(k)
                                 : static_cast<double>(k) - 9;
    EXPECT_NEAR(weights[k], want / sum, 1e-7);
  }
  for (std::int64_t i = 0; i < 40; ++i) {
    Row sorted = plain::row_of(labels.matrix[i]);
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(companions.ids[i][0].item<std::int64_t>(), i);
    for (std::int64_t k = 0; k < 20; ++k) {
      const auto id = companions.ids[i][k].item<std::int64_t>();
      const double label = labels.matrix[i][id].item<double>();
      EXPECT_EQ(label, sorted[static_cast<std::size_t>(k < 10 ? k : 20 + k)]);
      EXPECT_NEAR(companions.truth[i][k].item<double>(), std::exp(-16 * label), 1e-6);
    }
  }
  // Each of few trips is near and far.
  const Companions few = companions_of(labels_of(Measure::dtw, small_trips(4), 1, torch::kCPU));
  EXPECT_EQ(few.ids.size(1), 8);
  EXPECT_EQ(few.weights.size(0), 8);
}

// Hit ratio, and the error that the recipe minimises, over all anchors.
struct Learned {
  double error, hr10;
};
Learned learned(const Small& small, const TrainingSet& set) {
  const Companions companions = companions_of(set.labels);
  const Tensor found = small.rival->distances(set.streams, all_ids(set.streams[0].size()), {});
  const Tensor wrong = found.gather(1, companions.ids).neg().exp() - companions.truth;
  return {(wrong.square() * companions.weights).sum(1).mean().item<double>(),
          score_of(found, set.labels.matrix * set.labels.largest).hr10};
}

// Shorter trips than those of other rivals: a step embeds 320 of them.
TEST(TrajGat, OverfitsAFewTrips) {
  const Settings settings{.measure = Measure::hausdorff};
  const Small small = small_rival(trajgat_kind(), settings, 64, {6, 9});
  const TrainingSet set = training_set(*small.rival, small.city.train, settings.measure);
  const double before = learned(small, set).error;
  overfit(small, set, 140);
  const Learned after = learned(small, set);
  EXPECT_LT(after.error, before / 4);
  EXPECT_GE(after.hr10, .9);
}

}  // namespace
}  // namespace tsmini::rivals
