// Where learning and the encoder meet: the same tensors, the same embeddings.
#include "tsmini/encoder.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include <gtest/gtest.h>

#include "tsmini/import.h"

#include "encode/random_model.h"
#include "learn/feature_store.h"
#include "learn/validation.h"
#include "support/arguments.h"
#include "support/files.h"
#include "support/sanitized.h"

namespace tsmini {
namespace {

// The largest difference of two embeddings of a trajectory, as a share of their length.
double largest_difference(std::span<const float> rows, std::span<const float> expected,
                          std::size_t dimension) {
  double most = 0;
  for (std::size_t at = 0; at < expected.size(); at += dimension) {
    double difference = 0, length = 0;
    for (std::size_t i = at; i < at + dimension; ++i) {
      const double a = double{rows[i]}, b = double{expected[i]};
      difference += (a - b) * (a - b);
      length += b * b;
    }
    if (!std::isfinite(difference)) return std::numeric_limits<double>::infinity();
    most = std::max(most, std::sqrt(difference / length));
  }
  return most;
}

// Both sum in single precision, in other orders: of the trips below the worst is off by 9e-7.
constexpr double rounding = 3e-6;

void expect_agreement(const Model& model, const Dataset& data, std::size_t most) {
  const std::vector<std::size_t> indices = numbers(std::min(data.size(), most));
  const learn::FeatureStore store(data, indices, model.frame, model.net);
  learn::Net<float> net(model.net, model.frame, known_cells(model), 1, store.longest());
  net.parameters().from_tensors(model.tensors);

  const Encoder encoder(model);
  std::vector<float> rows(indices.size() * encoder.dimension());
  encoder.embed(data, indices, rows);
  learn::Arena arena;
  EXPECT_LT(largest_difference(rows, learn::embed_all(net, store, arena), encoder.dimension()),
            rounding);
}

TEST(Encoder, EqualsTheNetwork) {
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < (sanitized ? 50 : 200); ++i) lengths.push_back(1 + i * 37 % 150);
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
  expect_agreement(model, data, sanitized ? 500 : 10'000);
}

}  // namespace
}  // namespace tsmini
