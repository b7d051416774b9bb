#include "rivals/core/node2vec.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace tsmini::rivals {
namespace {

// Nodes in a circle, each beside two others.
Graph ring(std::int64_t nodes) {
  Graph graph;
  for (std::int64_t i = 0; i < nodes; ++i)
    graph.push_back({(i + 1) % nodes, (i + nodes - 1) % nodes});
  return graph;
}

constexpr WalkSettings quick{
    .walks = 10, .length = 12, .window = 4, .negatives = 2, .epochs = 20, .rate = .05};

// Mean cosine of nodes that are so far apart in the ring.
double likeness(const Tensor& vectors, std::int64_t apart) {
  return torch::cosine_similarity(vectors, vectors.roll({apart}, {0}), 1).mean().item<double>();
}

TEST(Node2vec, NeighboursAreMoreAlikeThanFarNodes) {
  torch::manual_seed(1);
  const Tensor vectors = node2vec(ring(100), 16, quick, torch::kCPU);
  ASSERT_EQ(vectors.sizes(), (std::vector<std::int64_t>{100, 16}));
  EXPECT_GT(likeness(vectors, 1), likeness(vectors, 4) + .1);
  EXPECT_GT(likeness(vectors, 4), likeness(vectors, 50) + .2);
}

// What skip-gram minimises: nodes up to three steps apart are seen together, all others are not.
double skip_gram_loss(const Tensor& vectors) {
  const auto nodes = vectors.size(0);
  const Tensor products = vectors.matmul(vectors.t());
  double together = 0, strange = 0, pairs = 0, strangers = 0;
  for (std::int64_t i = 0; i < nodes; ++i) {
    for (std::int64_t j = 0; j < nodes; ++j) {
      const std::int64_t apart = std::min((i - j + nodes) % nodes, (j - i + nodes) % nodes);
      const double product = products[i][j].item<double>();
      if (apart > 0 && apart <= 3) {
        together += std::log1p(std::exp(-product));
        ++pairs;
      } else if (apart > 3) {
        strange += std::log1p(std::exp(product));
        ++strangers;
      }
    }
  }
  return together / pairs + strange / strangers;
}

TEST(Node2vec, WalksTeachMoreThanTheStartHas) {
  const auto made = [](std::int64_t epochs) {
    torch::manual_seed(1);
    WalkSettings settings = quick;
    settings.epochs = epochs;
    return node2vec(ring(60), 16, settings, torch::kCPU);
  };
  const Tensor start = made(0), learned = made(20);
  EXPECT_GT(likeness(start, 1), likeness(start, 30) + .5);
  EXPECT_LT(skip_gram_loss(learned), .7 * skip_gram_loss(start));
}

TEST(Node2vec, TheSeedDecides) {
  const auto made = [](std::uint64_t seed) {
    torch::manual_seed(seed);
    return node2vec(ring(40), 8, quick, torch::kCPU);
  };
  EXPECT_TRUE(torch::equal(made(1), made(1)));
  EXPECT_FALSE(torch::equal(made(1), made(2)));
}

TEST(Node2vec, NodesWithoutNeighboursStay) {
  torch::manual_seed(1);
  EXPECT_TRUE(node2vec({{}, {2}, {1}}, 8, quick, torch::kCPU).isfinite().all().item<bool>());
  EXPECT_EQ(node2vec({}, 8, quick, torch::kCPU).size(0), 0);
}

// An epoch has a step at least: so many steps would be all epochs, which take hours.
TEST(Node2vec, EndsInTimeAndTellsOfItsSteps) {
  WalkSettings patient = quick;
  patient.epochs = 1'000'000;
  patient.seconds = .2;
  std::uint64_t told = 0;
  node2vec(ring(200), 8, patient, torch::kCPU, [&](const ProgressState& state) {
    told = state.done;
    EXPECT_LE(state.done, state.total);
  });
  EXPECT_GT(told, 0U);
  EXPECT_LT(told, 1'000'000U);
}

}  // namespace
}  // namespace tsmini::rivals
