// The ways to ask an engine, and that they agree.
#include "tsmini/pair_engine.h"

#include <cmath>
#include <utility>

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "tsmini/simd.h"

#include "measure/allowed_error.h"
#include "measure/bounds.h"
#include "measure/trajectories.h"
#include "support/error_expectation.h"

namespace tsmini {
namespace {

class Engine : public testing::TestWithParam<Measure> {};

TEST_P(Engine, AllWaysGiveTheSame) {
  const Measure measure = GetParam();
  const MeasureSettings settings = settings_for(measure);
  const auto style = Style::lattice;  // full of ties
  const PlanarSet base = set_of(mixed(measure, 83, 40, 1, style));
  const PlanarSet queries = set_of(mixed(measure, 70, 40, 2, style));
  const PairEngine engine(measure, base, settings, Precision::double_precision);
  ASSERT_EQ(engine.size(), base.size());

  std::vector<float> table(queries.size() * base.size());
  engine.many_to_many(queries, table);
  std::vector<float> row(base.size());
  std::vector<double> exact(base.size());
  for (std::size_t q = 0; q < queries.size(); ++q) {
    engine.one_to_many(queries[q], row);
    engine.one_to_many(queries[q], std::span<double>(exact));
    for (std::size_t j = 0; j < base.size(); ++j) {
      EXPECT_EQ(row[j], static_cast<float>(exact[j]));
      EXPECT_EQ(row[j], table[q * base.size() + j]);
    }
  }

  const std::vector<std::size_t> some{5, 80, 3, 5, 0};
  std::vector<double> few(some.size());
  engine.one_to_some(queries[69], some, few);
  for (std::size_t k = 0; k < some.size(); ++k) EXPECT_EQ(few[k], exact[some[k]]);

  const double extent = largest_coordinate(base);
  std::vector<float> condensed(base.size() * (base.size() - 1) / 2);
  engine.all_pairs(condensed);
  std::size_t k = 0;
  for (std::size_t i = 0; i < base.size(); ++i) {
    for (std::size_t j = i + 1; j < base.size(); ++j, ++k) {
      const double expected = distance(measure, base[i], base[j], settings);
      const double allowed =
          unit_roundoff * expected + allowed_in_double(measure, expected, extent);
      EXPECT_NEAR(condensed[k], expected, allowed) << i << ' ' << j;
    }
  }
}

TEST_P(Engine, ThreadsChangeNothing) {
  const Measure measure = GetParam();
  const PlanarSet base = set_of(mixed(measure, 200, 30, 3));
  const PairEngine engine(measure, base, settings_for(measure));
  std::vector<float> many(base.size() * (base.size() - 1) / 2), one(many.size());
  engine.all_pairs(many);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
  engine.all_pairs(one);
  EXPECT_EQ(many, one);
}

INSTANTIATE_TEST_SUITE_P(All, Engine, testing::ValuesIn(all_measures));

TEST(EngineEdges, EmptyAndSmallBases) {
  const PlanarSet nothing({}, {0});
  const PairEngine empty(Measure::dtw, nothing);
  EXPECT_EQ(empty.size(), 0u);
  empty.one_to_many(Points{{0, 0}}, std::span<float>());
  empty.all_pairs({});
  EXPECT_EQ(empty.lane_waste(), 0);
  const PairEngine one(Measure::dtw, set_of({{{3, 4}}}));
  std::vector<float> row(1);
  one.one_to_many(Points{{0, 0}}, row);
  EXPECT_EQ(row[0], 5);
  one.all_pairs({});
}

TEST(EngineEdges, RefusesSinglePointsForEdwp) {
  const PlanarSet base = set_of({{{0, 0}, {1, 0}}, {{1, 1}}});
  expect_error(ErrorCode::bad_input, "edwp.*two points", "",
               [&] { PairEngine(Measure::edwp, base); });
  expect_error(ErrorCode::usage, "epsilon", "", [&] { PairEngine(Measure::edr, base); });
}

TEST(EngineEdges, BandRunsToo) {
  const PlanarSet base = set_of(mixed(Measure::dtw, 20, 30, 4));
  MeasureSettings settings;
  settings.band = 2;
  const PairEngine engine(Measure::dtw, base, settings);
  std::vector<double> row(base.size());
  engine.one_to_many(base[3], std::span<double>(row));
  for (std::size_t j = 0; j < base.size(); ++j) {
    EXPECT_EQ(row[j], distance(Measure::dtw, base[3], base[j], settings));
  }
}

// What single precision may err by, relative, on the lines below: 100,000 points on whole numbers,
// so that coordinates lose nothing (u and the terms are those of measure/rounding.h).
double tolerance_on_the_line(Measure measure) {
  constexpr double u = unit_roundoff, steps = 1e5;
  // The rounding of a sum of so many, where it goes as often up as down (Higham and Mary, 2019).
  const double sum = 6 * std::sqrt(steps) * u;
  // The foot on a segment slips along it by 9u of its length of 5e4, at right angles to the
  // distance, which is 2.
  const double slip = 9 * u * 5e4;
  const double foot = std::hypot(2.0, slip) / 2 - 1;
  switch (measure) {
    case Measure::frechet:
    case Measure::hausdorff: return 8 * u;
    case Measure::frechet_continuous: return 1e-9;
    case Measure::edr:
    case Measure::lcss: return 4 * u;  // whole numbers, divided
    case Measure::hausdorff_segment: return 8 * u + foot;
    case Measure::sspd: return 8 * u + foot + sum;
    case Measure::dtw:
    case Measure::erp:
    case Measure::edwp:  // whichever way it takes, all cuts are 2 away
      return 100 * u + sum;
  }
  return 0;
}

TEST(EngineEdges, HundredThousandPoints) {
  Points line, shifted;
  for (std::size_t i = 0; i < 100'000; ++i) {
    line.push_back({static_cast<double>(i), 0});
    shifted.push_back({static_cast<double>(i), 2});
  }
  const Points few{{0, 2}, {50'000, 2}, {99'999, 2}};
  for (const Measure measure : all_measures) {
    const MeasureSettings settings = settings_for(measure);
    const PairEngine engine(measure, set_of({line, few}), settings);
    std::vector<double> row(2);
    engine.one_to_many(few, std::span<double>(row));
    const double exact = distance(measure, few, line, settings);
    EXPECT_NEAR(row[0], exact, tolerance_on_the_line(measure) * exact) << name_of(measure);
    EXPECT_EQ(row[1], 0) << name_of(measure);
  }
  const PairEngine hausdorff(Measure::hausdorff, set_of({few}));
  std::vector<float> row(1);
  hausdorff.one_to_many(shifted, row);
  EXPECT_EQ(row[0], 25'000) << "halfway between the first two";
}

TEST(EngineEdges, TargetsByName) {
  ASSERT_FALSE(simd_targets().empty());
  expect_error(ErrorCode::usage, "no SIMD target 'MMX'", simd_targets().front().data(),
               [] { force_simd_target("MMX"); });
}

TEST(EngineEdges, LengthsAreGrouped) {
  const PairEngine engine(Measure::dtw, set_of(mixed(Measure::dtw, 1000, 200, 6)));
  EXPECT_LT(engine.lane_waste(), 0.05);
}

TEST(PlanarSets, NameWhatIsWrong) {
  expect_error(ErrorCode::bad_input, "trajectory 1 has no points", "", [] {
    PlanarSet({{0, 0}}, {0, 1, 1});
  });
  expect_error(ErrorCode::bad_input, "trajectory 0 .* not finite", "", [] {
    PlanarSet({{0, std::nan("")}}, {0, 1});
  });
  DatasetBuilder builder(Coordinates::planar);
  const std::vector<Position> points{{1, 2}, {5, 4}};
  builder.add({"a", points, {}});
  const PlanarSet set(builder.finish(), Space());
  EXPECT_EQ(set.size(), 1u);
  EXPECT_EQ(set.origin().x, 3);
  EXPECT_EQ(set.origin().y, 3);
  EXPECT_EQ(set[0][1].x, 5);
}

}  // namespace
}  // namespace tsmini
