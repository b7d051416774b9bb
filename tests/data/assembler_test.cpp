// Rows that belong together, wherever they stand in a file.
#include <algorithm>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tsmini/import.h"

#include "data/reader.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "support/imports.h"

namespace tsmini {
namespace {

struct Row {
  int trip = 0, step = 0;

  std::string text() const {
    return fmt::format("trip-{},{},{:.6f},{:.6f}\n", trip, 1'000'000 + step * 10 + trip % 7,
                       -8 + trip * 0.001, 41 + step * 0.0001);
  }
};

// Trips of uneven length, together well above the size of a batch.
std::vector<Row> many_rows() {
  std::vector<Row> rows;
  for (int trip = 0; trip < 600; ++trip) {
    const int steps = trip % 50 == 0 ? 2000 : 2 + trip * 37 % 150;
    for (int step = 0; step < steps; ++step) rows.push_back({trip, step});
  }
  return rows;
}

std::string csv_of(const std::vector<Row>& rows) {
  std::string text = "id,time,lon,lat\n";
  for (const Row& row : rows) text += row.text();
  return text;
}

TEST(Assembler, JoinsRowsAcrossBatches) {
  const auto rows = many_rows();
  const std::string text = csv_of(rows);
  ASSERT_GT(text.size(), 2 * batch_bytes);
  const Imported found = import_text(text, "a.csv");
  ASSERT_EQ(found.data.size(), 600u);
  ASSERT_EQ(found.data.point_count(), rows.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < found.data.size(); ++i) {
    const Trajectory t = found.data[i];
    ASSERT_EQ(t.id, fmt::format("trip-{}", i));
    for (std::size_t k = 0; k < t.size(); ++k, ++at) {
      ASSERT_EQ(t.times[k], 1'000'000 + rows[at].step * 10 + rows[at].trip % 7);
      ASSERT_NEAR(t.points[k].lat, 41 + rows[at].step * 0.0001, 1e-9);
    }
  }
}

TEST(Assembler, CollectsScatteredRows) {
  std::vector<Row> rows = many_rows();
  const Imported together = import_text(csv_of(rows), "a.csv");
  // As a fleet reports: by time, and within a moment by trip.
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.step < b.step; });
  const Imported scattered = import_text(csv_of(rows), "a.csv");
  expect_same(scattered.data, together.data);
  EXPECT_EQ(scattered.summary.tracks, together.summary.tracks);
  EXPECT_EQ(scattered.summary.bytes, together.summary.bytes);
  expect_same(import_text(gzipped(csv_of(rows)), "a.csv.gz").data, together.data);
}

TEST(Assembler, NumbersLinesOfTheFileNotOfTheBatch) {
  const std::vector<Row> rows = many_rows();
  std::string text = csv_of(rows) + "trip-0,1,nonsense,41\n";
  const std::string place = fmt::format("a\\.csv:{}: longitude 'nonsense'", rows.size() + 2);
  expect_error(ErrorCode::bad_input, place, "", [&] { import_text(text, "a.csv"); });
  text +=
      "next,5,1,2\nnext,4,2,3\nnext,6,2,4\n";  // scattered rows behind a bad one: bad either way
  const std::string second = fmt::format("a\\.csv:{}: times of 'next'", rows.size() + 3);
  const Imported skipped = import_text(text, "a.csv", "--on-error skip");
  ASSERT_EQ(skipped.summary.bad_examples.size(), 2u);
  EXPECT_TRUE(matches(skipped.summary.bad_examples[0], place));
  EXPECT_TRUE(matches(skipped.summary.bad_examples[1], second)) << skipped.summary.bad_examples[1];
}

TEST(Assembler, FilesDoNotMix) {
  const TemporaryFolder folder;
  write_file(folder / "a.csv", "id,lon,lat\nx,1,2\nx,2,3\n");
  write_file(folder / "b.csv", "id,lon,lat\nx,3,4\nx,4,5\n");
  import_files({folder / "a.csv", folder / "b.csv"}, folder / "x.tsd", {});
  EXPECT_EQ(lines_of(Dataset::open(folder / "x.tsd")),
            (std::vector<std::string>{"x |  | 1 2,2 3", "x |  | 3 4,4 5"}));
}

TEST(Assembler, ScatteredRowsFromAPipe) {
  const TemporaryFolder folder;
  write_file(folder / "in", "id,lon,lat\na,1,2\nb,1,2\na,2,3\nb,2,3\n");
  const int saved = ::dup(STDIN_FILENO);
  const FileHandle file = open_for_reading(folder / "in");
  ::dup2(file.get(), STDIN_FILENO);
  expect_error(ErrorCode::bad_input, "line 4: the rows of 'a' are not together",
               "a pipe cannot be read twice: sort the rows by id, or give a file",
               [&] { import_files({"-"}, folder / "x.tsd", {}); });
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"in"});
}

}  // namespace
}  // namespace tsmini
