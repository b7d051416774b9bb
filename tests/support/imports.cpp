#include "support/imports.h"

#include <cstring>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/arguments.h"
#include "support/files.h"

namespace tsmini {

Imported import_text(std::string_view content, const std::string& name,
                     const ImportOptions& options) {
  const TemporaryFolder in, out;
  const auto file = in / name;
  write_file(file, content);
  Imported result;
  try {
    result.summary = import_files({file}, out / "out.tsd", options);
  } catch (...) {
    EXPECT_EQ(out.names(), std::vector<std::string>{}) << "a failed import left files";
    throw;
  }
  EXPECT_EQ(out.names(), std::vector<std::string>{"out.tsd"});
  result.data = Dataset::open(out / "out.tsd");
  result.data.verify();
  EXPECT_EQ(result.data.size(), result.summary.trajectories);
  EXPECT_EQ(result.data.point_count(), result.summary.points);
  return result;
}

Imported import_text(std::string_view content, const std::string& name, std::string_view options) {
  return import_text(content, name, import_options_from(options));
}

std::vector<std::string> lines_of(const Dataset& data) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const Trajectory t = data[i];
    std::string points;
    for (const Position& p : t.points) {
      points += fmt::format("{}{} {}", points.empty() ? "" : ",", p.lon, p.lat);
    }
    std::string line = fmt::format("{} | {} | {}", t.id, fmt::join(t.times, " "), points);
    if (data.info().has_split) line += fmt::format(" | {}", name_of(data.part(i)));
    lines.push_back(std::move(line));
  }
  return lines;
}

void expect_same_attributes(const Dataset& a, const Dataset& b) {
  ASSERT_EQ(a.attributes().size(), b.attributes().size());
  for (std::size_t c = 0; c < a.attributes().size(); ++c) {
    const AttributeColumn &first = a.attributes()[c], &second = b.attributes()[c];
    ASSERT_EQ(first.name(), second.name());
    ASSERT_EQ(name_of(first.type()), name_of(second.type())) << first.name();
    ASSERT_EQ(first.count(), second.count()) << first.name();
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(first[i], second[i]) << first.name() << " of trajectory " << i;
    }
  }
}

void expect_same(const Dataset& a, const Dataset& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(a.point_count(), b.point_count());
  EXPECT_EQ(a.info().coordinates, b.info().coordinates);
  EXPECT_EQ(a.info().extent, b.info().extent);
  EXPECT_EQ(a.info().has_times, b.info().has_times);
  EXPECT_EQ(a.info().has_split, b.info().has_split);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Trajectory s = a[i], t = b[i];
    ASSERT_EQ(s.id, t.id) << "trajectory " << i;
    ASSERT_EQ(a.part(i), b.part(i)) << "trajectory " << i;
    ASSERT_EQ(s.size(), t.size()) << s.id;
    ASSERT_EQ(std::vector(s.times.begin(), s.times.end()),
              std::vector(t.times.begin(), t.times.end()))
        << s.id;
    const bool same =
        s.size() == 0 || std::memcmp(s.points.data(), t.points.data(), s.points.size_bytes()) == 0;
    ASSERT_TRUE(same) << "points of " << s.id;
  }
  expect_same_attributes(a, b);
}

std::uint64_t count_of(const ImportSummary& summary, Drop drop) {
  return summary.dropped[static_cast<std::size_t>(drop)];
}

}  // namespace tsmini
