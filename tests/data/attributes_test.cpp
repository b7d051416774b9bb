// Attributes are kept: what is put into a data set comes out of it, in memory and from a file, in
// columns whose types fit all their values.
#include "tsmini/attributes.h"

#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/pick.h"

#include "support/datasets.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "support/imports.h"

namespace tsmini {
namespace {

using Values = std::vector<Attribute>;

Attribute untyped(std::string_view name, std::string_view text) {
  return {name, text, true};
}

// A trip a row, in memory and in a file, which must be alike.
Dataset with_attributes(const std::vector<Values>& rows) {
  const TemporaryFolder folder;
  DatasetBuilder builder;
  DatasetWriter writer(folder / "a.tsd");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const OwnedTrajectory trip{std::to_string(i), {{1, 2}, {3, 4}}, {}};
    builder.add(trip.view(), Part::none, rows[i]);
    writer.add(trip.view(), rows[i]);
  }
  writer.finish();
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.tsd"});
  const Dataset memory = builder.finish(), file = Dataset::open(folder / "a.tsd");
  memory.verify();
  file.verify();
  expect_same(memory, file);
  return file;
}

// "NAME TYPE: VALUE VALUE …", a line a column, with '-' for none.
std::vector<std::string> columns_in(const Dataset& data) {
  std::vector<std::string> lines;
  for (const AttributeColumn& column : data.attributes()) {
    std::string line = column.name() + " " + std::string(name_of(column.type())) + ":";
    for (std::size_t i = 0; i < data.size(); ++i) {
      line += " " + (has_value(column[i]) ? text_of(column[i]) : "-");
    }
    lines.push_back(line);
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(Attributes, NoneWhereNothingIsKnown) {
  EXPECT_TRUE(Dataset().attributes().empty());
  EXPECT_EQ(Dataset().attribute("a"), nullptr);
  EXPECT_TRUE(with_attributes({{}, {}}).attributes().empty());
  EXPECT_TRUE(with_attributes({{{"a", {}}}, {untyped("b", "")}}).attributes().empty());
}

TEST(Attributes, OfEveryType) {
  const Dataset data = with_attributes({{{"text", "a b"}, {"integer", std::int64_t{-5}}},
                                        {{"number", 1.5}, {"boolean", true}},
                                        {{"boolean", false}, {"text", ""}, {"number", 2.0}}});
  EXPECT_EQ(columns_in(data), (Lines{"text text: a b - ", "integer integer: -5 - -",
                                     "number number: - 1.5 2.0", "boolean boolean: - true false"}));
  ASSERT_NE(data.attribute("number"), nullptr);
  EXPECT_EQ(data.attribute("number")->count(), 2u);
  EXPECT_EQ((*data.attribute("number"))[1], AttributeValue(1.5));
  EXPECT_EQ(data.attribute("Number"), nullptr);
}

TEST(Attributes, TypesThatDifferMeetInOneThatFitsAll) {
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  const auto type_of = [](const AttributeValue& a, const AttributeValue& b) {
    return with_attributes({{{"a", a}}, {{"a", b}}}).attribute("a")->type();
  };
  EXPECT_EQ(type_of(std::int64_t{1}, 1.5), AttributeType::number);
  EXPECT_EQ(type_of(exact, 1.5), AttributeType::number);
  EXPECT_EQ(type_of(-exact, 1.5), AttributeType::number);
  EXPECT_EQ(type_of(exact + 1, 1.5), AttributeType::text);
  EXPECT_EQ(type_of(-exact - 1, 1.5), AttributeType::text);
  EXPECT_EQ(type_of(true, std::int64_t{1}), AttributeType::text);
  EXPECT_EQ(type_of("1", std::int64_t{1}), AttributeType::text);
  EXPECT_EQ(columns_in(with_attributes({{{"a", true}}, {{"a", 0.1}}, {{"a", "x"}}})),
            (Lines{"a text: true 0.1 x"}));
}

TEST(Attributes, TextWithoutATypeGetsOne) {
  const auto type_of = [](const std::vector<std::string>& texts) {
    std::vector<Values> rows;
    for (const std::string& text : texts) rows.push_back({untyped("a", text)});
    const Dataset data = with_attributes(rows);
    return data.attribute("a") == nullptr ? "" : name_of(data.attribute("a")->type());
  };
  for (const char* text : {"0", "-1", "12", "9223372036854775807", "-9223372036854775808"}) {
    EXPECT_EQ(type_of({text}), "integer") << text;
    EXPECT_EQ(type_of({text, "", "7"}), "integer") << text;
    EXPECT_EQ(type_of({text, "x"}), "text") << text;
  }
  for (const char* text : {"-0", "1.5", "1.50", "-0.0", "1e5", "1E-5", "1.5e+300", "1e-400"}) {
    EXPECT_EQ(type_of({text}), "number") << text;
    EXPECT_EQ(type_of({text, "3"}), "number") << text;
  }
  for (const char* text : {"007",
                           "00",
                           "-01",
                           "+5",
                           ".5",
                           "5.",
                           "1e",
                           "1e+",
                           "-",
                           "--1",
                           "inf",
                           "nan",
                           "NaN",
                           "1e400",
                           "0x10",
                           "1,5",
                           "1 ",
                           " 1",
                           "9223372036854775808",
                           "123456789012345678901234567890",
                           "yes",
                           "truee",
                           "2008-02-02",
                           "1.2.3",
                           "e5",
                           " "}) {
    EXPECT_EQ(type_of({text}), "text") << text;
  }
  for (const char* text : {"true", "false", "True", "FALSE"}) {
    EXPECT_EQ(type_of({text}), "boolean") << text;
    EXPECT_EQ(type_of({text, "1"}), "text") << text;
  }
  EXPECT_EQ(type_of({"9007199254740993", "1.5"}), "text");
  EXPECT_EQ(type_of({"9007199254740992", "1.5"}), "number");
  EXPECT_EQ(type_of({"", ""}), "");
}

TEST(Attributes, TextKeepsItsLettersWhereItIsNoNumber) {
  EXPECT_EQ(columns_in(with_attributes({{untyped("a", "1.50")}, {untyped("a", "007")}})),
            (Lines{"a text: 1.50 007"}));
  EXPECT_EQ(columns_in(with_attributes({{untyped("a", "1.50")}, {untyped("a", "7")}})),
            (Lines{"a number: 1.5 7.0"}));
  EXPECT_EQ(columns_in(with_attributes({{untyped("a", "TRUE")}, {{"a", false}}})),
            (Lines{"a boolean: true false"}));
}

TEST(Attributes, WhatIsNotFiniteIsNoValue) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(columns_in(with_attributes(
                {{{"a", infinity}}, {{"a", std::nan("")}}, {{"a", 1.5}}, {{"a", -infinity}}})),
            (Lines{"a number: - - 1.5 -"}));
}

TEST(Attributes, AreInTheOrderInWhichTheyFirstCame) {
  const Dataset data =
      with_attributes({{{"b", {}}, {"c", true}, {"never", {}}}, {{"a", "x"}, {"b", "y"}}});
  EXPECT_EQ(columns_in(data), (Lines{"b text: - y", "c boolean: true -", "a text: - x"}));
  const std::vector<std::size_t> turned{1, 0};
  EXPECT_EQ(columns_in(subset(data, turned)),
            (Lines{"b text: y -", "c boolean: - true", "a text: x -"}));
}

TEST(Attributes, OfANameThatComesTwiceTheFirstCounts) {
  EXPECT_EQ(columns_in(with_attributes({{{"a", "x"}, {"a", "y"}}, {{"a", "z"}}})),
            (Lines{"a text: x z"}));
}

TEST(Attributes, OfAnyNameAndText) {
  const std::string zero("a\0b", 3), longer(100'000, 'x');
  const Dataset data =
      with_attributes({{{"", ""}, {zero, zero}, {"\xe5\x8c\x97", "\xf0\x9f\x9a\x95"}},
                       {{longer, longer}, {"\"\n", "\t"}}});
  EXPECT_EQ((*data.attribute(""))[0], AttributeValue(""));
  EXPECT_EQ((*data.attribute(zero))[0], AttributeValue(zero));
  EXPECT_EQ((*data.attribute(longer))[1], AttributeValue(longer));
  EXPECT_EQ(data.attributes().size(), 5u);
}

TEST(Attributes, MustBeUtf8) {
  DatasetBuilder builder;
  const OwnedTrajectory trip{"trip", {{1, 2}}, {}};
  expect_error(ErrorCode::bad_input, "the attribute 'a' of trajectory 'trip' is not UTF-8", "iconv",
               [&] {
                 builder.add(trip.view(), Part::none, Values{{"a", "\xff"}});
               });
  expect_error(ErrorCode::bad_input, "is not UTF-8", "iconv", [&] {
    builder.add(trip.view(), Part::none, Values{{"\xff", 1.0}});
  });
}

TEST(Attributes, OfTooManyNames) {
  DatasetBuilder builder;
  const OwnedTrajectory trip{"trip", {{1, 2}}, {}};
  for (int i = 0; i < 1024; ++i) {
    const std::string name = "a" + std::to_string(i);
    builder.add(trip.view(), Part::none, Values{{name, std::int64_t{i}}});
  }
  expect_error(ErrorCode::bad_input, "more than 1,024 different attributes: 'b'", "", [&] {
    builder.add(trip.view(), Part::none, Values{{"b", true}});
  });
  builder.add(trip.view(), Part::none, Values{{"a7", std::int64_t{7}}});
  EXPECT_EQ(builder.finish().attributes().size(), 1024u);
}

// Against a map a row, with more values than are kept in memory, rare columns and common ones.
TEST(Attributes, ManyAtRandom) {
  std::mt19937_64 random(1);
  std::vector<std::map<std::string, std::variant<std::string, std::int64_t, double, bool>>> wanted;
  const TemporaryFolder folder;
  DatasetBuilder builder;
  DatasetWriter writer(folder / "a.tsd");
  for (int i = 0; i < 20'000; ++i) {
    auto& row = wanted.emplace_back();
    if (random() % 2 == 0)
      row["text"] = std::string(random() % 40, static_cast<char>('a' + i % 26));
    if (random() % 3 != 0) row["integer"] = static_cast<std::int64_t>(random());
    row["number"] = static_cast<double>(random()) * 1e-3;
    if (random() % 1000 == 0) row["rare"] = random() % 2 == 0;
    if (i == 12'345) row["once"] = std::string(1'000'000, 'z');
    Values values;
    for (const auto& [name, value] : row) {
      values.push_back({name, std::visit([](const auto& v) { return AttributeValue(v); }, value)});
    }
    const OwnedTrajectory trip{std::to_string(i), {{1, 2}}, {}};
    builder.add(trip.view(), Part::none, values);
    writer.add(trip.view(), values);
  }
  writer.finish();
  for (const Dataset& data : {builder.finish(), Dataset::open(folder / "a.tsd")}) {
    data.verify();
    ASSERT_EQ(data.attributes().size(), 5u);
    std::size_t found = 0;
    for (const AttributeColumn& column : data.attributes()) {
      for (std::size_t i = 0; i < data.size(); ++i) {
        const auto value = wanted[i].find(column.name());
        ASSERT_EQ(has_value(column[i]), value != wanted[i].end()) << column.name() << ' ' << i;
        if (value == wanted[i].end()) continue;
        ++found;
        ASSERT_EQ(std::visit([](const auto& v) { return AttributeValue(v); }, value->second),
                  column[i]);
      }
    }
    std::size_t all = 0;
    for (const auto& row : wanted) all += row.size();
    EXPECT_EQ(found, all);
  }
}

TEST(Attributes, OfEveryNumberOfRows) {
  for (std::size_t rows = 1; rows < 70; ++rows) {
    std::vector<Values> values(rows);
    values.back() = {{"a", true}, {"b", "x"}};
    values.front().push_back({"c", std::int64_t{1}});
    const Dataset data = with_attributes(values);
    EXPECT_EQ((*data.attribute("a"))[rows - 1], AttributeValue(true));
    EXPECT_EQ((*data.attribute("b"))[rows - 1], AttributeValue("x"));
    EXPECT_EQ((*data.attribute("c"))[0], AttributeValue(std::int64_t{1}));
  }
}

TEST(Attributes, AreFoundByManyThreadsAtOnce) {
  const TemporaryFolder folder;
  DatasetWriter writer(folder / "a.tsd");
  for (int i = 0; i < 1000; ++i) {
    const OwnedTrajectory trip{std::to_string(i), {{1, 2}}, {}};
    writer.add(trip.view(), Values{{"a", std::int64_t{i}}});
  }
  writer.finish();
  const Dataset data = Dataset::open(folder / "a.tsd");
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (std::size_t i = 0; i < data.size(); ++i) {
        ASSERT_EQ((*data.attribute("a"))[i], AttributeValue(static_cast<std::int64_t>(i)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Attributes, StayThroughAnImportOfATsd) {
  const TemporaryFolder folder;
  DatasetWriter writer(folder / "a.tsd");
  const auto add = [&](const OwnedTrajectory& trip, const Values& values) {
    writer.add(trip.view(), values);
  };
  add({"a", {{1, 2}, {3, 4}}, {}}, {{"n", "007"}, {"later", {}}});
  add({"short", {{1, 2}}, {}}, {{"n", "x"}, {"only here", true}});
  add({"c", {{5, 6}, {7, 8}}, {}}, {{"later", 1.0}});
  writer.finish();
  import_files({folder / "a.tsd"}, folder / "b.tsd", {});
  const Dataset data = Dataset::open(folder / "b.tsd");
  EXPECT_EQ(columns_in(data), (Lines{"n text: 007 -", "later number: - 1.0"}));
  ImportOptions options;
  options.sample = 2;
  import_files({folder / "a.tsd"}, folder / "c.tsd", options);
  EXPECT_EQ(columns_in(Dataset::open(folder / "c.tsd")), columns_in(data));
}

}  // namespace
}  // namespace tsmini
