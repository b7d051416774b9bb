// Names, errors, published values, and what the definitions imply.
#include "tsmini/measure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <gtest/gtest.h>

#include "tsmini/exact_search.h"
#include "tsmini/pair_engine.h"

#include "measure/naive.h"
#include "measure/trajectories.h"
#include "support/error_expectation.h"

namespace tsmini {
namespace {

TEST(Measure, NamesGoBothWays) {
  for (const Measure measure : all_measures) EXPECT_EQ(measure_from(name_of(measure)), measure);
  EXPECT_EQ(name_of(Measure::hausdorff_segment), "hausdorff-segment");
  expect_error(ErrorCode::usage, "unknown measure 'dwt'", "dtw, frechet, .* and sspd",
               [] { measure_from("dwt"); });
}

TEST(Measure, SettingsMustFit) {
  expect_error(ErrorCode::usage, "edr.*epsilon", "", [] { check_settings(Measure::edr, {}); });
  expect_error(ErrorCode::usage, "lcss.*epsilon", "", [] { check_settings(Measure::lcss, {}); });
  MeasureSettings band;
  band.band = 3;
  expect_error(ErrorCode::usage, "takes no band", "", [&] { check_settings(Measure::erp, band); });
  check_settings(Measure::dtw, band);
  MeasureSettings gap;
  gap.gap.x = std::numeric_limits<double>::quiet_NaN();
  expect_error(ErrorCode::usage, "gap", "", [&] { check_settings(Measure::erp, gap); });
}

TEST(Measure, RefusesWhatHasNoDistance) {
  const Points one{{0, 0}}, two{{0, 0}, {1, 0}};
  for (const Measure measure : all_measures) {
    expect_error(ErrorCode::bad_input, "no points", "",
                 [&] { distance(measure, {}, two, settings_for(measure)); });
  }
  expect_error(ErrorCode::bad_input, "edwp.*two points", "",
               [&] { distance(Measure::edwp, one, two); });
  expect_error(ErrorCode::usage, "no alignment", "", [&] { align(Measure::edwp, two, two); });
}

TEST(Measure, PublishedValues) {
  const Points p{{0, 0}, {1, 0}, {2, 0}}, q{{0, 1}, {1, 1}, {2, 1}};
  EXPECT_EQ(distance(Measure::dtw, p, q), 3);
  for (const Measure measure : {Measure::frechet, Measure::frechet_continuous, Measure::hausdorff,
                                Measure::hausdorff_segment, Measure::sspd}) {
    EXPECT_EQ(distance(measure, p, q), 1) << name_of(measure);
  }
  EXPECT_EQ(distance(Measure::edwp, p, q), 2);  // two pieces of (1 + 1) (1 + 1) / 4
}

// Also where it is one of many in vectors, and where bounds and single precision come first.
TEST(Measure, OfATripToItselfIsZero) {
  for (const Measure measure : all_measures) {
    const MeasureSettings settings = settings_for(measure);
    const PlanarSet base = set_of(mixed(measure, 60, 40, 31));
    const PairEngine engine(measure, base, settings, Precision::double_precision);
    const ExactSearch search(measure, base, settings);
    for (std::size_t i = 0; i < base.size(); ++i) {
      std::vector<double> distances(base.size());
      engine.one_to_many(base[i], std::span<double>(distances));
      EXPECT_EQ(distances[i], 0) << name_of(measure) << ' ' << i;
      EXPECT_EQ(distance(measure, base[i], base[i], settings), 0) << name_of(measure) << ' ' << i;
      const auto near = search.within(base[i], 0);
      EXPECT_TRUE(std::any_of(near.begin(), near.end(), [&](const Neighbour& n) {
        return n.index == i;
      })) << name_of(measure);
    }
  }
}

TEST(Measure, ByHand) {
  const Points p{{0, 0}, {3, 0}}, q{{0, 0}, {3, 0}, {3, 4}};
  MeasureSettings settings;
  EXPECT_EQ(distance(Measure::erp, p, q, settings), 5);  // the last point against the gap (0, 0)
  settings.epsilon = 1;
  EXPECT_EQ(distance(Measure::edr, p, q, settings), 1.0 / 3);
  EXPECT_EQ(distance(Measure::lcss, p, q, settings), 0);
  // Points at the very distance match.
  const Points here{{0, 0}, {0, 5}}, beside{{1, 0}, {1, 5}};
  EXPECT_EQ(distance(Measure::edr, here, beside, settings), 0);
  EXPECT_EQ(distance(Measure::lcss, here, beside, settings), 0);
  for (const Measure measure : {Measure::edr, Measure::lcss}) {
    double found = 1;
    PairEngine(measure, PlanarSet(beside, {0, 2}), settings, Precision::double_precision)
        .one_to_many(here, std::span<double>(&found, 1));
    EXPECT_EQ(found, 0) << name_of(measure);
  }
  const Points far{{90, 90}};
  EXPECT_EQ(distance(Measure::edr, p, far, settings), 1);
  EXPECT_EQ(distance(Measure::lcss, p, far, settings), 1);
  // The middle of a segment is near, its ends are not.
  const Points line{{0, 0}, {10, 0}}, above{{5, 1}};
  EXPECT_EQ(distance(Measure::hausdorff_segment, line, above), std::hypot(5, 1));
  EXPECT_EQ(distance(Measure::sspd, line, above), (std::hypot(5, 1) + 1) / 2);
}

class Properties : public testing::TestWithParam<Measure> {};

TEST_P(Properties, SymmetricAndZeroForItself) {
  const Measure measure = GetParam();
  const MeasureSettings settings = settings_for(measure);
  for (const Style style : {Style::smooth, Style::lattice, Style::far}) {
    const auto all = mixed(measure, 12, 40, 5, style);
    for (const Points& p : all) {
      EXPECT_EQ(distance(measure, p, p, settings), 0);
      for (const Points& q : all) {
        const double there = distance(measure, p, q, settings);
        const double back = distance(measure, q, p, settings);
        EXPECT_GE(there, 0);
        if (measure == Measure::edwp && style == Style::lattice) continue;  // ties
        // The one cuts at other places from the other side, the other searches from another bound.
        const bool rounds = measure == Measure::edwp || measure == Measure::frechet_continuous;
        EXPECT_NEAR(there, back, rounds ? 1e-9 * there : 0);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Properties, testing::ValuesIn(all_measures));

TEST(Measure, OrderOfTheMaxTypes) {
  const auto all = mixed(Measure::dtw, 20, 50, 9);
  for (const Points& p : all) {
    for (const Points& q : all) {
      const double frechet = distance(Measure::frechet, p, q);
      const double continuous = distance(Measure::frechet_continuous, p, q);
      const double hausdorff = distance(Measure::hausdorff, p, q);
      const double segment = distance(Measure::hausdorff_segment, p, q);
      EXPECT_LE(hausdorff, frechet);
      EXPECT_LE(continuous, frechet * (1 + 1e-9));
      EXPECT_LE(segment, hausdorff * (1 + 1e-12));
      EXPECT_LE(segment, continuous * (1 + 1e-9));
      EXPECT_LE(distance(Measure::sspd, p, q), segment * (1 + 1e-12));
      EXPECT_LE(frechet, distance(Measure::dtw, p, q));
    }
  }
}

// Moving q away in steps raises every measure that is not a share.
TEST(Measure, GrowsWithTheDistance) {
  const Points p = random_points(30, 1), q = random_points(40, 2);
  for (const Measure measure : all_measures) {
    if (measure == Measure::erp) continue;  // depends on where the gap point is
    const MeasureSettings settings = settings_for(measure);
    double before = 0;
    for (const double away : {200.0, 300.0, 500.0}) {
      Points moved = q;
      for (Planar& point : moved) point.x += away;
      const double d = distance(measure, p, moved, settings);
      EXPECT_GE(d, before) << name_of(measure);
      before = d;
    }
  }
}

TEST(Measure, BandOfDtw) {
  const auto all = mixed(Measure::dtw, 12, 40, 3);
  MeasureSettings settings;
  for (const Points& p : all) {
    for (const Points& q : all) {
      const double exact = distance(Measure::dtw, p, q);
      double before = std::numeric_limits<double>::infinity();
      for (const std::size_t band : {0u, 1u, 3u, 10u, 50u}) {
        settings.band = band;
        const double banded = distance(Measure::dtw, p, q, settings);
        EXPECT_TRUE(std::isfinite(banded)) << p.size() << ' ' << q.size();
        EXPECT_LE(banded, before);
        EXPECT_GE(banded, exact);
        EXPECT_EQ(banded, distance(Measure::dtw, q, p, settings));
        before = banded;
      }
      EXPECT_EQ(before, exact);
    }
  }
}

TEST(Measure, AlignmentExplainsTheDistance) {
  const auto all = mixed(Measure::dtw, 10, 30, 4, Style::lattice);
  for (const Measure measure : {Measure::dtw, Measure::frechet}) {
    for (const Points& p : all) {
      for (const Points& q : all) {
        const Alignment alignment = align(measure, p, q);
        EXPECT_EQ(alignment.distance, distance(measure, p, q));
        ASSERT_EQ(alignment.steps.front(), std::make_pair(std::size_t{0}, std::size_t{0}));
        ASSERT_EQ(alignment.steps.back(), std::make_pair(p.size() - 1, q.size() - 1));
        double sum = 0, greatest = 0;
        for (std::size_t k = 0; k < alignment.steps.size(); ++k) {
          const auto [i, j] = alignment.steps[k];
          const double d = point_distance(p[i], q[j]);
          sum += d;
          greatest = std::max(greatest, d);
          if (k == 0) continue;
          const auto [i_before, j_before] = alignment.steps[k - 1];
          EXPECT_LE(i - i_before, 1u);
          EXPECT_LE(j - j_before, 1u);
          EXPECT_GE(i - i_before + j - j_before, 1u);
        }
        EXPECT_NEAR(measure == Measure::dtw ? sum : greatest, alignment.distance,
                    1e-12 * alignment.distance);
      }
    }
  }
}

TEST(Measure, ContinuousFrechetAgreesWithItsTwin) {
  for (const Style style : {Style::smooth, Style::lattice, Style::far}) {
    const auto all = mixed(Measure::frechet_continuous, 24, 30, 8, style);
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const double expected = naive_frechet_continuous(all[i], all[j]);
        const double found = distance(Measure::frechet_continuous, all[i], all[j]);
        EXPECT_NEAR(found, expected, 1e-9 * expected) << i << ' ' << j;
      }
    }
  }
}

// Back and forth on one line: each cell by itself asks for nothing, but the way through them must
// not go back.
TEST(Measure, ContinuousFrechetOnOneLine) {
  const Points back{{0, 0}, {14, 0}, {6, 0}, {20, 0}}, straight{{0, 0}, {20, 0}};
  EXPECT_NEAR(distance(Measure::frechet_continuous, back, straight), 4, 1e-8);
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    Points p(2 + random.below(6)), q(2 + random.below(6));
    for (Planar& point : p) point = {static_cast<double>(random.below(10)), 0};
    for (Planar& point : q) point = {static_cast<double>(random.below(10)), 0};
    p.front() = q.front();
    const double expected = naive_frechet_continuous(p, q);
    EXPECT_NEAR(distance(Measure::frechet_continuous, p, q), expected, 1e-9 * expected) << round;
    double found = -1;
    PairEngine(Measure::frechet_continuous, set_of({q}), {}, Precision::double_precision)
        .one_to_many(p, std::span<double>(&found, 1));
    EXPECT_NEAR(found, expected, 1e-9 * expected) << round;
    // On a slope far from the origin, as on a map in metres, where places on it are rounded.
    const auto moved = [](Points points) {
      for (Planar& point : points) point = {500'000 + 3 * point.x, 4'500'000 + 4 * point.x};
      return points;
    };
    EXPECT_NEAR(distance(Measure::frechet_continuous, moved(p), moved(q)), 5 * expected, 1e-8)
        << round;
  }
}

// Squares of products of coordinates do not fit where squares of coordinates do.
TEST(Measure, ContinuousFrechetAtEveryScale) {
  for (const double scale : {1e-120, 1e-90, 1.0, 1e90, 1e140}) {
    const Points p{{0, 0}, {10 * scale, 0}}, q{{0, 0}, {5 * scale, 3 * scale}, {10 * scale, 0}};
    EXPECT_NEAR(distance(Measure::frechet_continuous, p, q) / scale, 3, 1e-8) << scale;
  }
}

}  // namespace
}  // namespace tsmini
