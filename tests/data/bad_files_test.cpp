// Everything that may be wrong with a file, tried on every format.
#include <algorithm>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "data/format_samples.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "support/imports.h"

namespace tsmini {
namespace {

using namespace std::string_view_literals;
using Lines = std::vector<std::string>;
using Tracks = std::vector<RawTrack>;

class EveryFormat : public testing::TestWithParam<FormatTraits> {
 protected:
  const FormatTraits& traits() const { return GetParam(); }
  Format format() const { return traits().format; }
  std::string file() const { return traits().file; }
  Tracks good() const { return good_tracks(traits()); }
  std::string good_text() const { return render(format(), good()).text; }

  ImportOptions options(OnError on_error, bool named = true) const {
    ImportOptions result;
    if (named) result.read.format = format();
    result.on_error = on_error;
    return result;
  }

  Imported import(const std::string& text, OnError on_error = OnError::fail) const {
    return import_text(text, file(), options(on_error));
  }

  // What is left when point `point` of the first track is bad.
  Lines expected_without(Tracks tracks, std::size_t point) const {
    if (traits().row_per_point) {
      auto& points = tracks.front().points;
      points.erase(points.begin() + static_cast<std::ptrdiff_t>(point));
    } else {
      tracks.erase(tracks.begin());
    }
    return expected_lines(traits(), tracks);
  }

  // The import fails, naming file and line, or skips and counts.
  void expect_bad_point(const RawPoint& bad, const std::string& message, const std::string& hint) {
    constexpr std::size_t point = 1;
    Tracks tracks = good();
    tracks.front().points[point] = bad;
    const RenderedFile rendered = render(format(), tracks);
    const std::string place =
        fmt::format("{}:({}|{}): ", file(), rendered.point_lines.front()[point],
                    traits().row_per_point ? 0 : segment_line(rendered));
    expect_error(ErrorCode::bad_input, place, "`on_error=skip`", [&] { import(rendered.text); });
    expect_error(ErrorCode::bad_input, message, hint, [&] { import(rendered.text); });
    const Imported skipped = import(rendered.text, OnError::skip);
    EXPECT_EQ(skipped.summary.bad_records, 1u);
    ASSERT_EQ(skipped.summary.bad_examples.size(), 1u);
    EXPECT_TRUE(matches(skipped.summary.bad_examples.front(), place + ".*(" + message + ")"))
        << skipped.summary.bad_examples.front();
    EXPECT_EQ(lines_of(skipped.data), expected_without(good(), point));
  }

  // GPX names the line of a segment where one of its positions is out of range.
  std::size_t segment_line(const RenderedFile& rendered) const {
    return rendered.track_lines.front() + (format() == Format::gpx ? 1 : 0);
  }

  RawPoint with_lon(const std::string& lon) const {
    RawPoint p = good().front().points[1];
    p.lon = lon;
    return p;
  }
};

TEST_P(EveryFormat, IsReadAndFoundByContent) {
  for (const std::string& name : {file(), std::string("without-ending")}) {
    if (traits().one_track_per_file && name != file()) continue;
    const Imported found = import_text(good_text(), name, options(OnError::fail, false));
    EXPECT_EQ(lines_of(found.data), expected_lines(traits(), good()));
    EXPECT_EQ(found.summary.formats, Lines{std::string(name_of(format()))});
    EXPECT_EQ(found.summary.files, 1u);
    EXPECT_EQ(found.summary.tracks, good().size());
    EXPECT_EQ(found.summary.bytes, good_text().size());
    EXPECT_EQ(found.summary.bad_records, 0u);
  }
}

TEST_P(EveryFormat, ReadsLineEndsByteOrderMarksAndGzipAlike) {
  const std::string text = good_text(), mark = "\xef\xbb\xbf";
  const std::string crlf = std::regex_replace(text, std::regex("\n"), "\r\n");
  std::string open_end = text;
  open_end.pop_back();
  const Lines wanted = expected_lines(traits(), good());
  for (const std::string& variant : {crlf, mark + text, mark + crlf, open_end, text + "\n\n",
                                     gzipped(text), gzipped(mark + crlf)}) {
    EXPECT_EQ(lines_of(import_text(variant, file(), options(OnError::fail, false)).data), wanted);
    EXPECT_EQ(lines_of(import(variant).data), wanted);
  }
  const std::string two_members = gzipped(text.substr(0, 50)) + gzipped(text.substr(50));
  EXPECT_EQ(lines_of(import(two_members).data), wanted);
}

TEST_P(EveryFormat, EmptyFile) {
  for (const std::string& empty : {std::string(), gzipped("")}) {
    expect_error(ErrorCode::bad_input, file() + ": the file is empty", "",
                 [&] { import_text(empty, file()); });
    expect_error(ErrorCode::bad_input, "no trajectory is left|:1: ", "", [&] { import(empty); });
    expect_error(ErrorCode::bad_input, "no trajectory is left", "",
                 [&] { import(empty, OnError::skip); });
  }
}

TEST_P(EveryFormat, FileOfAnotherFormat) {
  for (const FormatTraits& other : text_formats()) {
    if (other.format == format()) continue;
    const std::string text = render(other.format, good_tracks(other)).text;
    expect_error(ErrorCode::bad_input, "no trajectory is left|" + file() + ":[0-9]+: ", "",
                 [&] { import(text); });
    // But for its header, such a CSV file is one of T-Drive.
    if (format() == Format::tdrive && other.format == Format::csv) continue;
    expect_error(ErrorCode::bad_input, "no trajectory is left", "",
                 [&] { import(text, OnError::skip); });
  }
}

TEST_P(EveryFormat, BinaryFile) {
  std::mt19937_64 random(1);
  std::string noise(100'000, '\0');
  for (char& c : noise) c = static_cast<char>(random());
  noise[0] = 'x';
  for (const std::string& text :
       {noise, std::string(50'000, '\0'), std::string("\x89PNG\r\n\x1a\n")}) {
    expect_error(ErrorCode::bad_input, file() + ":1: no known format begins with", "`format",
                 [&] { import_text(text, file()); });
    for (const OnError on_error : {OnError::fail, OnError::skip}) {
      expect_error(ErrorCode::bad_input, "no trajectory is left|" + file() + ":[0-9]+: ", "",
                   [&] { import(text, on_error); });
    }
  }
}

TEST_P(EveryFormat, Utf16) {
  expect_error(ErrorCode::bad_input, file() + ": the file is UTF-16", "iconv",
               [&] { import_text(std::string("\xff\xfei\0d\0", 6), file()); });
}

TEST_P(EveryFormat, TruncatedGzip) {
  const std::string packed = gzipped(good_text());
  for (std::size_t size = 2; size < packed.size(); size += 1 + packed.size() / 20) {
    const std::string cut = packed.substr(0, size);
    expect_error(ErrorCode::bad_input, file() + ": the gzip file is cut short$", "fetch the file",
                 [&] { import(cut); });
    expect_error(ErrorCode::bad_input, "no trajectory is left.*cut short", "",
                 [&] { import(cut, OnError::skip); });
  }
}

TEST_P(EveryFormat, DamagedGzip) {
  std::string packed = gzipped(good_text());
  packed[packed.size() - 6] = static_cast<char>(packed[packed.size() - 6] ^ 1);
  expect_error(ErrorCode::bad_input, file() + ": the gzip file is damaged", "",
               [&] { import(packed); });
}

TEST_P(EveryFormat, ABadFileDoesNotSpoilTheOthers) {
  const TemporaryFolder in, out;
  write_file(in / "a" / file(), gzipped(good_text()).substr(0, 60));
  write_file(in / "b" / file(), good_text());
  const auto summary =
      import_files({in / "a" / file(), in / "b" / file()}, out / "x.tsd", options(OnError::skip));
  EXPECT_EQ(summary.bad_records, 1u);
  EXPECT_EQ(lines_of(Dataset::open(out / "x.tsd")), expected_lines(traits(), good()));
}

TEST_P(EveryFormat, MissingFile) {
  const TemporaryFolder folder;
  for (const OnError on_error : {OnError::fail, OnError::skip}) {
    expect_error(ErrorCode::bad_input, file() + ": there is no such file", "",
                 [&] { import_files({folder / file()}, folder / "x.tsd", options(on_error)); });
  }
  EXPECT_EQ(folder.names(), Lines{});
}

TEST_P(EveryFormat, InvalidNumber) {
  for (const char* number : {"abc", "1.2.3", "0x74", "--1", "12a"}) {
    expect_bad_point(with_lon(number), "number|JSON|not a point|malformed|POLYLINE|type", "");
  }
}

TEST_P(EveryFormat, MissingNumber) {
  expect_bad_point(with_lon(""), "number|JSON|not a point|degrees|POLYLINE|type", "");
}

TEST_P(EveryFormat, NotFinite) {
  for (const char* number : {"nan", "NaN", "inf", "-Infinity", "1e400", "-1e999"}) {
    expect_bad_point(with_lon(number), "not a finite number|JSON|number|type", "");
  }
}

TEST_P(EveryFormat, SwappedLongitudeAndLatitude) {
  Tracks tracks = good();
  for (RawTrack& track : tracks) {
    for (RawPoint& p : track.points) std::swap(p.lon, p.lat);
  }
  const std::string text = render(format(), tracks).text;
  expect_error(ErrorCode::bad_input, file() + ":[0-9]+: latitude 116.3 is outside \\[-90, 90\\]",
               "longitude and latitude look swapped: try `swap_lonlat", [&] { import(text); });
  ImportOptions swapped = options(OnError::fail);
  swapped.read.swap_lonlat = true;
  EXPECT_EQ(lines_of(import_text(text, file(), swapped).data), expected_lines(traits(), good()));
  expect_error(ErrorCode::bad_input, "latitude 116.3 is outside",
               "without `swap_lonlat` it would be in range",
               [&] { import_text(good_text(), file(), swapped); });
}

TEST_P(EveryFormat, CoordinatesOutOfRange) {
  expect_bad_point(with_lon("500"), "\\(500, 39.91\\) is not a longitude and latitude in degrees",
                   "`planar");
  RawPoint p = with_lon("-180.0001");
  expect_bad_point(p, "-180.0001", "");
  p.lon = "0";
  p.lat = "90.5";
  expect_bad_point(p, "latitude 90.5 is outside", "swapped");
}

TEST_P(EveryFormat, AnyFiniteNumberIsACoordinateOfThePlane) {
  Tracks tracks = good();
  tracks.front().points[1].lon = "5000.5";
  tracks.front().points[2].lat = "-1e+20";
  ImportOptions planar = options(OnError::fail);
  planar.read.planar = true;
  const Imported found = import_text(render(format(), tracks).text, file(), planar);
  EXPECT_EQ(lines_of(found.data), expected_lines(traits(), tracks));
  EXPECT_EQ(found.data.info().coordinates, Coordinates::planar);
  tracks.front().points[1].lon = "nan";
  expect_error(ErrorCode::bad_input, file() + ":[0-9]+: ", "",
               [&] { import_text(render(format(), tracks).text, file(), planar); });
}

TEST_P(EveryFormat, CoordinatesOnTheBorder) {
  Tracks tracks = good();
  tracks.front().points[0] = {"-180", "-90", tracks.front().points[0].time};
  tracks.front().points[1] = {"180", "90", tracks.front().points[1].time};
  EXPECT_EQ(lines_of(import(render(format(), tracks).text).data), expected_lines(traits(), tracks));
}

TEST_P(EveryFormat, InvalidTime) {
  Tracks tracks = good();
  tracks.front().points[traits().times_in_file ? 1 : 0].time = "yesterday";
  const RenderedFile rendered = render(format(), tracks);
  expect_error(ErrorCode::bad_input, file() + ":[0-9]+: .*(time|malformed)", "",
               [&] { import(rendered.text); });
  const Imported skipped = import(rendered.text, OnError::skip);
  EXPECT_EQ(skipped.summary.bad_records, 1u);
  EXPECT_EQ(lines_of(skipped.data), expected_without(good(), 1));
}

TEST_P(EveryFormat, UnorderedTimes) {
  if (!traits().times_in_file) GTEST_SKIP() << "the format has no times of its own";
  Tracks tracks = good();
  auto& points = tracks.front().points;
  std::swap(points[0], points[1]);
  const RenderedFile rendered = render(format(), tracks);
  const std::string id = traits().one_track_per_file ? "20080202" : "1";
  expect_error(
      ErrorCode::bad_input,
      fmt::format("{}:{}: times of '{}' go backwards at point 2: 1201966568 after 1201966583",
                  file(), segment_line(rendered), id),
      "`sort_by_time", [&] { import(rendered.text); });
  ImportOptions sorted = options(OnError::fail);
  sorted.clean.sort_by_time = true;
  EXPECT_EQ(lines_of(import_text(rendered.text, file(), sorted).data),
            expected_lines(traits(), good()));
  if (traits().one_track_per_file) return;
  const Imported skipped = import(rendered.text, OnError::skip);
  EXPECT_EQ(skipped.summary.bad_records, 1u);
  EXPECT_EQ(lines_of(skipped.data), expected_lines(traits(), {good()[1]}));
}

TEST_P(EveryFormat, OnePointTrack) {
  Tracks tracks = good();
  tracks.front().points.resize(1);
  const std::string text = render(format(), tracks).text;
  ImportOptions all = options(OnError::fail);
  all.clean.min_points = 1;
  EXPECT_EQ(lines_of(import_text(text, file(), all).data), expected_lines(traits(), tracks));
  if (traits().one_track_per_file) {
    expect_error(ErrorCode::bad_input, "no trajectory is left: 1 shorter than `min_points",
                 "loosen", [&] { import(text); });
    return;
  }
  const Imported found = import(text);
  EXPECT_EQ(count_of(found.summary, Drop::too_short), 1u);
  EXPECT_EQ(found.summary.tracks, 2u);
  EXPECT_EQ(lines_of(found.data), expected_lines(traits(), {tracks[1]}));
}

TEST_P(EveryFormat, TrackWithoutPoints) {
  if (traits().row_per_point) GTEST_SKIP() << "no rows, no track";
  Tracks tracks = good();
  tracks.front().points.clear();
  const Imported found = import(render(format(), tracks).text);
  EXPECT_EQ(count_of(found.summary, Drop::empty), 1u);
  EXPECT_EQ(found.summary.tracks, 2u);
  EXPECT_EQ(lines_of(found.data), expected_lines(traits(), {tracks[1]}));
}

TEST_P(EveryFormat, FileWithoutTracks) {
  const std::string text = render(format(), {}).text;
  expect_error(ErrorCode::bad_input, "no trajectory is left|file is empty|:1: ", "",
               [&] { import(text); });
}

TEST_P(EveryFormat, IdThatIsNotUtf8) {
  if (traits().one_track_per_file) GTEST_SKIP() << "the id is the file's name";
  Tracks tracks = good();
  tracks.front().id = "caf\xe9";
  const RenderedFile rendered = render(format(), tracks);
  expect_error(ErrorCode::bad_input, file() + ":[0-9]+: .*(UTF-8|JSON|not well-formed)", "",
               [&] { import(rendered.text); });
  if (format() == Format::gpx) return;  // XML in a wrong encoding ends there
  const Imported skipped = import(rendered.text, OnError::skip);
  EXPECT_EQ(skipped.summary.bad_records, traits().row_per_point ? 3u : 1u);
  EXPECT_EQ(lines_of(skipped.data), expected_lines(traits(), {good()[1]}));
}

TEST_P(EveryFormat, IdOfAnyScript) {
  if (traits().one_track_per_file) GTEST_SKIP() << "the id is the file's name";
  Tracks tracks = good();
  tracks.front().id = "\xe5\x8c\x97\xe4\xba\xac caf\xc3\xa9 \xf0\x9f\x9a\x95";
  EXPECT_EQ(lines_of(import(render(format(), tracks).text).data), expected_lines(traits(), tracks));
}

TEST_P(EveryFormat, FileNameThatIsNotUtf8) {
  try {
    import_text(good_text(), "caf\xe9.txt", options(OnError::fail));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_input) << error.what();
    EXPECT_TRUE(traits().one_track_per_file);
  }
}

TEST_P(EveryFormat, FileCutAnywhere) {
  const std::string text = good_text();
  for (std::size_t size = 1; size < text.size(); ++size) {
    try {
      const Imported found =
          import(text.substr(0, size), size % 2 == 0 ? OnError::fail : OnError::skip);
      EXPECT_LE(found.data.size(), good().size());
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_input) << error.what();
    }
  }
}

TEST_P(EveryFormat, DamageOfAnyKindIsAnErrorOrADataSet) {
  const std::string text = good_text();
  std::mt19937_64 random(7);
  constexpr std::string_view favourites = "\0\n\r\t\"'[]{}()<>,;:.-+eE0919 \xff\xef\xbb\xbf&\\"sv;
  for (int round = 0; round < 250; ++round) {
    std::string damaged = text;
    for (std::uint64_t k = 0; k < 1 + random() % 4; ++k) {
      const std::size_t at = random() % damaged.size();
      const char c = favourites[random() % favourites.size()];
      switch (random() % 4) {
        case 0: damaged[at] = c; break;
        case 1: damaged.insert(at, 1, c); break;
        case 2: damaged.erase(at, 1 + random() % 9); break;
        default: damaged.insert(at, damaged.substr(random() % damaged.size(), 20));
      }
    }
    try {
      import(damaged, round % 2 == 0 ? OnError::fail : OnError::skip);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_input) << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(BadFiles, EveryFormat, testing::ValuesIn(text_formats()),
                         [](const auto& chosen) {
                           return std::string(name_of(chosen.param.format));
                         });

}  // namespace
}  // namespace tsmini
