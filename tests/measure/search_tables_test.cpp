// The tables of exact search as a file: the same answers, whatever is read, and none from damage.
#include "measure/search_tables.h"

#include <cstring>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/exact_search.h"

#include "measure/bounded_search.h"
#include "measure/brute_force.h"
#include "measure/trajectories.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

std::vector<std::int64_t> rows_of(std::size_t count) {
  std::vector<std::int64_t> rows(count);
  std::iota(rows.begin(), rows.end(), 1000);
  return rows;
}

std::vector<Neighbour> nearest(Measure measure, const SearchTables& tables, const PlanarSet& base,
                               std::span<const Planar> query, std::size_t k) {
  const auto points = [&](std::span<const std::size_t> indices,
                          std::vector<std::span<const Planar>>& found) {
    for (std::size_t i = 0; i < indices.size(); ++i) found[i] = base[indices[i]];
  };
  SearchWork work;
  return BoundedSearch(measure, {}, tables).run(query, {.k = k}, points, work);
}

constexpr std::array measures{Measure::frechet,
                              Measure::hausdorff,
                              Measure::dtw,
                              Measure::edwp,
                              Measure::sspd,
                              Measure::erp,
                              Measure::hausdorff_segment,
                              Measure::frechet_continuous};

TEST(SearchTables, EveryTrajectoryHasOnePlace) {
  for (const std::size_t count : {1u, 2u, 15u, 16u, 17u, 255u, 256u, 257u, 5000u}) {
    const PlanarSet base = set_of(mixed(Measure::dtw, count, 30, 3));
    const SearchTables tables = SearchTables::of(base);
    ASSERT_EQ(tables.size(), count);
    std::set<std::uint32_t> seen;
    for (std::size_t place = 0; place < count; ++place) {
      const std::uint32_t index = tables.order[place];
      seen.insert(index);
      EXPECT_EQ(tables.places[index], place);
      const auto points = tables.points_at(place);
      ASSERT_EQ(points.size(), base.length(index));
      for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_EQ(points[i].x, static_cast<float>(base[index][i].x - tables.origin.x));
        EXPECT_EQ(points[i].y, static_cast<float>(base[index][i].y - tables.origin.y));
      }
    }
    EXPECT_EQ(seen.size(), count);
  }
}

class SearchTablesOnDisk : public testing::Test {
 protected:
  SearchTablesOnDisk() {
    SearchTablesFile::save(path_, SearchTables::of(base_), rows_of(base_.size()), "the owner");
    content_ = read_file(path_);
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "exact";
  PlanarSet base_ = set_of(mixed(Measure::edwp, 1500, 40, 5));
  std::string content_;
};

TEST_F(SearchTablesOnDisk, AnswerAsInMemory) {
  const SearchTablesFile file(path_);
  EXPECT_EQ(file.owner(), "the owner");
  EXPECT_EQ(file.rows()[7], 1007);
  file.verify();
  for (const Measure measure : measures) {
    const ExactSearch memory(measure, base_);
    for (std::uint64_t q = 0; q < 10; ++q) {
      const Points query = random_points(5 + 7 * q, 400 + q);
      EXPECT_EQ(nearest(measure, file.tables(), base_, query, 10), memory.nearest(query, 10));
    }
  }
}

TEST_F(SearchTablesOnDisk, TheSameTablesGiveTheSameBytes) {
  SearchTablesFile::save(folder_ / "again", SearchTables::of(base_), rows_of(base_.size()),
                         "the owner");
  EXPECT_EQ(read_file(folder_ / "again"), content_);
}

// Whatever byte is altered, an answer is right or there is none.
TEST_F(SearchTablesOnDisk, DamageIsNeverAnAnswer) {
  const Points query = random_points(30, 77);
  std::vector<std::vector<Neighbour>> truth;
  for (const Measure measure : measures) {
    truth.push_back(ExactSearch(measure, base_).nearest(query, 10));
  }
  std::size_t refused = 0;
  for (std::size_t at = 0; at < content_.size(); at += 1 + content_.size() / 400) {
    std::string altered = content_;
    altered[at] = static_cast<char>(altered[at] ^ 0x20);
    write_file(path_, altered);
    for (std::size_t m = 0; m < measures.size(); ++m) {
      try {
        const SearchTablesFile file(path_);
        EXPECT_EQ(nearest(measures[m], file.tables(), base_, query, 10), truth[m]) << at;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::bad_input);
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 300u);
}

TEST_F(SearchTablesOnDisk, CutOrProlongedIsRefused) {
  for (std::size_t size = 0; size < content_.size(); size += 1 + size / 3) {
    write_file(path_, content_.substr(0, size));
    expect_error(ErrorCode::bad_input, "exact: ", "", [&] { SearchTablesFile file(path_); });
  }
  write_file(path_, content_ + 'x');
  expect_error(ErrorCode::bad_input, "bytes in place of", "again",
               [&] { SearchTablesFile file(path_); });
}

}  // namespace
}  // namespace tsmini
