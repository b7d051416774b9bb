// EDwP against a transcription of its definition, word for word, and on real trips.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "tsmini/import.h"
#include "tsmini/pair_engine.h"

#include "measure/literal_edwp.h"
#include "measure/trajectories.h"
#include "support/files.h"

namespace tsmini {
namespace {

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
      const Points p(trips[i].begin(), trips[i].end()), q(trips[j].begin(), trips[j].end());
      const double error = std::abs(row[j] - exact_row[j]);
      EXPECT_LE(error, 0.15 * exact_row[j]) << i << ' ' << j;  // the worst is 0.127
      if (error > 1e-3 * exact_row[j]) ++off;
      if (error > 1e-2 * exact_row[j]) {  // 30 pairs
        EXPECT_TRUE(is_of_another_way(p, q, row[j])) << i << ' ' << j;
      }
      if (pairs % 97 == 0) {
        EXPECT_EQ(exact_row[j], distance(Measure::edwp, trips[i], trips[j]));
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
