#include "base/enum_names.h"

#include <array>

#include <gtest/gtest.h>

#include "support/error_expectation.h"

namespace tsmini {
namespace {

enum class Colour { red, green, blue };
constexpr std::array<std::string_view, 3> colour_names{"red", "green", "blue"};

TEST(EnumNames, OneTableReadsAndPrints) {
  EXPECT_EQ(name_in(colour_names, Colour::blue), "blue");
  EXPECT_EQ(value_in<Colour>(colour_names, "green"), Colour::green);
  EXPECT_EQ(value_in<Colour>(colour_names, "Green"), std::nullopt);
  EXPECT_EQ(named<Colour>(colour_names, "red", "colour"), Colour::red);
  expect_error(ErrorCode::usage, "unknown colour 'pink'", "it must be one of red, green, blue",
               [] { named<Colour>(colour_names, "pink", "colour"); });
}

TEST(EnumNames, AreListed) {
  EXPECT_EQ(listed(colour_names, "or"), "red, green or blue");
  EXPECT_EQ(listed(NameList(colour_names).first(2), "and"), "red and green");
  struct Row {
    std::string_view name;
    int more;
  };
  const std::vector<std::string_view> names{"sun", "moon"};
  EXPECT_EQ(names_of(std::array<Row, 2>{{{"sun", 1}, {"moon", 2}}}, &Row::name), names);
}

}  // namespace
}  // namespace tsmini
