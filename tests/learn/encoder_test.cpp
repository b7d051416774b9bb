// Where learning and the encoder meet: the same tensors, the same embeddings.
#include "tsmini/encoder.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include <gtest/gtest.h>

#include "tsmini/import.h"

#include "encode/random_model.h"
#include "learn/feature_store.h"
#include "model/operations.h"
#include "support/arguments.h"
#include "support/files.h"

namespace tsmini {
namespace {

std::vector<std::size_t> numbers(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

// The largest difference of two embeddings of a trajectory, as a share of their length.
double largest_difference(const std::vector<float>& rows, const at::Tensor& expected) {
  const std::int64_t count = expected.size(0), dimension = expected.size(1);
  const at::Tensor got =
      at::from_blob(const_cast<float*>(rows.data()), {count, dimension}, at::kFloat);
  const at::Tensor differences = (got - expected).to(at::kDouble).norm(2, 1);
  return (differences / expected.to(at::kDouble).norm(2, 1)).max().item<double>();
}

void expect_agreement(Model model, const Dataset& data, std::size_t most) {
  const std::vector<std::size_t> indices = numbers(std::min(data.size(), most));
  const learn::FeatureStore store(data, indices, model.frame, model.net, at::kCPU);
  learn::Net net(model.net, model.frame, known_cells(model), 1, store.longest(), at::kCPU);
  // Those that the network has.
  learn::Parameters& parameters = net.parameters();
  auto tensors = parameters.to_tensors(parameters.weights(), parameters.buffers());
  for (auto& [name, tensor] : tensors) tensor = model.tensors.at(name);
  parameters.from_tensors(tensors);
  model.tensors = std::move(tensors);
  std::uint64_t trained = 0;
  for (const at::Tensor& tensor : parameters.trained())
    trained += static_cast<std::uint64_t>(tensor.numel());
  EXPECT_EQ(parameter_count(model), trained);

  const Encoder encoder(model);
  std::vector<float> rows(indices.size() * encoder.dimension());
  encoder.embed(data, indices, rows);
  EXPECT_LT(largest_difference(rows, learn::embed_all(net, store)), 1e-4);
}

TEST(Encoder, EqualsTheNetwork) {
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < 200; ++i) lengths.push_back(1 + i * 37 % 150);
  lengths.push_back(1300);
  const Dataset data = random_trips(lengths);
  for (const Variant& variant : net_variants()) {
    SCOPED_TRACE(variant.name);
    expect_agreement(random_model(variant.settings), data, data.size());
  }
}

TEST(Encoder, EqualsTheNetworkOnRealTrips) {
  const char* folder = std::getenv("TSMINI_DATA");
  const std::filesystem::path file =
      std::filesystem::path(folder == nullptr ? "" : folder) / "porto.tsv.gz";
  if (!std::filesystem::exists(file))
    GTEST_SKIP() << "set TSMINI_DATA to a folder with porto.tsv.gz";
  const TemporaryFolder out;
  import_files({file}, out / "porto.tsd",
               import_options_from("--bbox=-8.7005,41.1001,-8.5192,41.2086"));
  const Dataset data = Dataset::open(out / "porto.tsd");
  Model model = random_model();
  model.frame = FeatureFrame::fit(data);
  expect_agreement(model, data, 10'000);
}

}  // namespace
}  // namespace tsmini
