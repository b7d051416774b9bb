// First lines of tables: long ones, and names that several columns have.
#include "data/csv_header.h"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "data/reader.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "support/imports.h"

namespace tsmini {
namespace {

using Names = std::vector<std::string>;

Names attribute_names(const Dataset& data) {
  Names names;
  for (const AttributeColumn& column : data.attributes()) names.emplace_back(column.name());
  return names;
}

std::string text_at(const Dataset& data, std::string_view column) {
  const AttributeColumn* found = data.attribute(column);
  return found == nullptr ? "no column" : text_of((*found)[0]);
}

void expect_refused(std::string_view text, std::string_view options, const std::string& message,
                    const std::string& hint) {
  expect_error(ErrorCode::bad_input, message, hint, [&] { import_text(text, "a.csv", options); });
}

TEST(DistinctNames, AreNumbered) {
  EXPECT_EQ(distinct_names({"a", "b", "a", "a"}), (Names{"a", "b", "a_2", "a_3"}));
  EXPECT_EQ(distinct_names({"a", "a", "a_2"}), (Names{"a", "a_3", "a_2"}));
  EXPECT_EQ(distinct_names({"", "", "A", "a"}), (Names{"", "", "A", "a"}));
}

// `columns` of them, with names of ten letters, before the coordinates.
std::string wide_table(std::size_t columns) {
  std::string header = "id,", values;
  for (std::size_t i = 0; i < columns; ++i) {
    header += fmt::format("column{:04},", i);
    values += fmt::format("{},", i);
  }
  return header + "lon,lat\n" + "a," + values + "1,2\n" + "a," + values + "3,4\n";
}

TEST(LongHeader, IsReadWhole) {
  const std::string text = wide_table(8000);
  ASSERT_GT(text.find('\n'), std::size_t{1} << 16);
  for (const char* options : {"--attributes column7999", "--attributes column7999 --format csv",
                              "--attributes column7999 --columns id=id,lon=lon,lat=lat"}) {
    const Imported found = import_text(text, "a.csv", options);
    EXPECT_EQ(lines_of(found.data), Names{"a |  | 1 2,3 4"});
    EXPECT_EQ(text_at(found.data, "column7999"), "7999");
  }
  EXPECT_EQ(lines_of(import_text("\xef\xbb\xbf" + text, "a.csv", "--attributes none").data),
            Names{"a |  | 1 2,3 4"});
}

TEST(LongHeader, TheLineOfABadRowIsItsOwn) {
  expect_refused(wide_table(8000) + "a,1\n", "--attributes none",
                 "a.csv:4: 2 columns where the first line has 8003", "");
}

TEST(LongHeader, MayNotBeLongerThanARecord) {
  ImportOptions options;
  options.read.max_record_bytes = std::size_t{1} << 20;
  options.read.format = Format::csv;
  const std::string text = "id,lon,lat," + std::string(std::size_t{1} << 21, 'x') + "\na,1,2,3\n";
  expect_error(ErrorCode::bad_input, "a.csv:1: the first line is longer than 1 MiB", "complete",
               [&] { import_text(text, "a.csv", options); });
}

constexpr std::size_t mib = std::size_t{1} << 20;

// How much of a file was read to say what it is.
std::uint64_t read_to_detect(const std::string& bytes) {
  ByteSource source("a.csv", bytes);
  EXPECT_THROW(detect_format(source), UnknownFormat);
  return source.consumed();
}

TEST(LongHeader, IsLookedForWhereThereAreFieldsAndNotFar) {
  constexpr std::size_t window = std::size_t{1} << 16;
  EXPECT_EQ(read_to_detect(std::string(16 * mib, 'x')), window);
  std::string fields;
  while (fields.size() < 16 * mib) fields += "neither,";
  EXPECT_LE(read_to_detect(fields), 8 * mib);
  fields[1000] = '\x01';
  EXPECT_EQ(read_to_detect(fields), window);
}

TEST(LongHeader, ThatIsTooLongSaysSo) {
  const std::string text = wide_table(450'000);
  ASSERT_GT(text.find('\n'), 4 * mib);
  const std::string early = "lon,lat," + text;
  for (const char* options : {"", "--format csv", "--columns lon=lon,lat=lat"}) {
    expect_refused(early, options, "a.csv:1: the first line is longer than 4 MiB", "complete");
  }
}

// In a folder it is not passed over, but what has no fields is.
TEST(LongHeader, ThatIsTooLongInAFolder) {
  const TemporaryFolder folder;
  write_file(folder / "in/a.csv", "lon,lat\n1,2\n3,4\n");
  write_file(folder / "in/b.json", "{\"a\":[" + std::string(5 * mib, ' ') + "]}");
  write_file(folder / "in/b.txt", std::string(5 * mib, 'x'));
  ImportOptions options;
  options.read.columns = "lon=1,lat=2";
  const ImportSummary summary = import_files({folder / "in"}, folder / "x.tsd", options);
  ASSERT_EQ(summary.foreign.size(), 2u);
  EXPECT_EQ(summary.foreign[0].why, "the first line is none of a table");
  EXPECT_EQ(summary.foreign[1].why, "the first line is none of a table");
  write_file(folder / "in/c.csv", "lon,lat," + wide_table(450'000));
  expect_error(ErrorCode::bad_input, "c.csv:1: the first line is longer than 4 MiB", "complete",
               [&] { import_files({folder / "in"}, folder / "x.tsd", options); });
}

TEST(LongHeader, OfPorto) {
  std::string header = "TRIP_ID,POLYLINE", row = "7,\"[[1,2],[3,4]]\"";
  for (int i = 0; i < 1000; ++i) {
    header += fmt::format(",{:0100}", i);
    row += ",1";
  }
  const Imported found = import_text(header + "\n" + row + "\n", "a.csv", "--attributes none");
  EXPECT_EQ(lines_of(found.data), Names{"7 |  | 1 2,3 4"});
}

const std::string twice = "id,lon,lat,v,speed,speed\na,1,2,7,8,9\na,3,4,7,8,9\n";

TEST(TwoOfOneName, AreKeptUnderDistinctNames) {
  const Imported found = import_text(twice, "a.csv");
  EXPECT_EQ(attribute_names(found.data), (Names{"v", "speed", "speed_2"}));
  EXPECT_EQ(text_at(found.data, "speed"), "8");
  EXPECT_EQ(text_at(found.data, "speed_2"), "9");
  EXPECT_EQ(import_text(twice, "a.csv", "--where speed_2=9").data.size(), 1u);
}

TEST(TwoOfOneName, AreNotGuessedBetween) {
  const std::string message = "a.csv:1: the columns 5 and 6 are both called 'speed'";
  for (const char* options :
       {"--where speed=8", "--cut-on SPEED", "--attributes speed", "--columns fast=speed"}) {
    expect_refused(twice, options, message, "`columns=NAME=5`, and use that NAME");
  }
}

TEST(TwoOfOneName, AreToldApartByNumber) {
  const Imported found =
      import_text(twice, "a.csv", "--columns speed=6 --where speed=9 --attributes speed");
  EXPECT_EQ(attribute_names(found.data), Names{"speed"});
  EXPECT_EQ(text_at(found.data, "speed"), "9");
}

TEST(TwoOfOneName, ForARole) {
  expect_refused("id,lon,lat,LAT\na,1,2,5\na,3,4,5\n", "", "columns 3 and 4 are both called 'lat'",
                 "`columns=lat=3`");
  expect_refused("id,lon,lat,id\na,1,2,5\na,3,4,5\n", "", "columns 1 and 4 are both called 'id'",
                 "`columns=id=1`");
  expect_refused("t,lon,lat,t\n1,1,2,5\n2,3,4,5\n", "", "columns 1 and 4 are both called 't'",
                 "`columns=time=1`");
  EXPECT_EQ(lines_of(import_text("id,lon,lat,lat\na,1,2,5\na,3,4,5\n", "a.csv",
                                 "--columns lat=4 --keep-duplicates")
                         .data),
            Names{"a |  | 1 5,3 5"});
}

// What export writes has the names of attributes behind its own, whatever they are.
TEST(TwoOfOneName, InAnExportedFile) {
  const std::string text = "id,time,lon,lat,id,time\na,1,1,2,x,y\na,2,3,4,x,y\n";
  EXPECT_EQ(attribute_names(import_text(text, "a.csv").data), (Names{"id", "time"}));
  expect_refused(text, "--where id=x", "columns 1 and 5 are both called 'id'", "`columns=NAME=1");
}

TEST(TwoOfOneName, InPortoAndWkt) {
  const std::string porto = "TRIP_ID,TAXI,TAXI,POLYLINE\n7,1,2,\"[[1,2],[3,4]]\"\n";
  EXPECT_EQ(attribute_names(import_text(porto, "a.csv").data), (Names{"TAXI", "TAXI_2"}));
  const std::string wkt = "id,taxi,taxi,wkt\n7,1,2,\"LINESTRING (1 2, 3 4)\"\n";
  EXPECT_EQ(attribute_names(import_text(wkt, "a.csv").data), (Names{"taxi", "taxi_2"}));
}

TEST(WithoutAName, ColumnsAreKeptByTheirNumber) {
  for (const char* text :
       {",TRIP_ID,POLYLINE,\n5,7,\"[[1,2],[3,4]]\",\n",
        ",id,wkt,\n5,7,\"LINESTRING (1 2, 3 4)\",\n", ",id,lon,lat,\n5,7,1,2,\n5,7,3,4,\n"}) {
    const Imported found = import_text(text, "a.csv");
    EXPECT_EQ(lines_of(found.data), Names{"7 |  | 1 2,3 4"});
    EXPECT_EQ(attribute_names(found.data), Names{"column1"}) << text;
    EXPECT_EQ(text_at(found.data, "column1"), "5");
  }
}

TEST(WithoutAName, AQuoteThatDoesNotClose) {
  expect_refused("TRIP_ID,POLYLINE,\"x\n7,\"[[1,2],[3,4]]\",5,6\n", "",
                 "a.csv:2: 4 columns where the header has 3", "");
}

TEST(Columns, NameEachRoleOnce) {
  for (const char* columns :
       {"lon=1,lat=2,lon=3", "lon=1,lat=2,v=3,v=4", "id=1,lon=2,lat=3,id=4"}) {
    expect_error(ErrorCode::usage, "`columns`: '(lon|v|id)' is there twice", "id=A\\+B",
                 [&] { import_text(twice, "a.csv", "--columns " + std::string(columns)); });
  }
}

}  // namespace
}  // namespace tsmini
