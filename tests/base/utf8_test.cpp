#include "base/utf8.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace tsmini {
namespace {

using namespace std::string_view_literals;

// By the definition: decodes, and compares with the shortest form of what it decoded.
bool is_utf8_slowly(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t size = first < 0x80   ? 1
                             : first < 0xc0 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf8 ? 4
                                            : 0;
    if (size == 0 || i + size > text.size()) return false;
    unsigned code = size == 1 ? first : first & (0xffu >> (size + 1));
    for (std::size_t k = 1; k < size; ++k) {
      const auto byte = static_cast<unsigned char>(text[i + k]);
      if ((byte & 0xc0u) != 0x80u) return false;
      code = code << 6 | (byte & 0x3fu);
    }
    const unsigned least = size == 1 ? 0 : size == 2 ? 0x80 : size == 3 ? 0x800 : 0x10000;
    if (code < least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return false;
    i += size;
  }
  return true;
}

TEST(IsUtf8, Table) {
  for (const std::string_view good :
       {""sv, "abc"sv, "\0"sv, "\x7f"sv, "\xc2\x80"sv, "\xdf\xbf"sv, "\xe0\xa0\x80"sv,
        "\xed\x9f\xbf"sv, "\xee\x80\x80"sv, "\xef\xbf\xbf"sv, "\xf0\x90\x80\x80"sv,
        "\xf4\x8f\xbf\xbf"sv, "Trip \xe2\x86\x92 \xf0\x9f\x9a\x95"sv}) {
    EXPECT_TRUE(is_utf8(good)) << printable(good);
  }
  for (const std::string_view bad : {"\x80"sv,
                                     "\xbf"sv,
                                     "\xc0\x80"sv,
                                     "\xc1\xbf"sv,
                                     "\xc2"sv,
                                     "\xc2 "sv,
                                     "\xe0\x80\x80"sv,
                                     "\xe0\x9f\xbf"sv,
                                     "\xed\xa0\x80"sv,
                                     "\xed\xbf\xbf"sv,
                                     "\xe2\x86"sv,
                                     "\xf0\x80\x80\x80"sv,
                                     "\xf0\x8f\xbf\xbf"sv,
                                     "\xf4\x90\x80\x80"sv,
                                     "\xf5\x80\x80\x80"sv,
                                     "\xf8\x88\x80\x80\x80"sv,
                                     "\xff"sv,
                                     "\xfe"sv,
                                     "caf\xe9"sv,
                                     "ok\xf0\x9f\x9a"sv}) {
    EXPECT_FALSE(is_utf8(bad)) << printable(bad);
  }
}

TEST(IsUtf8, AgreesWithTheDefinitionOnEveryThreeBytes) {
  std::string text(3, '\0');
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      for (const int c : {0x00, 0x41, 0x7f, 0x80, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xff}) {
        text[0] = static_cast<char>(a);
        text[1] = static_cast<char>(b);
        text[2] = static_cast<char>(c);
        ASSERT_EQ(is_utf8(text), is_utf8_slowly(text)) << a << ' ' << b << ' ' << c;
      }
    }
  }
}

TEST(IsUtf8, AgreesWithTheDefinitionOnFourBytes) {
  std::string text(4, '\0');
  for (int a = 0xe0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      for (const char c : {'\x7f', '\x80', '\xbf', '\xc0'}) {
        for (const char d : {'A', '\x80', '\xbf', '\xff'}) {
          text = {static_cast<char>(a), static_cast<char>(b), c, d};
          ASSERT_EQ(is_utf8(text), is_utf8_slowly(text)) << a << ' ' << b;
        }
      }
    }
  }
}

TEST(Printable, ShowsNothingThatATerminalObeys) {
  EXPECT_EQ(printable("abc"), "abc");
  EXPECT_EQ(printable("a\x1b[31m\n\t"), "a?[31m??");
  EXPECT_EQ(printable("caf\xc3"), "caf?");
  EXPECT_EQ(printable("\xff\xfei"), "??i");
  EXPECT_EQ(printable("\x7f"), "?");
  EXPECT_EQ(printable("\0x"sv), "?x");
  EXPECT_EQ(printable("abcdef", 3), "abc...");
  EXPECT_EQ(printable("abc", 3), "abc");
  EXPECT_EQ(printable(std::string(100, 'x')), std::string(40, 'x') + "...");
}

TEST(Printable, HasNoBackticksWhichNameSettings) {
  EXPECT_EQ(printable("`threads`"), "'threads'");
  EXPECT_EQ(visible("`threads`\n\xff"), "`threads`??") << "all else is as it stands";
  EXPECT_EQ(visible(std::string(100, 'x')), std::string(100, 'x'));
}

TEST(Printable, ShowsTextOfAnyScript) {
  for (const char* text :
       {"café", "Łódź", "Αθήνα", "東京", "نیم‌فاصله", "😀", "क्‍ष"}) {
    EXPECT_EQ(printable(text), text);
  }
  EXPECT_EQ(printable("東京都庁", 2), "東京...");
  EXPECT_EQ(printable("東京", 2), "東京");
}

TEST(Printable, TurnsNoTextRound) {
  EXPECT_EQ(printable("a\u202egpj.exe"), "a?gpj.exe");
  EXPECT_EQ(printable("\u2066x\u2069\u200f\u061c\ufeff\u200b\u00ad\u2028"), "?x???????");
  EXPECT_EQ(printable("\u0085\u009b31m"), "??31m");
  EXPECT_EQ(printable("\U000e0041"), "?");
}

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
