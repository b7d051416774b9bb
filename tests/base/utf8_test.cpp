#include "base/utf8.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace tsmini {
namespace {

TEST(Utf8, CharactersOneByOne) {
  std::string_view text = "aé東😀\xff!";
  EXPECT_EQ(take_character(text), U'a');
  EXPECT_EQ(take_character(text), U'é');
  EXPECT_EQ(take_character(text), U'東');
  EXPECT_EQ(take_character(text), U'😀');
  EXPECT_EQ(take_character(text), no_character);
  EXPECT_EQ(take_character(text), U'!');
  EXPECT_TRUE(text.empty());
}

TEST(Utf8, WidthOnATerminal) {
  EXPECT_EQ(text_width(""), 0u);
  EXPECT_EQ(text_width("trip"), 4u);
  EXPECT_EQ(text_width("Łódź"), 4u);
  EXPECT_EQ(text_width("e\u0301"), 1u) << "an accent of its own";
  EXPECT_EQ(text_width("東京"), 4u);
  EXPECT_EQ(text_width("한국"), 4u);
  EXPECT_EQ(text_width("😀"), 2u);
  EXPECT_EQ(text_width("≈ 5"), 3u);
}

TEST(Utf8, BlanksFillAColumn) {
  EXPECT_EQ(to_the_left("Łódź", 6) + "|", "Łódź  |");
  EXPECT_EQ(to_the_right("東京", 6), "  東京");
  EXPECT_EQ(to_the_right("longer", 3), "longer");
  EXPECT_EQ(to_the_left("longer", 3), "longer");
}

}  // namespace
}  // namespace tsmini
