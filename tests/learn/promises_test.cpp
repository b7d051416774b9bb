// What embeddings and training may depend on, and what not.
#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "learn/threads.h"
#include "learn/workshop.h"

namespace tsmini {
namespace {

// Of the embeddings' norm, where only the grouping of a product's terms may differ.
constexpr double rounding = 1e-6;

std::vector<NetSettings> kinds_of_nets() {
  std::vector<NetSettings> all(4);
  all[1].unit_norm = false;
  all[1].pooling = {Pool::mean, Pool::max, Pool::sum, Pool::first, Pool::last};
  all[2].block = BlockKind::vanilla;
  all[3].sub_views = false;
  return all;
}

double difference(const at::Tensor& a, const at::Tensor& b) {
  return (a - b).norm().item<double>() / b.norm().item<double>();
}

TEST(Promises, AnEmbeddingDependsOnItsTrajectoryAlone) {
  for (const NetSettings& settings : kinds_of_nets()) {
    WorkshopSettings with;
    with.net = settings;
    Workshop workshop(with, at::kCPU);
    workshop.train(3);  // running statistics away from 0 and 1
    const learn::FeatureStore& store = workshop.store();
    std::vector<int> all(store.size());
    std::iota(all.begin(), all.end(), 0);
    const at::NoGradGuard no_grad;
    const at::Tensor together = workshop.net().embed(store.batch(all), {});
    EXPECT_LT(difference(learn::embed_all(workshop.net(), store), together), rounding);

    std::vector<int> backwards(all.rbegin(), all.rend());
    const at::Tensor turned = workshop.net().embed(store.batch(backwards), {});
    for (const int id : all) {
      const std::vector<int> one = {id};
      const learn::Packed points = store.batch(one);
      const at::Tensor alone = workshop.net().embed(points, {})[0];
      EXPECT_LT(difference(together[id], alone), rounding) << id;
      EXPECT_LT(difference(turned[static_cast<int>(store.size()) - 1 - id], alone), rounding) << id;

      learn::Packed padded{at::cat({points.rows, at::full({37, points.rows.size(1)}, 0.7)}),
                           points.packing};
      padded.packing.capacity += 37;
      EXPECT_LT(difference(workshop.net().embed(padded, {})[0], alone), rounding) << id;
    }
  }
}

// Our operations are the same to the bit (Agreement.*); the products that are LibTorch's (of the
// input, the head and vanilla blocks) are divided by the number of threads, which rounds
// differently, and Adam's first steps make much of little. Without the ranking: a prediction that
// changes its place in a list is a leap.
TEST(Promises, TrainingDependsOnThreadsByRoundingOnly) {
  for (const NetSettings& settings : kinds_of_nets()) {
    if (!settings.unit_norm) continue;
    WorkshopSettings with;
    with.net = settings;
    with.loss.lambda = 1;
    std::vector<std::vector<double>> losses;
    for (const int threads : {1, 2, 3}) {
      const WithThreads guard(threads);
      losses.push_back(Workshop(with, at::kCPU).train(3));
    }
    for (std::size_t step = 0; step < 3; ++step) {
      EXPECT_NEAR(losses[1][step] / losses[0][step], 1, 2e-3);
      EXPECT_NEAR(losses[2][step] / losses[0][step], 1, 2e-3);
    }
  }
}

TEST(Promises, EmbeddingsDependOnThreadsByRoundingOnly) {
  for (const NetSettings& settings : kinds_of_nets()) {
    WorkshopSettings with;
    with.net = settings;
    Workshop workshop(with, at::kCPU);
    std::vector<at::Tensor> embeddings;
    for (const int threads : {1, 2, 3}) {
      const WithThreads guard(threads);
      embeddings.push_back(learn::embed_all(workshop.net(), workshop.store()));
    }
    EXPECT_LT(difference(embeddings[1], embeddings[0]), rounding);
    EXPECT_LT(difference(embeddings[2], embeddings[0]), rounding);
  }
}

TEST(Promises, ASeedGivesAModel) {
  WorkshopSettings with;
  std::vector<at::Tensor> weights, averages;
  for (const std::uint64_t seed : {1U, 1U, 2U}) {
    with.seed = seed;
    Workshop workshop(with, at::kCPU);
    workshop.train(20);
    weights.push_back(workshop.weights().clone());
    averages.push_back(workshop.optimiser().average_weights().clone());
  }
  EXPECT_TRUE(at::equal(weights[0], weights[1]));
  EXPECT_TRUE(at::equal(averages[0], averages[1]));
  EXPECT_FALSE(at::equal(weights[0], weights[2]));
  EXPECT_FALSE(at::equal(weights[0], averages[0]));
}

TEST(Promises, LabelsOfBatchesAreThoseOfTheMatrix) {
  for (const Measure measure : {Measure::frechet, Measure::dtw}) {
    WorkshopSettings with;
    with.measure = measure;
    std::vector<std::vector<double>> losses;
    for (const auto kind : {learn::LabelKind::matrix, learn::LabelKind::batch}) {
      with.labels = kind;
      losses.push_back(Workshop(with, at::kCPU).train(20));
    }
    EXPECT_EQ(losses[0], losses[1]);
    EXPECT_LT(losses[0].back(), losses[0].front());
  }
}

TEST(Promises, LongTrajectories) {
  WorkshopSettings with;
  with.batch = 4;
  with.lengths = {2000, 1, 20, 1500, 30};
  Workshop workshop(with, at::kCPU);
  const std::vector<double> losses = workshop.train(2);
  for (const double loss : losses) EXPECT_TRUE(std::isfinite(loss));
  const at::NoGradGuard no_grad;
  const std::vector<int> one = {0}, some = {2, 0, 1};
  const at::Tensor alone = workshop.net().embed(workshop.store().batch(one), {});
  EXPECT_NEAR(alone.norm().item<double>(), 1, 1e-5);
  EXPECT_LT(difference(workshop.net().embed(workshop.store().batch(some), {})[1], alone[0]),
            rounding);
}

TEST(Promises, TensorsOfAModelGiveItsEmbeddingsBack) {
  WorkshopSettings with;
  Workshop workshop(with, at::kCPU);
  workshop.train(2);
  const learn::Parameters& trained = workshop.net().parameters();
  learn::Net other(with.net, workshop.trips().frame, {}, 99, workshop.store().longest(), at::kCPU);
  other.parameters().from_tensors(trained.to_tensors(trained.weights(), trained.buffers()));
  EXPECT_TRUE(at::equal(learn::embed_all(other, workshop.store()),
                        learn::embed_all(workshop.net(), workshop.store())));
}

TEST(Promises, ATableOfCellsGrowsWithTripsAndNotWithLand) {
  const SmallBatch trips = small_batch(5, {40, 60});
  const Dataset data = trips.dataset();
  const std::vector<std::size_t> both{0, 1};
  NetSettings settings;
  settings.sub_views = false;
  FeatureFrame land = trips.frame;
  land.high = {land.low.x + 1e6, land.low.y + 1e6};  // 100 million cells
  const learn::FeatureStore store(data, both, land, settings, at::kCPU);
  const std::vector<std::int64_t> cells = store.cells(CellGrid(settings, land));
  EXPECT_GT(cells.size(), 10U);
  EXPECT_LE(cells.size(), 100U);
  EXPECT_TRUE(std::is_sorted(cells.begin(), cells.end()));
  const learn::Net net(settings, land, cells, 1, store.longest(), at::kCPU);
  EXPECT_LT(net.parameters().weights().numel(), 1'000'000);
}

}  // namespace
}  // namespace tsmini
