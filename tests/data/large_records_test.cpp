// Lines and features of 100 MB: refused in bounded memory, and skipped without harm to the rest.
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tsmini/error.h"
#include "tsmini/import.h"

#include "data/format_samples.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "support/imports.h"
#include "support/sanitized.h"

namespace tsmini {
namespace {

constexpr std::size_t hundred_megabytes = 100'000'000;
constexpr std::size_t record_limit = std::size_t{64}
                                     << 20;  // lower than usual, so that the test is quick

class LargeRecords : public testing::TestWithParam<FormatTraits> {
 protected:
  // The good file with `filler` repeated to 100 MB in a line of its own, before the last track.
  std::string with_long_line(const std::string& head, const std::string& filler,
                             const std::string& tail) const {
    const RenderedFile good = render(GetParam().format, good_tracks(GetParam()));
    std::string text = good.text;
    std::size_t at = 0;
    for (std::size_t line = 1; line < place(good); ++line) at = text.find('\n', at) + 1;
    std::string line = head;
    while (line.size() < hundred_megabytes) line += filler;
    text.insert(at, line + tail + "\n");
    return text;
  }

  std::size_t place(const RenderedFile& good) const {
    return GetParam().one_track_per_file ? good.point_lines[0][1] : good.track_lines.back();
  }

  std::string long_line() const {
    switch (GetParam().format) {
      case Format::porto: return with_long_line("long,5,False,\"[[1,2]", ",[1,2]", "]\"");
      case Format::geojson:
        return with_long_line(R"({"type":"LineString","coordinates":[[1,2])", ",[1,2]", "]},");
      case Format::wkt: return with_long_line("LINESTRING (1 2", ", 1 2", ")");
      case Format::tsv: return with_long_line("long\t\t1 2", ",1 2", "");
      case Format::gpx: return with_long_line("<trk><name>", "0123456789", "</name></trk>");
      default: return with_long_line("9,1", "2345678901234567890", ",2,3,4,5,6,7");
    }
  }
};

TEST_P(LargeRecords, AreRefusedOrSkipped) {
  const TemporaryFolder folder;
  const std::string file = GetParam().file;
  const RenderedFile good = render(GetParam().format, good_tracks(GetParam()));
  write_file(folder / file, long_line());
  ImportOptions options;
  options.read.max_record_bytes = record_limit;
  expect_error(
      ErrorCode::bad_input,
      fmt::format("{}:{}: the (line|feature|track) is l(ong|arg)er than 64 MiB", file, place(good)),
      "`on_error=skip`", [&] { import_files({folder / file}, folder / "x.tsd", options); });
  EXPECT_EQ(folder.names(), std::vector{file});
  options.on_error = OnError::skip;
  const ImportSummary summary = import_files({folder / file}, folder / "x.tsd", options);
  EXPECT_EQ(summary.bad_records, 1u);
  EXPECT_EQ(lines_of(Dataset::open(folder / "x.tsd")),
            expected_lines(GetParam(), good_tracks(GetParam())));
}

// The peak of resident memory of a child that does the work, in megabytes.
long peak_megabytes(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      work();
    } catch (const Error&) {
    }
    ::_exit(0);
  }
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return usage.ru_maxrss / 1024;
}

INSTANTIATE_TEST_SUITE_P(OfEveryFormat, LargeRecords, testing::ValuesIn(text_formats()),
                         [](const auto& chosen) {
                           return std::string(name_of(chosen.param.format));
                         });

TEST(LargeRecord, TakesBoundedMemory) {
  if (sanitized) GTEST_SKIP() << "sanitizers take memory of their own";
  const TemporaryFolder folder;
  {
    std::ofstream out(folder / "a.tsv", std::ios::binary);
    out << "a\t\t1 2,3 4\nlong\t\t";
    const std::string block(1'000'000, '7');
    for (int i = 0; i < 300; ++i) out << block;
    out << "\nb\t\t1 2,3 4\n";
  }
  ImportOptions options;
  options.read.max_record_bytes = record_limit;
  options.on_error = OnError::skip;
  const long idle = peak_megabytes([] {});
  const long peak =
      peak_megabytes([&] { import_files({folder / "a.tsv"}, folder / "x.tsd", options); });
  EXPECT_LT(peak - idle, 260) << "megabytes for a line of 300";
  EXPECT_EQ(lines_of(Dataset::open(folder / "x.tsd")).size(), 2u);
}

// What all segments of a track share is counted for each of them.
TEST(LargeRecord, OfManySegments) {
  const TemporaryFolder folder;
  std::string text = "<gpx><trk><name>" + std::string(1 << 20, 'x') + "</name>\n";
  for (int i = 0; i < 70; ++i) text += "<trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg>\n";
  write_file(folder / "a.gpx", text + "</trk></gpx>");
  ImportOptions options;
  options.clean.min_points = 1;
  options.read.max_record_bytes = record_limit;
  expect_error(ErrorCode::bad_input, "a.gpx:72: the track is larger than 64 MiB", "`on_error=skip`",
               [&] { import_files({folder / "a.gpx"}, folder / "x.tsd", options); });
  options.read.max_record_bytes = 2 * record_limit;
  EXPECT_EQ(import_files({folder / "a.gpx"}, folder / "x.tsd", options).trajectories, 70u);
}

TEST(LargeRecord, ManyOfThemWithGoodOnesBetween) {
  const TemporaryFolder folder;
  std::string text = "a\t\t1 2,3 4\n";
  const std::string large = "x\t\t" + std::string(70 << 20, '7') + "\n";
  text += large + "b\t\t1 2,3 4\nc\t\t1 2,3 4\n" + large + large + "d\t\t1 2,3 4\n";
  text += "e\t\t1 2,y\n";
  write_file(folder / "a.tsv", text);
  ImportOptions options;
  options.read.max_record_bytes = record_limit;
  options.on_error = OnError::skip;
  const ImportSummary summary = import_files({folder / "a.tsv"}, folder / "x.tsd", options);
  EXPECT_EQ(lines_of(Dataset::open(folder / "x.tsd")),
            (std::vector<std::string>{"a |  | 1 2,3 4", "b |  | 1 2,3 4", "c |  | 1 2,3 4",
                                      "d |  | 1 2,3 4"}));
  ASSERT_EQ(summary.bad_records, 4u);
  for (const auto& [index, line] :
       std::vector<std::pair<std::size_t, int>>{{0, 2}, {1, 5}, {2, 6}, {3, 8}}) {
    EXPECT_TRUE(matches(summary.bad_examples[index], fmt::format("a\\.tsv:{}: ", line)))
        << summary.bad_examples[index];
  }
}

}  // namespace
}  // namespace tsmini
