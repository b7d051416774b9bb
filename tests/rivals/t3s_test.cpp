#include "rivals/t3s/t3s.h"

#include <cmath>

#include <gtest/gtest.h>

#include "rivals/plain.h"
#include "rivals/small_city.h"

namespace tsmini::rivals {
namespace {

using plain::Row;
using plain::Rows;

// From the formulas alone.
Row expected(const Small& small, std::size_t trip) {
  const plain::Weights weights(*small.rival);
  const Rows vectors = plain::rows_of(small.ground.tensors.at("vectors"));
  Rows points, cells;
  for (const Planar& point : small.city.all[trip]) {
    const Statistics& s = small.ground.statistics;
    points.push_back({(point.x - s.mean_x) / s.deviation_x, (point.y - s.mean_y) / s.deviation_y});
    cells.push_back(vectors[static_cast<std::size_t>(small.ground.cells.row_at(point))]);
  }
  const Rows places = plain::positions(cells.size(), 128);
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = plain::plus(cells[i], places[i]);
  const Row spatial = plain::lstm(weights, "lstm", points).back();
  const Rows seen =
      plain::attention(weights, "second", plain::attention(weights, "first", cells, 16), 16);
  const double share = plain::sigmoid(weights.vector("balance").front());
  return plain::plus(plain::scaled(spatial, share), plain::scaled(plain::mean(seen), 1 - share));
}

TEST(T3s, EmbedsAsItsFormulasSay) {
  const Small small = small_rival(t3s_kind());
  {
    const torch::NoGradGuard no_grad;
    small.rival->named_parameters()["balance"].fill_(.3);
  }
  const Tensor rows = embeddings(*small.rival, small.rival->prepare(small.city.all));
  for (const std::size_t trip : {0U, 5U, 63U})
    EXPECT_LT(plain::difference(plain::row_of(rows[static_cast<int>(trip)]), expected(small, trip)),
              1e-5);
}

TEST(T3s, CellVectorsAreFrozen) {
  const Small small = small_rival(t3s_kind());
  for (const auto& item : small.rival->named_parameters())
    EXPECT_EQ(item.key().find("vectors"), std::string::npos);
  EXPECT_EQ(small.rival->parameter_count(), 199'681U);
}

TEST(T3s, OverfitsAFewTrips) {
  EXPECT_GE(overfitted_hr10(t3s_kind(), {.measure = Measure::hausdorff}, 200), .9);
}

}  // namespace
}  // namespace tsmini::rivals
