#include "search/exact_part.h"

#include <map>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace tsmini {
namespace {

// Trips of two points, side by side: that of a row lies `row` metres up.
std::vector<Planar> trip_of(std::int64_t row) {
  const auto y = static_cast<double>(row);
  return {{0, y}, {100, y}};
}

std::shared_ptr<const ExactPart> part_of(const std::vector<std::int64_t>& rows) {
  std::vector<Planar> points;
  std::vector<std::uint64_t> offsets = {0};
  for (const std::int64_t row : rows) {
    for (const Planar& p : trip_of(row)) points.push_back(p);
    offsets.push_back(points.size());
  }
  return std::make_shared<const ExactPart>(rows, PlanarSet(points, offsets));
}

// Two parts, and a source of points that knows no row beside theirs.
class ExactPartsTest : public testing::Test {
 protected:
  std::vector<std::int64_t> rows_of(const std::vector<RowDistance>& found) const {
    std::vector<std::int64_t> rows;
    for (const RowDistance& d : found) rows.push_back(d.row);
    return rows;
  }

  std::map<std::int64_t, std::vector<Planar>> trips_ = {
      {10, trip_of(10)}, {20, trip_of(20)}, {30, trip_of(30)}, {45, trip_of(45)}};
  ExactParts parts_{
      Measure::frechet,
      {},
      {part_of({10, 20}), part_of({30, 45})},
      [this](std::span<const std::int64_t> rows, std::vector<std::span<const Planar>>& points) {
        points.clear();
        for (const std::int64_t row : rows) points.emplace_back(trips_.at(row));
      }};
  SearchWork work_;
};

TEST(ExactPart, FindsItsRowsAndNoOther) {
  const auto part = part_of({10, 20, 45});
  EXPECT_EQ(part->index_of(10), 0u);
  EXPECT_EQ(part->index_of(20), 1u);
  EXPECT_EQ(part->index_of(45), 2u);
  for (const std::int64_t row : {9, 11, 44, 46}) {
    EXPECT_EQ(part->index_of(row), 3u) << row;
    EXPECT_FALSE(part->holds(row)) << row;
  }
  EXPECT_EQ(part_of({})->index_of(0), 0u);
}

TEST_F(ExactPartsTest, AnswerTogether) {
  const auto found = parts_.nearest(trip_of(26), 3, {}, {}, work_, {});
  EXPECT_EQ(rows_of(found), (std::vector<std::int64_t>{30, 20, 10}));
  EXPECT_DOUBLE_EQ(found[0].distance, 4);
  EXPECT_EQ(rows_of(parts_.nearest(trip_of(25), 1, {}, {}, work_, {})),
            (std::vector<std::int64_t>{20}))
      << "of two that are equally far, in two parts, the lower row";
}

// A part looks only at rows that it holds: each trip is measured once.
TEST_F(ExactPartsTest, AmongSomeEachIsMeasuredOnce) {
  const std::vector<std::int64_t> some = {45, 7, 10, 99};
  EXPECT_EQ(rows_of(parts_.nearest_among(trip_of(26), 4, some, work_, {})),
            (std::vector<std::int64_t>{10, 45}));
  EXPECT_EQ(work_.pairs, 2u);
}

// At the very radius is within.
TEST_F(ExactPartsTest, Within) {
  EXPECT_EQ(rows_of(parts_.within(trip_of(26), 6, {}, work_, {})),
            (std::vector<std::int64_t>{30, 20}));
  EXPECT_EQ(rows_of(parts_.within(trip_of(26), 5.999, {}, work_, {})),
            (std::vector<std::int64_t>{30}));
}

TEST_F(ExactPartsTest, WhatIsNotAllowedIsNoAnswer) {
  const RowPredicate but_30 = [](std::int64_t row) { return row != 30; };
  EXPECT_EQ(rows_of(parts_.nearest(trip_of(26), 1, but_30, {}, work_, {})),
            (std::vector<std::int64_t>{20}));
  EXPECT_TRUE(parts_.within(trip_of(30), 5, but_30, work_, {}).empty());
}

}  // namespace
}  // namespace tsmini
