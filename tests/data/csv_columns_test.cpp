#include "data/csv_columns.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "data/csv_fields.h"
#include "support/error_expectation.h"

namespace tsmini {
namespace {

using Fields = std::vector<std::string_view>;

Fields split(std::string_view line, char separator) {
  Fields fields;
  EXPECT_TRUE(split_fields(line, separator, fields)) << line;
  return fields;
}

TEST(CsvFields, BlanksAreOneSeparator) {
  EXPECT_EQ(split("1 2", ' '), (Fields{"1", "2"}));
  EXPECT_EQ(split("  1 \t 2\t\t3  ", ' '), (Fields{"1", "2", "3"}));
  EXPECT_EQ(split("1 \"two words\" 3", ' '), (Fields{"1", "two words", "3"}));
  EXPECT_EQ(split("\"a \"\"b\"\"\"", ' '), (Fields{"a \"\"b\"\""}));
  EXPECT_EQ(split("", ' '), Fields{});
  EXPECT_EQ(split(" \t ", ' '), Fields{});
  EXPECT_EQ(split(std::string_view("1\0 2", 4), ' '), (Fields{std::string_view("1\0", 2), "2"}));
  Fields fields;
  EXPECT_FALSE(split_fields("1 \"2", ' ', fields));
  EXPECT_FALSE(split_fields("1 \"2\"3", ' ', fields));
}

TEST(CsvFields, RecordsBetweenBlanks) {
  EXPECT_EQ(record_size("1 \"a\nb\" 2\n3", ' ', true), 10u);
  EXPECT_EQ(record_size("1\t\"a\nb\"\t2\n3", ' ', true), 10u);
  EXPECT_EQ(record_size("1 \"a\n2 3\n", ' ', true), 5u);  // the quote is a mistake
}

TEST(CsvFields, SeparatorByLooking) {
  EXPECT_EQ(find_separator("lat,lon\n1,2\n"), ',');
  EXPECT_EQ(find_separator("lat;lon\n1;2\n"), ';');
  EXPECT_EQ(find_separator("lat\tlon\n1\t2\n"), '\t');
  EXPECT_EQ(find_separator("lat|lon\n1|2\n"), '|');
  EXPECT_EQ(find_separator("lat lon\n1 2\n"), ' ');
  EXPECT_EQ(find_separator("37.75134 -122.39488 0 1213084687\n37.7 -122.4 0 1213084659\n"), ' ');
  EXPECT_EQ(find_separator("1  2\t3\n10\t20\t30\n"), ' ');
  EXPECT_EQ(find_separator("1  2\t3\n10 20\t30\n"), ' ');
  EXPECT_EQ(find_separator("1\t2008-02-02 15:36:08\n1\t2008-02-02 15:36:09\n"), '\t');
  // Commas in numbers, and what only looks like it.
  EXPECT_EQ(find_separator("41,15;-8,61\n41,16;-8,62\n"), ';');
  EXPECT_EQ(find_separator("41,15 -8,61\n41,16 -8,62\n"), ' ');
  EXPECT_EQ(find_separator("41,15\t-8,61\n41,16\t-8,62\n"), '\t');
  EXPECT_EQ(find_separator("7,2008-02-02 15:36:08,116.5,39.9\n"), ',');
  EXPECT_EQ(find_separator("41.15, -8.61\n41.16, -8.62\n"), ',');
  EXPECT_EQ(find_separator("my id,a time,lon,lat\na,1,2,3\n"), ',');
  EXPECT_EQ(find_separator(""), ',');
  EXPECT_EQ(find_separator("\n\n"), ',');
  EXPECT_EQ(find_separator("word"), ',');
}

TEST(CsvFields, DecimalCommas) {
  EXPECT_EQ(decimal_comma_from("41,15", false), 41.15);
  EXPECT_EQ(decimal_comma_from(" -8,6 ", false), -8.6);
  EXPECT_EQ(decimal_comma_from("41,154", false), 41.154);
  EXPECT_EQ(decimal_comma_from("530,123", true), std::nullopt);
  EXPECT_EQ(decimal_comma_from("530,1234", true), 530.1234);
  for (const char* text :
       {"", ",", "1,", ",1", "1,2,3", "1.000,5", "1,000.5", "1,2e3", "a,b", "1"}) {
    EXPECT_EQ(decimal_comma_from(text, false), std::nullopt) << text;
  }
}

CsvColumns choose(std::string_view head, std::string columns, std::vector<Condition> where = {},
                  std::string cut_on = {}) {
  ReadOptions options;
  options.columns = std::move(columns);
  options.where = std::move(where);
  options.cut_on = std::move(cut_on);
  return choose_columns(head, options, "a.csv");
}

std::vector<std::string> attributes_of(const CsvColumns& columns) {
  std::vector<std::string> names;
  for (const auto& column : columns.others.columns) {
    if (column.is_attribute) names.push_back(column.name);
  }
  return names;
}

TEST(CsvColumns, OthersOfAHeaderAreAttributes) {
  const CsvColumns found = choose("taxi,trip,time,lon,lat,speed,,speed,note\n", "");
  EXPECT_EQ(attributes_of(found),
            (std::vector<std::string>{"speed", "column7", "speed_2", "note"}));
  EXPECT_EQ(found.places, (std::vector<std::size_t>{5, 6, 7, 8}));
}

TEST(CsvColumns, RolesOfOnesOwnNameAttributes) {
  const CsvColumns bare = choose("1 2 3 4\n1 2 3 4\n", "lat=1,lon=2,flag=3");
  EXPECT_FALSE(bare.has_header);
  EXPECT_EQ(attributes_of(bare), std::vector<std::string>{"flag"});
  const CsvColumns named = choose("north,east,occ,n\n1,2,3,4\n", "lat=north,lon=east,flag=occ");
  EXPECT_TRUE(named.has_header);
  EXPECT_EQ(attributes_of(named), (std::vector<std::string>{"flag", "n"}));
  EXPECT_EQ(named.places, (std::vector<std::size_t>{2, 3}));
}

TEST(CsvColumns, ConditionsAndCutsFindAnyColumn) {
  const CsvColumns found = choose("id,lon,lat,flag\na,1,2,0\n", "",
                                  {condition_from("FLAG=1"), condition_from("lat>3")}, "4");
  EXPECT_EQ(found.others.where, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(found.others.cut_on, 0u);
  EXPECT_TRUE(found.others.columns[0].is_needed);
  EXPECT_EQ(attributes_of(found), std::vector<std::string>{"flag"});
  EXPECT_EQ(found.places, (std::vector<std::size_t>{3, 2}));
  expect_error(ErrorCode::bad_input, "there is no column 'busy'", "3: id, lon, lat",
               [] { choose("id,lon,lat\n", "", {condition_from("busy=1")}); });
  expect_error(ErrorCode::bad_input, "there is no column 'busy'", "3: id, lon, lat",
               [] { choose("id,lon,lat\n", "", {}, "busy"); });
}

TEST(CsvColumns, DatesAndClocksJoin) {
  const CsvColumns found = choose("1 2008-02-02 15:36:08 2\n", "lat=1,time=2+3,lon=4");
  EXPECT_EQ(found.time, (std::vector<std::size_t>{1, 2}));
}

TEST(CsvColumns, AFirstRowWithDecimalCommasIsNoHeader) {
  EXPECT_FALSE(choose("41,15;-8,61\n", "lat=1,lon=2").has_header);
}

TEST(CsvColumns, ProseIsNoHeader) {
  EXPECT_FALSE(guess_columns("lat lon are the columns\nof these files\n"));
  EXPECT_TRUE(guess_columns("lat lon\n41.1 -8.6\n"));
}

TEST(CsvColumns, Proposals) {
  EXPECT_EQ(propose_columns("37.75134 -122.39488 0 1213084687\n37.75136 -122.39527 0 1213084659\n"),
            "lat=1,lon=2,time=4");
  EXPECT_EQ(
      propose_columns("7;-8,61;41,15;2008-02-02 15:36:08\n7;-8,62;41,15;2008-02-02 15:36:09\n"),
      "lat=2,lon=3,time=4");
  EXPECT_EQ(propose_columns("116.5 39.9 2008-02-02 15:36:08\n116.5 39.8 2008-02-02 15:36:09\n"),
            "lat=2,lon=1,time=3+4");
  EXPECT_EQ(propose_columns("1,2,3\n"), "");
  EXPECT_EQ(propose_columns("1.5,2.5\n1.5\n1.5,2.5\n"), "");
  EXPECT_EQ(propose_columns("530123.5,4556123.25\n"), "");
  EXPECT_EQ(propose_columns(""), "");
}

}  // namespace
}  // namespace tsmini
