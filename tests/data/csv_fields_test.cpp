// Lines are cut into fields, eight characters at a time; here they are cut one by one.
#include "data/csv_fields.h"

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/text.h"

namespace tsmini {
namespace {

using Fields = std::vector<std::string_view>;

// The fields of a line without quotes.
Fields cut_one_by_one(std::string_view line, char separator) {
  Fields fields;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= line.size(); ++at) {
    const bool by_blanks = separator == ' ';
    const bool ends = at == line.size() || (by_blanks ? is_blank(line[at]) : line[at] == separator);
    if (!ends) continue;
    if (!by_blanks || at > begin) fields.push_back(line.substr(begin, at - begin));
    begin = at + 1;
  }
  return fields;
}

// Among digits what is one, or one bit, away from a separator, controls, and bytes above ASCII. In
// memory of its own size, so that a checker of addresses sees what is read beyond.
std::vector<char> random_line(std::mt19937_64& random, char separator) {
  constexpr std::string_view others(" \t\r!\0\x01\x1f\x7f\x80\xa0\xff", 11);
  std::vector<char> line(random() % 60);
  const std::size_t between = 2 + random() % 20;
  for (char& c : line) {
    c = '7';
    const std::size_t kind = random() % (2 * between);
    if (kind < 2) c = separator;
    if (kind == 2) c = static_cast<char>(separator ^ (1 << random() % 8));
    if (kind == 3) c = static_cast<char>(separator + (random() % 2 == 0 ? 1 : -1));
    if (kind == 4) c = others[random() % others.size()];
    if (c == '"') c = 'q';
  }
  return line;
}

TEST(CsvFields, AsCutOneByOne) {
  std::mt19937_64 random(1);
  Fields fields;
  for (const char separator : {',', ';', '\t', '|', ' '}) {
    for (int i = 0; i < 20'000; ++i) {
      const std::vector<char> memory = random_line(random, separator);
      const std::string_view line(memory.data(), memory.size());
      ASSERT_TRUE(split_fields(line, separator, fields));
      ASSERT_EQ(fields, cut_one_by_one(line, separator)) << testing::PrintToString(line);
    }
  }
}

TEST(CsvFields, QuotesAmongBlanks) {
  Fields fields;
  ASSERT_TRUE(split_fields("\t7 \"a \"\"b\"\" c\"  8\" \"\" ", ' ', fields));
  EXPECT_EQ(fields, (Fields{"7", "a \"\"b\"\" c", "8\"", ""}));
  EXPECT_FALSE(split_fields("7 \"a\"b 8", ' ', fields));
  EXPECT_FALSE(split_fields("7 \"a b", ' ', fields));
}

}  // namespace
}  // namespace tsmini
