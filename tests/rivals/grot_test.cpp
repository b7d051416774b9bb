#include "rivals/kgts/grot.h"

#include <cmath>
#include <complex>

#include <gtest/gtest.h>

#include "rivals/plain.h"

namespace tsmini::rivals {
namespace {

// All cells of a box of 12 by 9, known.
Cells square_cells() {
  std::vector<std::int64_t> known;
  for (std::int64_t i = 0; i < 12 * 9; ++i) known.push_back(i);
  return Cells({0, 0, 1200, 900}, 100, known);
}

TEST(Grot, TriplesAreNeighbours) {
  const Cells cells = square_cells();
  const Tensor triples = triples_of(cells);
  EXPECT_EQ(triples.size(0), 2 * (11 * 9 + 12 * 8 + 2 * 11 * 8));
  constexpr int east[] = {1, 1, 0, -1, -1, -1, 0, 1}, north[] = {0, 1, 1, 1, 0, -1, -1, -1};
  for (std::int64_t i = 0; i < triples.size(0); ++i) {
    const auto head = triples[i][0].item<std::int64_t>(), tail = triples[i][2].item<std::int64_t>();
    const auto direction = triples[i][1].item<std::int64_t>();
    EXPECT_EQ(tail % 12 - head % 12, east[direction]);
    EXPECT_EQ(tail / 12 - head / 12, north[direction]);
  }
}

TEST(Grot, DistanceIsOfRotatedHeads) {
  torch::manual_seed(1);
  const Tensor heads = torch::randn({3, 10}), angles = torch::randn({3, 5}) * 2,
               tails = torch::randn({3, 10});
  const Tensor found = rotated_distance(heads, angles, tails);
  for (std::int64_t i = 0; i < 3; ++i) {
    const plain::Row h = plain::row_of(heads[i]), r = plain::row_of(angles[i]),
                     t = plain::row_of(tails[i]);
    double want = 0;
    for (std::size_t k = 0; k < 5; ++k)
      want += std::abs(std::complex(h[k], h[k + 5]) * std::polar(1.0, r[k]) -
                       std::complex(t[k], t[k + 5]));
    EXPECT_NEAR(found[i].item<double>(), want, 1e-5);
  }
}

// Shares of triples that their own direction explains better than another, and whose tail is nearer
// than another cell.
struct Explained {
  double by_direction, by_tail;
};
Explained explained(const Grot& grot, const Cells& cells) {
  torch::manual_seed(2);
  const Tensor triples = triples_of(cells);
  const Tensor heads = grot.cells.index_select(0, triples.select(1, 0)),
               tails = grot.cells.index_select(0, triples.select(1, 2));
  const Tensor directions = triples.select(1, 1);
  const Tensor other = (directions + torch::randint(1, 8, directions.sizes(), torch::kLong)) % 8;
  const Tensor strangers = grot.cells.index_select(
      0, torch::randint(grot.cells.size(0), directions.sizes(), torch::kLong));
  const Tensor right = grot.angles.index_select(0, directions);
  const Tensor own = rotated_distance(heads, right, tails);
  const Tensor turned = rotated_distance(heads, grot.angles.index_select(0, other), tails);
  const Tensor away = rotated_distance(heads, right, strangers);
  return {(own < turned).to(torch::kFloat).mean().item<double>(),
          (own < away).to(torch::kFloat).mean().item<double>()};
}

TEST(Grot, DirectionsExplainNeighbours) {
  const Cells cells = square_cells();
  torch::manual_seed(1);
  const Explained before = explained(learn_grot(cells, {.epochs = 0}, torch::kCPU), cells);
  EXPECT_NEAR(before.by_direction, .5, .1);
  EXPECT_NEAR(before.by_tail, .5, .1);
  torch::manual_seed(1);
  const Grot grot =
      learn_grot(cells, {.negatives = 8, .batch = 128, .epochs = 60, .rate = .01}, torch::kCPU);
  const Explained after = explained(grot, cells);
  EXPECT_GT(after.by_direction, .95);
  EXPECT_GT(after.by_tail, .95);
}

TEST(Grot, IsTheSameForTheSameSeed) {
  const Cells cells = square_cells();
  const GrotSettings quick{.negatives = 4, .batch = 256, .epochs = 2};
  torch::manual_seed(3);
  const Grot first = learn_grot(cells, quick, torch::kCPU);
  torch::manual_seed(3);
  EXPECT_TRUE(torch::equal(first.cells, learn_grot(cells, quick, torch::kCPU).cells));
}

TEST(Grot, StandsACellWithoutNeighbours) {
  const Grot grot = learn_grot(Cells({0, 0, 100, 100}, 100, {0}), {}, torch::kCPU);
  EXPECT_TRUE(torch::isfinite(grot.cells).all().item<bool>());
}

}  // namespace
}  // namespace tsmini::rivals
