// EDwP against a transcription of its definition, word for word, and on real trips.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include <gtest/gtest.h>

#include "tsmini/import.h"
#include "tsmini/pair_engine.h"

#include "measure/naive.h"
#include "measure/trajectories.h"
#include "support/files.h"

namespace tsmini {
namespace {

struct Literal {
  double v = std::numeric_limits<double>::infinity();
  double delta = 0;
  Planar a, b;
};

Planar literal_projection(const Planar& s, const Planar& e, const Planar& x) {
  const double ex = e.x - s.x, ey = e.y - s.y;
  const double square = ex * ex + ey * ey;
  if (square == 0) return x;
  const double t = ((x.x - s.x) * ex + (x.y - s.y) * ey) / square;
  if (t <= 0) return s;
  if (t >= 1) return e;
  return {s.x + t * ex, s.y + t * ey};
}

double literal_edwp(const Points& p, const Points& q) {
  double total = 0;
  for (std::size_t i = 1; i < p.size(); ++i) total += point_distance(p[i - 1], p[i]);
  for (std::size_t j = 1; j < q.size(); ++j) total += point_distance(q[j - 1], q[j]);
  if (total == 0) return 0;
  const auto piece = [&](const Planar& u, const Planar& u2, const Planar& w, const Planar& w2) {
    return (point_distance(u, w) + point_distance(u2, w2)) *
           (point_distance(u, u2) + point_distance(w, w2)) / total;
  };
  std::vector<std::vector<Literal>> cells(p.size(), std::vector<Literal>(q.size()));
  cells[0][0].v = 0;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < p.size(); ++i) {
    for (std::size_t j = 1; j < q.size(); ++j) {
      const double before = cells[i - 1][j - 1].v;
      const double diagonal = before + piece(p[i - 1], p[i], q[j - 1], q[j]);
      double row = infinity, row_before = 0, column = infinity, column_before = 0;
      Planar x, y;
      if (i > 1) {
        const Literal& up = cells[i - 1][j];
        x = literal_projection(up.b, q[j], p[i - 1]);
        row_before = up.v - up.delta + piece(up.a, p[i - 1], up.b, x);
        row = row_before + piece(p[i - 1], p[i], x, q[j]);
      }
      if (j > 1) {
        const Literal& left = cells[i][j - 1];
        y = literal_projection(left.a, p[i], q[j - 1]);
        column_before = left.v - left.delta + piece(left.a, y, left.b, q[j - 1]);
        column = column_before + piece(y, p[i], q[j - 1], q[j]);
      }
      if (diagonal <= column && diagonal <= row) {
        cells[i][j] = {diagonal, diagonal - before, p[i - 1], q[j - 1]};
      } else if (column < row || (column == row && q.size() > p.size())) {
        cells[i][j] = {column, column - column_before, y, q[j - 1]};
      } else {
        cells[i][j] = {row, row - row_before, p[i - 1], x};
      }
    }
  }
  return cells.back().back().v;
}

TEST(Edwp, AgreesWithItsDefinition) {
  const auto all = mixed(Measure::edwp, 40, 60, 1);
  for (const Points& p : all) {
    for (const Points& q : all) {
      const double expected = literal_edwp(p, q);
      EXPECT_NEAR(distance(Measure::edwp, p, q), expected, 1e-12 * expected);
    }
  }
}

// Points beyond the ends of the other's segments, on their ends, and on top of each other: every
// projection is clamped or falls on a segment of length 0. All numbers are exact.
TEST(Edwp, ClampedProjectionIsTheEndItself) {
  const std::vector<Points> all = {
      {{0, 0}, {4, 0}, {8, 0}, {12, 0}},
      {{0, 0}, {0, 0}, {12, 0}},
      {{-4, 0}, {16, 0}, {16, 0}, {-4, 0}},
      {{4, 0}, {4, 0}, {4, 0}},
      {{0, 3}, {4, 3}, {4, 3}, {12, 3}},
      {{12, 0}, {8, 0}, {4, 0}, {0, 0}},
      {{0, 0}, {4, 0}, {4, 0}, {4, 0}, {8, 0}, {12, 0}},
  };
  const PairEngine exact(Measure::edwp, set_of(all), {}, Precision::double_precision);
  const PairEngine single(Measure::edwp, set_of(all));
  std::vector<double> row(all.size());
  for (const Points& p : all) {
    for (const bool is_double : {true, false}) {
      (is_double ? exact : single).one_to_many(p, std::span<double>(row));
      for (std::size_t j = 0; j < all.size(); ++j) {
        const double expected = literal_edwp(p, all[j]);
        EXPECT_NEAR(distance(Measure::edwp, p, all[j]), expected, 1e-12 * expected);
        EXPECT_NEAR(row[j], expected, is_double ? 1e-12 * expected : 1e-5) << p.size() << ' ' << j;
      }
    }
  }
}

TEST(Edwp, NoLengthIsNoDistance) {
  const Points p{{1, 1}, {1, 1}}, q{{5, 5}, {5, 5}, {5, 5}};
  EXPECT_EQ(distance(Measure::edwp, p, q), 0);
}

TEST(Edwp, SinglePrecisionOnRealTrips) {
  const char* folder = std::getenv("TSMINI_DATA");
  if (folder == nullptr) GTEST_SKIP() << "TSMINI_DATA is not set";
  const std::filesystem::path file = std::filesystem::path(folder) / "porto.tsv.gz";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no Porto trips";
  const TemporaryFolder temporary;
  ImportOptions options;
  options.clean.bbox = Box{-8.7005, 41.1001, -8.5192, 41.2086};
  import_files({file}, temporary / "porto.tsd", options);
  const Dataset data = Dataset::open(temporary / "porto.tsd");
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < data.size() && some.size() < 500; i += 14) some.push_back(i);
  const PlanarSet trips(data, Space::fit(SpaceKind::zscore, data), some);
  const PairEngine single(Measure::edwp, trips);
  const PairEngine exact(Measure::edwp, trips, {}, Precision::double_precision);
  std::vector<double> row(trips.size()), exact_row(trips.size());
  std::size_t off = 0, pairs = 0;
  for (std::size_t i = 0; i < trips.size(); ++i) {
    single.one_to_many(trips[i], std::span<double>(row));
    exact.one_to_many(trips[i], std::span<double>(exact_row));
    for (std::size_t j = 0; j < i; ++j, ++pairs) {
      ASSERT_TRUE(std::isfinite(row[j])) << i << ' ' << j;
      if (std::abs(row[j] - exact_row[j]) > 1e-3 * exact_row[j]) ++off;
      if (pairs % 97 == 0) {
        EXPECT_EQ(exact_row[j], distance(Measure::edwp, trips[i], trips[j]));
        const Points p(trips[i].begin(), trips[i].end()), q(trips[j].begin(), trips[j].end());
        EXPECT_NEAR(exact_row[j], literal_edwp(p, q), 1e-9 * exact_row[j]);
      }
    }
  }
  const double share = static_cast<double>(off) / static_cast<double>(pairs);
  RecordProperty("share_off_by_more_than_1e-3", std::to_string(share));
  EXPECT_LE(share, 0.0015) << off << " of " << pairs;
}

}  // namespace
}  // namespace tsmini
