// Characters of UTF-8, one by one, and the room they take on a terminal. (What is UTF-8 at all, and
// what a message may show, is asked with base/text.h.)
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tsmini {

// What take_character() gives for a byte that is not UTF-8.
inline constexpr char32_t no_character = 0xffffffff;

// The character at the front of `text`, which is not empty and moves behind it; behind one byte
// where that is none.
char32_t take_character(std::string_view& text);

// Whether it is no continuation of the character before.
inline bool begins_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u;
}

// How many columns a text takes where letters are all of one width: two for the characters of East
// Asia and for pictures, none for marks that are set on the character before.
std::size_t text_width(std::string_view text);

// The text with blanks in front of it or behind it, so that it takes `width` columns.
std::string to_the_right(std::string_view text, std::size_t width);
std::string to_the_left(std::string_view text, std::size_t width);

}  // namespace tsmini
