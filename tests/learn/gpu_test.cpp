// The GPU against the CPU: every operation forwards and backwards, whole steps, and that training
// there repeats itself. Skipped where there is no GPU.
#include <cmath>
#include <functional>
#include <optional>

#include <ATen/Context.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <gtest/gtest.h>

#include "learn/device.h"
#include "learn/gradients.h"
#include "learn/layers.h"
#include "learn/ops/ops.h"
#include "learn/workshop.h"

namespace tsmini {
namespace {

using Inputs = std::vector<at::Tensor>;
using learn::Dropout;
using learn::Packing;

const at::Device gpu(at::kCUDA, 0);
constexpr double close = 1e-4;

class Gpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!at::hasCUDA() || !at::cuda::is_available()) GTEST_SKIP() << "there is no GPU here";
    session_.emplace("cuda");
    at::globalContext().setAllowTF32CuBLAS(false);
  }

 private:
  std::optional<learn::DeviceSession> session_;
};

// Sizes of batches and, in turn, the points of their trajectories.
std::vector<int> lengths_of(int count) {
  constexpr int cycle[] = {7, 8, 70, 200, 300};
  std::vector<int> lengths;
  for (int i = 0; i < count; ++i) lengths.push_back(cycle[i % 5]);
  return lengths;
}
constexpr int batches[] = {2, 3, 17, 128, 512};

Packing on_gpu(const Packing& packing, std::int64_t spare) {
  return {packing.starts.to(gpu), packing.count, packing.capacity + spare, packing.lost};
}

// Rows past the end on the GPU: nonsense goes in, which must not come out.
at::Tensor with_spare(const at::Tensor& rows, std::int64_t spare, double nonsense) {
  if (spare == 0) return rows.to(gpu);
  return at::cat({rows, at::full({spare, rows.size(1)}, nonsense, rows.options())}).to(gpu);
}

void expect_rows(const at::Tensor& actual, const at::Tensor& expected, const char* what) {
  const at::Tensor host = actual.to(at::kCPU);
  EXPECT_LT(relative_error(host.narrow(0, 0, expected.size(0)), expected), close) << what;
  const std::int64_t spare = host.size(0) - expected.size(0);
  if (spare > 0) {
    EXPECT_EQ(host.narrow(0, expected.size(0), spare).abs().max().item<double>(), 0)
        << what << ": rows past the end";
  }
}

using PackedOperation = std::function<at::Tensor(const Inputs&, const Packing&)>;

// The first input and (unless there is a row a trajectory) the result are packed rows.
void expect_packed_same(const PackedOperation& operation, const Inputs& exact,
                        const Packing& packing, bool row_a_trajectory = false) {
  constexpr std::int64_t spare = 1000;
  Inputs host, device;
  for (const at::Tensor& input : exact) {
    host.push_back(input.to(at::kFloat));
    device.push_back(device.empty() ? with_spare(host[0], spare, 0.7) : host.back().to(gpu));
  }
  const Packing packing_there = on_gpu(packing, spare);
  at::Tensor weighting;
  {
    const at::NoGradGuard no_grad;
    weighting = random_tensor(operation(host, packing).sizes().vec(), 42).to(at::kFloat);
  }
  const auto expected =
      with_gradients([&](const Inputs& in) { return operation(in, packing); }, host, weighting);
  const auto got = with_gradients([&](const Inputs& in) { return operation(in, packing_there); },
                                  device, with_spare(weighting, row_a_trajectory ? 0 : spare, 0.3));
  expect_rows(got[0], expected[0], "result");
  expect_rows(got[1], expected[1], "gradient");
  for (std::size_t i = 2; i < got.size(); ++i)
    EXPECT_LT(relative_error(got[i], expected[i]), close) << "gradient by input " << i - 1;
}

void expect_same(const Operation& operation, const Inputs& exact) {
  Inputs host, device;
  for (const at::Tensor& input : exact) {
    host.push_back(input.to(at::kFloat));
    device.push_back(host.back().to(gpu));
  }
  at::Tensor weighting;
  {
    const at::NoGradGuard no_grad;
    weighting = random_tensor(operation(host).sizes().vec(), 42).to(at::kFloat);
  }
  const auto expected = with_gradients(operation, host, weighting);
  const auto got = with_gradients(operation, device, weighting.to(gpu));
  for (std::size_t i = 0; i < got.size(); ++i)
    EXPECT_LT(relative_error(got[i], expected[i]), close) << (i == 0 ? "result" : "gradient");
}

// On the device of `like`.
Dropout dropout_of(double rate, const at::Tensor& like) {
  return {rate, at::full({1}, 0x1234567890abcdef, at::kLong).to(like.device()), 3};
}

TEST_F(Gpu, Batches) {
  const SmallBatch batch = small_batch(4, {7, 300, 1, 70, 200, 8});
  for (const std::size_t octaves : {0U, 1U, 5U}) {
    NetSettings settings;
    settings.fourier_octaves = octaves;
    const std::vector<std::size_t> all = {0, 1, 2, 3, 4, 5};
    const std::vector<int> some = {4, 0, 2, 1};
    const learn::FeatureStore here(batch.dataset(), all, batch.frame, settings, at::kCPU);
    const learn::FeatureStore there(batch.dataset(), all, batch.frame, settings, gpu);
    expect_rows(there.batch(some).rows, here.batch(some).rows, "features");
  }
}

TEST_F(Gpu, Windows) {
  for (const int count : batches) {
    for (const int lost : {0, 2, 4}) {
      SCOPED_TRACE(testing::Message() << count << " trips, " << lost << " lost");
      const Packing packing = packing_of(lengths_of(count), lost);
      expect_packed_same(
          [](const Inputs& in, const Packing& p) { return learn::windows(in[0], p); },
          {random_tensor({packing.rows(), 16}, 1)}, packing);
    }
  }
}

TEST_F(Gpu, BatchNorm) {
  for (const int count : batches) {
    for (const int channels : {32, 64, 128}) {
      SCOPED_TRACE(testing::Message() << count << " trips, " << channels << " channels");
      const Packing packing = packing_of(lengths_of(count), 2);
      const at::Tensor initial = random_tensor({2, channels}, 4).abs().to(at::kFloat);
      std::vector<at::Tensor> running;
      expect_packed_same(
          [&](const Inputs& in, const Packing& p) {
            running.push_back(initial.to(in[0].device(), at::kFloat, false, true));
            return learn::batch_norm(in[0], in[1], in[2], running.back(), p);
          },
          // Shifts far from 0: a value at the kink of the ReLU may fall on either side.
          {random_tensor({packing.rows(), channels}, 1) * 2 + 3, random_tensor({channels}, 2),
           random_tensor({channels}, 3).sign() * 12},
          packing);
      EXPECT_LT(relative_error(running.back(), running.front()), close);  // GPU and CPU
    }
  }
}

TEST_F(Gpu, RmsNorm) {
  for (const int rows : {1, 7, 300, 20000}) {
    for (const int channels : {32, 128, 512}) {
      SCOPED_TRACE(testing::Message() << rows << " × " << channels);
      expect_same([](const Inputs& in) { return learn::rms_norm(in[0], in[1]); },
                  {random_tensor({rows, channels}, 1), random_tensor({channels}, 2)});
    }
  }
}

TEST_F(Gpu, Gate) {
  for (const int rows : {1, 70, 20000}) {
    for (const int half : {64, 384, 512})
      expect_same([](const Inputs& in) { return learn::gate(in[0]); },
                  {random_tensor({rows, 2 * half}, 1) * 3});
  }
}

TEST_F(Gpu, ResidualRelu) {
  for (const double rate : {0.0, 0.3}) {
    expect_same(
        [&](const Inputs& in) {
          return learn::residual_relu(in[0], in[1], dropout_of(rate, in[0]));
        },
        {random_tensor({3000, 128}, 1), random_tensor({3000, 128}, 2)});
  }
}

TEST_F(Gpu, Attention) {
  const at::Tensor rotary = learn::rotary_table(300, at::kFloat), there = rotary.to(gpu);
  for (const int count : batches) {
    const Packing packing = packing_of(lengths_of(count), 6);
    for (const int key_heads : {4, 2, 1}) {
      for (const bool turned : {true, false}) {
        for (const double rate : {0.0, 0.3}) {
          if (count > 17 && (key_heads == 1 || !turned)) continue;  // the same code
          SCOPED_TRACE(testing::Message() << count << " trips, " << key_heads << " key heads, "
                                          << turned << ", dropout " << rate);
          expect_packed_same(
              [&](const Inputs& in, const Packing& p) {
                const at::Tensor table = in[0].is_cuda() ? there : rotary;
                return learn::attention(in[0], turned ? table : at::Tensor(), 4, key_heads, p,
                                        dropout_of(rate, in[0]));
              },
              {random_tensor({packing.rows(), (4 + 2 * key_heads) * 32}, 1)}, packing);
        }
      }
    }
  }
}

// Sharp attention: one key takes nearly all of the weight, and logits reach far from zero.
TEST_F(Gpu, SharpAttention) {
  const Packing packing = packing_of({300, 7, 200});
  expect_packed_same(
      [](const Inputs& in, const Packing& p) { return learn::attention(in[0], {}, 4, 4, p, {}); },
      {random_tensor({packing.rows(), 384}, 1) * 4}, packing);
}

TEST_F(Gpu, LongAttention) {
  const Packing packing = packing_of({2000, 7, 1025});
  const at::Tensor rotary = learn::rotary_table(2000, at::kFloat), there = rotary.to(gpu);
  expect_packed_same(
      [&](const Inputs& in, const Packing& p) {
        return learn::attention(in[0], in[0].is_cuda() ? there : rotary, 4, 4, p, {});
      },
      {random_tensor({packing.rows(), 384}, 1)}, packing);
}

TEST_F(Gpu, Pool) {
  for (const int count : batches) {
    const Packing packing = packing_of(lengths_of(count), 6);
    for (const unsigned bits : {1U, 2U, 4U, 8U, 16U, 3U, 5U, 25U, 31U}) {
      SCOPED_TRACE(testing::Message() << count << " trips, pools " << bits);
      expect_packed_same(
          [&](const Inputs& in, const Packing& p) { return learn::pool(in[0], bits, p); },
          {random_tensor({packing.rows(), 128}, 1)}, packing, true);
    }
  }
}

TEST_F(Gpu, PairDistances) {
  const std::vector<EmbeddingMetric> metrics = {
      {MetricKind::l1, 16},        {MetricKind::l2, 16},       {MetricKind::linf, 16},
      {MetricKind::chebyshev, 16}, {MetricKind::chebyshev, 4}, {MetricKind::chebyshev, 128}};
  for (const int count : batches) {
    for (const EmbeddingMetric& metric : metrics) {
      SCOPED_TRACE(testing::Message() << count << " of " << name_of(metric.kind));
      expect_same([&](const Inputs& in) { return learn::pair_distances(in[0], metric); },
                  {random_tensor({count, 128}, 1)});
    }
  }
  for (const EmbeddingMetric& metric : {metrics[0], metrics[1], metrics[3]})
    expect_same([&](const Inputs& in) { return learn::pair_distances(in[0], metric); },
                {random_tensor({33, 256}, 1)});
}

TEST_F(Gpu, SimilarityLoss) {
  for (const int count : {2, 3, 17, 128, 300}) {
    const at::Tensor truth = random_tensor({count, count}, 1).abs() * 300;
    const at::Tensor predicted = random_tensor({count, count}, 2).abs() * 5;
    for (const LossSettings& settings :
         {LossSettings{}, LossSettings{0.2, 0, 1, 1, false}, LossSettings{0, 20, 3, 1, true},
          LossSettings{1, 10, 1, 2.5, false}, LossSettings{0.5, 1, 1, 0, true}}) {
      SCOPED_TRACE(testing::Message() << count << " trips, k " << settings.k);
      expect_same(
          [&](const Inputs& in) {
            const at::TensorOptions options = in[0].options();
            return learn::similarity_loss(in[0], truth.to(options), at::full({1}, 1200, options),
                                          settings);
          },
          {predicted});
    }
  }
}

// Ties are broken by number on both.
at::Tensor loss_of(const at::Tensor& predicted, const at::Tensor& labels) {
  const at::TensorOptions options = predicted.options();
  return learn::similarity_loss(predicted, labels.to(options), at::full({1}, 1200, options), {});
}

TEST_F(Gpu, SimilarityLossOfEqualPredictions) {
  const at::Tensor truth = random_tensor({40, 40}, 1).abs() * 300;
  expect_same([&](const Inputs& in) { return loss_of(in[0], truth); }, {at::full_like(truth, 2)});
}

// Nothing to rank and no error: all of it is rounding.
TEST_F(Gpu, SimilarityLossOfEqualNumbers) {
  const at::Tensor same = at::full({40, 40}, 2, at::kFloat).to(gpu);
  const auto got = with_gradients(
      [&](const Inputs& in) {
        return loss_of(in[0], at::full({40, 40}, 400));
      },
      {same}, at::ones({}, same.options()));
  for (const at::Tensor& value : got) EXPECT_LT(value.abs().max().item<double>(), 1e-6);
}

struct Kind {
  const char* name;
  NetSettings settings;
};

std::vector<Kind> kinds_of_nets() {
  std::vector<Kind> all;
  const auto add = [&](const char* name, auto change) {
    all.push_back({name, {}});
    change(all.back().settings);
  };
  add("reference", [](NetSettings&) {});
  add("without dropout", [](NetSettings& s) { s.dropout = 0; });
  add("chebyshev", [](NetSettings& s) {
    s.metric = {MetricKind::chebyshev, 16};
    s.unit_norm = false;
    s.pooling = {Pool::mean, Pool::max};
  });
  add("dtw", [](NetSettings& s) {
    s.unit_norm = false;
    s.pooling = {Pool::mean, Pool::sum};
    s.fourier_octaves = 4;
  });
  add("grouped queries", [](NetSettings& s) { s.key_heads = 2; });
  add("two layers", [](NetSettings& s) { s.layers = 2; });
  add("vanilla", [](NetSettings& s) { s.block = BlockKind::vanilla; });
  add("cells", [](NetSettings& s) { s.sub_views = false; });
  return all;
}

TEST_F(Gpu, OneStepOfTheWholeNet) {
  const SmallBatch batch = small_batch(4, {7, 300, 1, 70, 200, 8, 33, 64, 65, 128});
  for (const Kind& kind : kinds_of_nets()) {
    SCOPED_TRACE(kind.name);
    const std::vector<Matrix> features = batch.features(kind.settings);
    const at::Tensor key = at::full({1}, 77, at::kLong);
    std::vector<at::Tensor> losses, gradients, buffers;
    for (const at::Device device : {at::Device(at::kCPU), gpu}) {
      const learn::Net net(kind.settings, batch.frame, batch.known_cells(kind.settings), 7, 300,
                           device);
      learn::Packed points = pack(features, at::kFloat, device.is_cuda() ? 333 : 0);
      points.rows = points.rows.to(device);
      points.packing.starts = points.packing.starts.to(device);
      losses.push_back(loss_of(net, points, batch, {}, {true, key.to(device)}));
      gradients.push_back(gradient_of(net, losses.back()));
      buffers.push_back(net.parameters().buffers());
    }
    EXPECT_LT(relative_error(losses[1], losses[0]), close);
    EXPECT_LT(relative_error(gradients[1], gradients[0]), 1e-3);
    if (buffers[0].numel() > 0) {
      EXPECT_LT(relative_error(buffers[1], buffers[0]), close);
    }
  }
}

// Steps 1 and 2 run one by one, the third is captured, the others replay it. At a low rate: what
// rounding does differently, Adam's first steps blow up.
TEST_F(Gpu, TrainingFollowsTheCpu) {
  for (const Kind& kind : kinds_of_nets()) {
    SCOPED_TRACE(kind.name);
    WorkshopSettings with;
    with.net = kind.settings;
    with.rate = 1e-4;
    const std::vector<double> expected = Workshop(with, at::kCPU).train(10);
    const std::vector<double> got = Workshop(with, gpu).train(10);
    for (std::size_t step = 0; step < expected.size(); ++step)
      EXPECT_NEAR(got[step] / expected[step], 1, 2e-3) << "step " << step;
  }
}

// Batches that differ in size and so in the graph that serves them.
WorkshopSettings of_many_sizes() {
  WorkshopSettings with;
  with.batch = 24;
  for (const int length : lengths_of(120)) with.lengths.push_back(static_cast<std::size_t>(length));
  return with;
}

TEST_F(Gpu, TrainingTwiceIsTheSameToTheBit) {
  for (const Kind& kind : kinds_of_nets()) {
    SCOPED_TRACE(kind.name);
    WorkshopSettings with = of_many_sizes();
    with.net = kind.settings;
    Workshop a(with, gpu), b(with, gpu);
    EXPECT_EQ(a.train(30), b.train(30));
    EXPECT_TRUE(at::equal(a.weights(), b.weights()));
    EXPECT_TRUE(at::equal(a.optimiser().average_weights(), b.optimiser().average_weights()));
  }
}

TEST_F(Gpu, ReplayedGraphsAreTheirSteps) {
  const WorkshopSettings with = of_many_sizes();
  Workshop replayed(with, gpu), eager(with, gpu);
  const std::vector<double> got = replayed.train(30);
  const auto labels =
      learn::make_labels(learn::LabelKind::matrix, with.measure, {}, eager.source(), gpu);
  const at::Tensor matrix = labels->matrix();
  const double largest = learn::largest_distance(with.measure, {}, eager.source(), with.seed, gpu);
  const learn::Bench bench{eager.net(), eager.optimiser(), eager.store(),
                           *labels,     with.loss,         largest};
  for (std::uint64_t step = 0; step < got.size(); ++step) {
    const learn::StepInput input = eager.input_for(step);
    learn::Packed points = eager.store().batch(input.ids);
    const std::int64_t capacity = (points.packing.capacity + 1023) / 1024 * 1024;
    points.rows = with_spare(points.rows, capacity - points.packing.capacity, 0);
    points.packing.capacity = capacity;
    const at::Tensor ids = at::tensor(input.ids).to(gpu, at::kLong);
    const learn::StepRates& r = input.rates;
    const double expected =
        learn::train_once(
            bench, points, matrix.index_select(0, ids).index_select(1, ids).contiguous(),
            at::full({1}, largest, at::TensorOptions().device(gpu).dtype(at::kFloat)),
            at::full({1}, input.key, at::kLong).to(gpu),
            at::tensor({r.rate, r.first_correction, r.second_correction, r.average_keep}).to(gpu))
            .item<double>();
    EXPECT_NEAR(got[step] / expected, 1, 1e-5) << "step " << step;
  }
}

TEST_F(Gpu, TrainingGivesItsMemoryBack) {
  const auto held_after_training = [] {
    Workshop(of_many_sizes(), gpu).train(30);
    const auto stats = c10::cuda::CUDACachingAllocator::getDeviceStats(gpu.index());
    return static_cast<double>(stats.reserved_bytes[0].current);
  };
  const double once = held_after_training();
  for (int again = 0; again < 5; ++again) held_after_training();
  EXPECT_LE(held_after_training(), 1.1 * once);
}

TEST_F(Gpu, LabelsOfBatchesAreThoseOfTheMatrix) {
  WorkshopSettings with;
  Workshop matrix(with, gpu);
  with.labels = learn::LabelKind::batch;
  Workshop batch(with, gpu);
  EXPECT_EQ(matrix.train(20), batch.train(20));
}

TEST_F(Gpu, EmbeddingsAreThoseOfTheCpu) {
  for (const Kind& kind : kinds_of_nets()) {
    SCOPED_TRACE(kind.name);
    WorkshopSettings with;
    with.net = kind.settings;
    Workshop here(with, at::kCPU), there(with, gpu);
    const at::Tensor expected = learn::embed_all(here.net(), here.store());
    const at::Tensor got = learn::embed_all(there.net(), there.store());
    EXPECT_LT(relative_error(got, expected), close);
    const at::NoGradGuard no_grad;
    for (const int id : {0, 17, 39}) {
      const std::vector<int> one = {id};
      EXPECT_LT(relative_error(there.net().embed(there.store().batch(one), {})[0], got[id]), close);
    }
  }
}

TEST_F(Gpu, TrueDistances) {
  WorkshopSettings with;
  const Workshop workshop(with, at::kCPU);
  for (const Measure measure : {Measure::frechet, Measure::hausdorff, Measure::dtw}) {
    const auto expected = learn::true_distances(measure, {}, workshop.planar(), at::kCPU);
    const auto got = learn::true_distances(measure, {}, workshop.planar(), gpu);
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i)
      ASSERT_NEAR(got[i], expected[i], 0.01 + 1e-4 * expected[i]) << name_of(measure) << " " << i;
  }
}

}  // namespace
}  // namespace tsmini
