// Characters of UTF-8: which bytes they are, what of them a message may show, and the room that
// they take on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tsmini {

bool is_utf8(std::string_view text);
// The text with U+FFFD in place of every byte that is not UTF-8.
std::string as_utf8(std::string_view text);

// The text with '?' for what is not UTF-8 and for what is not seen but obeyed: controls, also those
// of direction. So no file can garble a terminal.
std::string visible(std::string_view text);
// At most `limit` characters of a value for a message, visible, and with a plain quote for a
// backtick: in backticks messages name settings (tsmini/error.h).
std::string printable(std::string_view text, std::size_t limit = 40);

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
