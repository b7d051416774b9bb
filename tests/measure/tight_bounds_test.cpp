// Bounds worked out by hand, how candidates are taken by them, and what single precision may err.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "measure/bounds.h"
#include "measure/every_target.h"
#include "measure/piece_bounds.h"
#include "measure/rounding.h"
#include "measure/search_tables.h"
#include "measure/trajectories.h"

namespace tsmini {
namespace {

// From a query to the first of a base of which the second spans (-1000, -1000) to (1000, 1000).
float bound_by_hand(Measure measure, const Points& query, const Points& other,
                    const MeasureSettings& settings = {}) {
  const PlanarSet base = set_of({other, {{-1000, -1000}, {1000, 1000}}});
  const SearchTables tables = SearchTables::of(base);
  const auto index = LowerBounds::of(measure, tables, settings);
  float bound = -1;
  for (const Candidate& c : index->for_query(query, {})->take_within(1e30F)) {
    if (c.index == 0) bound = c.bound;
  }
  return bound;
}

// What reach bounds take off: 1e-6 of it, and 3 u E; and no more.
void expect_tight_reach(float bound, double truth) {
  EXPECT_LE(bound, truth);
  EXPECT_GE(bound, truth * (1 - 1.2e-6) - 3.1 * unit_roundoff * 1000);
}

TEST(TightBounds, ReachIsTheDistanceAlongItsDirections) {
  on_every_target([] {
    for (const Measure measure : {Measure::hausdorff, Measure::hausdorff_segment, Measure::frechet,
                                  Measure::frechet_continuous}) {
      SCOPED_TRACE(name_of(measure));
      // Moved by 30 to the left, and by 50 along a diagonal; single points.
      const Points there{{0, 0}, {100, 0}, {100, 70}};
      expect_tight_reach(bound_by_hand(measure, {{-30, 0}, {70, 0}, {70, 70}}, there), 30);
      expect_tight_reach(
          bound_by_hand(measure, {{30, 40}, {130, 40}, {130, 110}}, {{-5, 5}, {95, 5}, {95, 75}}),
          35 * std::numbers::sqrt2);
      expect_tight_reach(bound_by_hand(measure, {{0, 500}}, {{0, -500}}), 1000);
      expect_tight_reach(bound_by_hand(measure, {{7, 7}}, {{7, 7}, {7, 7}}), 0);
    }
  });
}

// The same reach, but the ends exchanged: 500 for the Fréchet distances, nothing for Hausdorff's.
// And a direction between two of the 16 is seen by the ends alone.
TEST(TightBounds, EndsCountForFrechet) {
  const Points there{{0, 0}, {300, 400}}, back{{300, 400}, {0, 0}};
  const double angle = std::numbers::pi / 16;
  const Points lone{{0, 0}}, off{{800 * std::cos(angle), 800 * std::sin(angle)}};
  on_every_target([&] {
    for (const Measure measure : {Measure::frechet, Measure::frechet_continuous}) {
      expect_tight_reach(bound_by_hand(measure, there, back), 500);
      expect_tight_reach(bound_by_hand(measure, there, {{0, 0}, {270, 360}}), 50);
      expect_tight_reach(bound_by_hand(measure, {{0, 0}, {300, 400}}, {{30, 40}, {300, 400}}), 50);
      expect_tight_reach(bound_by_hand(measure, lone, off), 800);
    }
    for (const Measure measure : {Measure::hausdorff, Measure::hausdorff_segment}) {
      expect_tight_reach(bound_by_hand(measure, there, back), 0);
      expect_tight_reach(bound_by_hand(measure, lone, off), 800 * std::cos(angle));
    }
  });
}

// A unit of the grid is 0.061; a box ends up to two of them beside its points, and so does the
// other. Roots may be 1.8e-3 too small where they are emulated, and 4e-4 are taken off.
TEST(TightBounds, DtwAddsUpWhatStretchesAreApart) {
  constexpr double unit = 2000.2 / 32767, roots = 2.3e-3;
  const auto expect_tight = [](float bound, double truth, double points) {
    EXPECT_LE(bound, truth);
    EXPECT_GE(bound, truth * (1 - roots) - 4 * unit * points);
  };
  on_every_target([&] {
    Points low, high;
    for (int i = 0; i < 20; ++i) {
      low.push_back({10.0 * i, 0});
      high.push_back({10.0 * i, 300});
    }
    expect_tight(bound_by_hand(Measure::dtw, low, high), 20 * 300, 20);
    expect_tight(bound_by_hand(Measure::dtw, {{0, 0}}, {{300, 400}}), 500, 1);
    // The lone point is paired with all: the other's points count. Of a lone query the first pair
    // passes for the last, too.
    const float lone = bound_by_hand(Measure::dtw, {{0, 0}}, Points(9, {300, 400}));
    expect_tight(lone, 8 * 500, 8);
    expect_tight(bound_by_hand(Measure::dtw, Points(9, {300, 400}), {{0, 0}}), 9 * 500, 9);
    // In order: boxes that are near are no help when they come too late.
    expect_tight(bound_by_hand(Measure::dtw, {{0, 0}, {900, 0}}, {{900, 0}, {0, 0}}), 1800, 2);
    expect_tight(bound_by_hand(Measure::dtw, {{0, 0}, {900, 0}, {0, 0}}, {{0, 0}, {0, 0}, {0, 0}}),
                 900, 3);
  });
}

// Shares have no grid in them: what is taken off is 1e-6, or nothing where nothing matches.
TEST(TightBounds, SharesAreTight) {
  on_every_target([] {
    const Points all{{0, 0}, {100, 0}, {200, 0}, {300, 0}};
    const Points three{{0, 0}, {100, 0}, {200, 500}, {300, 0}};
    for (const Measure measure : {Measure::edr, Measure::lcss}) {
      const MeasureSettings settings{.epsilon = 10};
      EXPECT_NEAR(bound_by_hand(measure, all, three, settings), 0.25, 4e-7);
      EXPECT_LE(bound_by_hand(measure, all, three, settings), 0.25F);
      EXPECT_EQ(bound_by_hand(measure, all, {{0, 500}, {1, 500}}, settings), 1);
      EXPECT_EQ(bound_by_hand(measure, all, all, settings), 0);
    }
    EXPECT_NEAR(bound_by_hand(Measure::edr, all, {{0, 0}}, {.epsilon = 10}), 0.75, 1e-6);
    EXPECT_EQ(bound_by_hand(Measure::lcss, all, {{0, 0}}, {.epsilon = 10}), 0);
  });
}

// Trips in a row, 10 apart, behind and before the query: their bounds are their places.
class TakenTrips : public testing::Test {
 protected:
  std::vector<std::size_t> indices(const std::vector<Candidate>& candidates) const {
    std::vector<std::size_t> all;
    for (const Candidate& c : candidates) all.push_back(c.index);
    return all;
  }
  std::unique_ptr<QueryBounds> bounds(IndexFilter allowed = {}) const {
    return index_->for_query(query_, std::move(allowed));
  }

  static std::vector<Points> in_a_row() {
    std::vector<Points> trips;
    for (int i = 0; i < 600; ++i) trips.push_back({{10.0 * i, 0}, {10.0 * i, 5}});
    return trips;
  }

  Points query_{{-100, 0}, {-100, 5}};
  PlanarSet base_ = set_of(in_a_row());
  SearchTables tables_ = SearchTables::of(base_);
  std::unique_ptr<const LowerBounds> index_ = LowerBounds::of(Measure::frechet, tables_, {});
};

using Indices = std::vector<std::size_t>;

TEST_F(TakenTrips, TheLimitItselfIsWithin) {
  const std::vector<Candidate> all = bounds()->take_within(1e30F);
  ASSERT_EQ(all.size(), 600u);
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  for (const std::size_t i :
       {std::size_t{0}, std::size_t{16}, std::size_t{255}, std::size_t{599}}) {
    EXPECT_EQ(all[i].index, i);
    EXPECT_EQ(tables_.places[i], all[i].place);
    EXPECT_EQ(bounds()->take_within(all[i].bound).size(), i + 1) << "inclusive";
    EXPECT_EQ(bounds()->take_within(std::nextafter(all[i].bound, 0.0F)).size(), i);
  }
  EXPECT_TRUE(bounds()->take_within(99).empty());
}

TEST_F(TakenTrips, TheSmallestAreTaken) {
  EXPECT_TRUE(bounds()->take_smallest(0).empty());
  EXPECT_EQ(indices(bounds()->take_smallest(3)), (Indices{0, 1, 2}));
  EXPECT_EQ(bounds()->take_smallest(600).size(), 600u);
  EXPECT_EQ(bounds()->take_smallest(10'000).size(), 600u);
  const auto once = bounds();
  once->take_smallest(2);
  EXPECT_EQ(indices(once->take_smallest(2)), (Indices{2, 3})) << "none twice";
  EXPECT_EQ(indices(once->take_within(151)), (Indices{4, 5}));
}

TEST_F(TakenTrips, OnlyWhatIsAllowed) {
  const auto odd = [](std::size_t i) { return i % 2 == 1; };
  EXPECT_EQ(indices(bounds(odd)->take_smallest(3)), (Indices{1, 3, 5}));
  EXPECT_EQ(indices(bounds(odd)->take_within(131)), (Indices{1, 3}));
}

TEST(TightBounds, LargestCoordinateIsRelativeToTheOrigin) {
  const Points points{{110, -50}, {95, -42}, {100, -50.5}};
  EXPECT_EQ(largest_coordinate(points, {100, -50}), 10);
  EXPECT_EQ(largest_coordinate(points, {110, -62}), 20);
  EXPECT_EQ(largest_coordinate(set_of({{{0, 0}, {10, 2}}, {{4, 30}}})), 15);
}

// Boxes of eight points: the ninth has one of its own, 93 away from the others.
TEST(TightBounds, PiecesAreComparedWithBoxesOfEight) {
  Points trip;
  for (int i = 0; i < 8; ++i) trip.push_back({static_cast<double>(i), 0});
  trip.push_back({100, 0});
  const PlanarSet set = set_of({{{50, 50}, {50, -50}}, trip});
  const TripBoxes boxes(set);
  const auto bound = [&](Measure measure, const Points& piece) {
    return boxes.bound(measure, PieceLanes(piece, set.origin()), 1);
  };
  on_every_target([&] {
    for (const Measure measure : {Measure::dtw, Measure::frechet}) {
      EXPECT_EQ(bound(measure, {{50, 0}}), 43) << "from the eighth point";
      EXPECT_EQ(bound(measure, {{60, 0}}), 40) << "from the ninth";
      EXPECT_EQ(bound(measure, {{103, 4}}), 5);
      EXPECT_EQ(bound(measure, {{-3, -4}}), 5);
      EXPECT_EQ(bound(measure, {{3.5, 0}}), 0);
    }
    for (const std::size_t count :
         {std::size_t{1}, std::size_t{15}, std::size_t{16}, std::size_t{17}, std::size_t{33}}) {
      Points piece(count, {10, 4});
      EXPECT_EQ(bound(Measure::dtw, piece), 5 * static_cast<float>(count)) << "each once";
      EXPECT_EQ(bound(Measure::frechet, piece), 5);
      piece.back() = {7, 12};
      EXPECT_EQ(bound(Measure::dtw, piece), 5 * static_cast<float>(count) + 7);
      EXPECT_EQ(bound(Measure::frechet, piece), 12);
    }
  });
}

// Rounded outward: a box holds its points whatever single precision makes of them.
TEST(TightBounds, BoxesOfPiecesHoldTheirPoints) {
  Random random(6);
  for (int round = 0; round < 200; ++round) {
    Points trip(1 + random.below(20));
    for (Planar& p : trip) p = {random.uniform(-1e5, 1e5), random.uniform(-1e5, 1e5)};
    const PlanarSet set = set_of({trip});
    const TripBoxes boxes(set);
    for (const Planar& p : trip) {
      const PieceLanes lanes({&p, 1}, set.origin());
      ASSERT_EQ(boxes.bound(Measure::frechet, lanes, 0), 0);
      ASSERT_EQ(boxes.bound(Measure::dtw, lanes, 0), 0);
    }
  }
}

TEST(SingleErrors, SayWhereTheTruthIs) {
  const SingleError error{0.1, 1};
  EXPECT_DOUBLE_EQ(error.least(12), 10);
  EXPECT_DOUBLE_EQ(error.most(8), 10);
  EXPECT_FALSE(error.is_none());
  EXPECT_FALSE((SingleError{0.1, 0}.is_none()));
  EXPECT_FALSE((SingleError{0, 0.1}.is_none()));
  EXPECT_TRUE(SingleError{}.is_none());
  EXPECT_EQ(SingleError{}.least(7), 7);
  EXPECT_EQ(SingleError{}.most(7), 7);
}

// As the text of rounding.h derives them, in units of u and of u E; the constants leave room for
// what it leaves out, and not twice as much.
TEST(SingleErrors, AreThoseOfTheArithmetic) {
  const double u = unit_roundoff, extent = 1000, moved = 2 * std::numbers::sqrt2 * u * extent;
  const auto expect_room = [&](Measure measure, double relative, double absolute) {
    const SingleError error = single_error(measure, extent, 50);
    EXPECT_GT(error.relative, relative * u) << name_of(measure);
    EXPECT_LT(error.relative, 3 * relative * u) << name_of(measure);
    EXPECT_GT(error.absolute, absolute) << name_of(measure);
    EXPECT_LT(error.absolute, 1.1 * absolute) << name_of(measure);
  };
  expect_room(Measure::frechet, 3, moved);
  expect_room(Measure::hausdorff, 3, moved);
  expect_room(Measure::dtw, 83 + 50, 50 * moved);
  expect_room(Measure::erp, 83 + 50, 50 * moved);
  expect_room(Measure::hausdorff_segment, 4, 10 * moved);
  expect_room(Measure::sspd, 4 + 50 + 3, 10 * moved);
  for (const Measure measure : all_measures) {
    const bool branches = measure == Measure::edwp || measure == Measure::edr ||
                          measure == Measure::lcss || measure == Measure::frechet_continuous;
    EXPECT_EQ(has_single_error(measure), !branches) << name_of(measure);
  }
}

}  // namespace
}  // namespace tsmini
