#include "rivals/trajgat/laplacian.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "rivals/core/tensors.h"

namespace tsmini::rivals {
namespace {

// The normalised Laplacian of a trip's graph, from its definition.
Tensor laplacian_of(const std::vector<std::int64_t>& leaves) {
  const auto points = static_cast<std::int64_t>(leaves.size());
  const std::int64_t nodes = points + *std::max_element(leaves.begin(), leaves.end()) + 1;
  const Tensor joined = torch::eye(nodes, torch::kDouble);
  auto edge = joined.accessor<double, 2>();
  for (std::int64_t i = 0; i < points; ++i) {
    const std::int64_t leaf = points + leaves[static_cast<std::size_t>(i)];
    edge[i][leaf] = edge[leaf][i] = 1;
  }
  for (std::int64_t a = points; a < nodes; ++a)
    for (std::int64_t b = points; b < nodes; ++b) edge[a][b] = 1;
  const Tensor root = joined.sum(1).rsqrt();
  return torch::eye(nodes, torch::kDouble) - root.unsqueeze(1) * joined * root.unsqueeze(0);
}

// Against a numerical solver's eigenvalues.
void expect_eigenvectors(const std::vector<std::int64_t>& leaves) {
  const Tensor laplacian = laplacian_of(leaves);
  const Tensor values = std::get<0>(torch::linalg_eigh(laplacian, "L"));
  const std::vector<LaplacianRow> rows = laplacian_rows(leaves);
  const std::int64_t nodes = laplacian.size(0);
  ASSERT_EQ(static_cast<std::int64_t>(rows.size()), nodes);
  const Tensor found = torch::empty({nodes, 8}, torch::kDouble);
  for (std::int64_t i = 0; i < nodes; ++i)
    for (std::int64_t k = 0; k < 8; ++k)
      found.accessor<double, 2>()[i][k] =
          rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
  const std::int64_t there = std::min<std::int64_t>(8, nodes - 1);
  const Tensor real = found.narrow(1, 0, there);
  const Tensor wrong = laplacian.matmul(real) - real * values.narrow(0, 1, there);
  EXPECT_LT(wrong.abs().max().item<double>(), 1e-6);
  const Tensor products = real.t().matmul(real) - torch::eye(there, torch::kDouble);
  EXPECT_LT(products.abs().max().item<double>(), 1e-6);
  EXPECT_EQ(found.narrow(1, there, 8 - there).abs().sum().item<double>(), 0);
}

TEST(Laplacian, FindsEigenvectorsInTheirOrder) {
  expect_eigenvectors({0});
  expect_eigenvectors({0, 0});
  expect_eigenvectors({0, 1});
  expect_eigenvectors({0, 1, 1, 2, 0, 3});
  expect_eigenvectors(std::vector<std::int64_t>(12, 0));
  expect_eigenvectors({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const auto count = static_cast<std::size_t>(1 + random.below(seed < 50 ? 60 : 300));
    const double stay = random.uniform();
    std::vector<std::int64_t> leaves{0};
    std::int64_t known = 1;
    while (leaves.size() < count) {
      const bool again = random.chance(stay);
      const auto old = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(known)));
      leaves.push_back(again ? old : known++);
    }
    expect_eigenvectors(leaves);
  }
}

TEST(Laplacian, LongTripsStayExact) {
  std::vector<std::int64_t> leaves;
  for (std::int64_t i = 0; i < 200; ++i)
    for (std::int64_t k = 0; k <= i % 5; ++k) leaves.push_back(i);
  expect_eigenvectors(leaves);
}

}  // namespace
}  // namespace tsmini::rivals
