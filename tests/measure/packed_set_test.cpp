// Trajectories side by side in lanes, value by value.
#include "measure/packed_set.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "measure/trajectories.h"

namespace tsmini {
namespace {

template <class T>
PackedSet<T> pack(Measure measure, const std::vector<Points>& trips, std::size_t lanes,
                  const Planar& origin = {}, const MeasureSettings& settings = {}) {
  const std::vector<std::span<const Planar>> spans(trips.begin(), trips.end());
  return PackedSet<T>(measure, settings, std::span<const std::span<const Planar>>(spans), lanes,
                      origin);
}

// The values of one lane.
template <class T>
std::vector<T> channel_of(const PackedGroup<T>& group, std::size_t c, std::size_t lane) {
  std::vector<T> values;
  for (std::size_t j = 0; j < group.length; ++j) {
    values.push_back(group.channel(c)[j * group.lanes + lane]);
  }
  return values;
}

using Doubles = std::vector<double>;
using Floats = std::vector<float>;
using Numbers = std::vector<std::size_t>;

Numbers list(std::span<const std::size_t> numbers) {
  return Numbers(numbers.begin(), numbers.end());
}

TEST(PackedSet, SortsByLengthAndPadsWithTheLast) {
  const auto packed =
      pack<double>(Measure::dtw, {{{1, 2}, {3, 4}, {5, 6}}, {{7, 8}}, {{9, 10}, {11, 12}}}, 2);
  ASSERT_EQ(packed.size(), 2u);
  EXPECT_EQ(list(packed.order()), (Numbers{1, 2, 0}));
  EXPECT_EQ(list(packed.members(0)), (Numbers{1, 2}));
  EXPECT_EQ(list(packed.members(1)), (Numbers{0}));
  const PackedGroup<double> first = packed.group(0), second = packed.group(1);
  EXPECT_EQ(first.length, 2u);
  EXPECT_EQ(first.lengths[0], 1u);
  EXPECT_EQ(first.lengths[1], 2u);
  EXPECT_EQ(channel_of(first, 0, 0), (Doubles{7, 7}));
  EXPECT_EQ(channel_of(first, 1, 0), (Doubles{8, 8}));
  EXPECT_EQ(channel_of(first, 0, 1), (Doubles{9, 11}));
  EXPECT_EQ(channel_of(first, 1, 1), (Doubles{10, 12}));
  EXPECT_EQ(second.length, 3u);
  EXPECT_EQ(channel_of(second, 0, 0), (Doubles{1, 3, 5}));
  EXPECT_EQ(channel_of(second, 0, 1), (Doubles{1, 3, 5})) << "a lane without a trip";
  EXPECT_EQ(second.lengths[1], 3u);
  EXPECT_EQ(packed.waste(), 1 - 6.0 / 10);
}

TEST(PackedSet, EqualLengthsKeepTheirOrder) {
  const Points two{{0, 0}, {1, 1}}, one{{0, 0}};
  EXPECT_EQ(list(pack<float>(Measure::dtw, {two, one, two, one, two}, 4).order()),
            (Numbers{1, 3, 0, 2, 4}));
}

TEST(PackedSet, GroupsAtTheBoundariesOfLanes) {
  for (const std::size_t lanes :
       {std::size_t{1}, std::size_t{4}, std::size_t{8}, std::size_t{16}}) {
    for (const std::size_t count : {lanes - 1, lanes, lanes + 1, 2 * lanes, 2 * lanes + 1}) {
      std::vector<Points> trips;
      for (std::size_t i = 0; i < count; ++i) trips.push_back(random_points(1 + i % 3, i));
      const auto packed = pack<float>(Measure::erp, trips, lanes);
      EXPECT_EQ(packed.size(), (count + lanes - 1) / lanes);
      std::size_t members = 0;
      for (std::size_t g = 0; g < packed.size(); ++g) {
        members += packed.members(g).size();
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(packed.group(g).data) % kernel_alignment, 0u);
        for (std::size_t lane = 0; lane < packed.members(g).size(); ++lane) {
          const Points& trip = trips[packed.members(g)[lane]];
          ASSERT_EQ(packed.group(g).lengths[lane], trip.size());
          for (std::size_t j = 0; j < packed.group(g).length; ++j) {
            const Planar& p = trip[std::min(j, trip.size() - 1)];
            ASSERT_EQ(packed.group(g).channel(0)[j * lanes + lane], static_cast<float>(p.x));
            ASSERT_EQ(packed.group(g).channel(1)[j * lanes + lane], static_cast<float>(p.y));
          }
        }
      }
      EXPECT_EQ(members, count);
    }
  }
  EXPECT_EQ(pack<float>(Measure::dtw, {}, 8).size(), 0u);
  EXPECT_EQ(pack<float>(Measure::dtw, {}, 8).waste(), 0);
}

TEST(PackedSet, SubtractsTheOriginInDoublePrecision) {
  const Planar origin{1e9, -1e9};
  const auto packed = pack<float>(Measure::dtw, {{{1e9 + 0.25, -1e9 + 3}}}, 1, origin);
  EXPECT_EQ(packed.query(0).channel(0)[0], 0.25F);
  EXPECT_EQ(packed.query(0).channel(1)[0], 3.0F);
  EXPECT_EQ(packed.query(0).length, 1u);
}

TEST(PackedSet, SinglePointsAreTakenAsTheyAre) {
  const std::vector<SinglePoint> trip{{1, 2}, {3, 5}};
  const std::vector<std::span<const SinglePoint>> trips{trip};
  const PackedSet<float> packed(Measure::hausdorff_segment, {},
                                std::span<const std::span<const SinglePoint>>(trips), 1,
                                {100, 100});
  EXPECT_EQ(channel_of(packed.group(0), 0, 0), (Floats{1, 3}));
  EXPECT_EQ(channel_of(packed.group(0), 2, 0), (Floats{2, 0}));
}

TEST(PackedSet, ChannelsAreThoseOfTheMeasure) {
  for (const Measure measure : all_measures) {
    const bool has_segments = measure == Measure::hausdorff_segment || measure == Measure::sspd ||
                              measure == Measure::frechet_continuous;
    const bool has_steps = measure == Measure::edwp || measure == Measure::erp;
    EXPECT_EQ(channel_count(measure), has_segments ? 5u : has_steps ? 3u : 2u) << name_of(measure);
  }
}

// A segment of no length, the padding, and the last point lead nowhere.
TEST(PackedSet, SegmentsLeadToTheNextPoint) {
  for (const Measure measure :
       {Measure::hausdorff_segment, Measure::sspd, Measure::frechet_continuous}) {
    const auto packed =
        pack<double>(measure, {{{0, 0}, {4, 0}, {4, 0}, {4, -2}}, {{1, 1}, {2, 3}}}, 2);
    const PackedGroup<double> group = packed.group(0);
    EXPECT_EQ(channel_of(group, 2, 1), (Doubles{4, 0, 0, 0}));
    EXPECT_EQ(channel_of(group, 3, 1), (Doubles{0, 0, -2, 0}));
    EXPECT_EQ(channel_of(group, 4, 1), (Doubles{1.0 / 16, 0, 0.25, 0}));
    EXPECT_EQ(channel_of(group, 2, 0), (Doubles{1, 0, 0, 0}));
    EXPECT_EQ(channel_of(group, 3, 0), (Doubles{2, 0, 0, 0}));
    EXPECT_EQ(channel_of(group, 4, 0), (Doubles{0.2, 0, 0, 0}));
  }
}

// 2^-63 squared is the least normal number of single precision: its inverse is one. Below, it would
// grow out of range.
TEST(PackedSet, SegmentsTooShortToInvertArePoints) {
  const double shortest = std::ldexp(1, -63);
  const auto inverse_of = [](double length) {
    const auto packed = pack<float>(Measure::sspd, {{{0, 0}, {length, 0}}}, 1);
    return packed.query(0).channel(4)[0];
  };
  EXPECT_EQ(inverse_of(shortest), std::ldexp(1.0F, 126));
  EXPECT_EQ(inverse_of(std::nextafter(static_cast<float>(shortest), 0.0F)), 0);
  EXPECT_EQ(inverse_of(0), 0);
}

TEST(PackedSet, EdwpHasStepsAndTheirSum) {
  const auto packed = pack<double>(Measure::edwp, {{{0, 0}, {3, 4}, {3, 16}}, {{1, 1}, {1, 3}}}, 2);
  const PackedGroup<double> group = packed.group(0);
  EXPECT_EQ(channel_of(group, 2, 0), (Doubles{0, 2, 0}));
  EXPECT_EQ(channel_of(group, 2, 1), (Doubles{0, 5, 12}));
  EXPECT_EQ(group.totals[0], 2);
  EXPECT_EQ(group.totals[1], 17);
}

TEST(PackedSet, ErpHasDistancesFromTheGapPoint) {
  const auto packed =
      pack<double>(Measure::erp, {{{13, 24}, {10, 20}}}, 1, {5, 5}, {.gap = {10, 20}});
  EXPECT_EQ(channel_of(packed.group(0), 2, 0), (Doubles{5, 0}));
}

}  // namespace
}  // namespace tsmini
