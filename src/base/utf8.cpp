#include "base/utf8.h"

#include <algorithm>
#include <array>
#include <span>

#include <simdjson.h>

namespace tsmini {
namespace {

struct Range {
  char32_t first = 0, last = 0;
};

// Controls, and those of the format characters that change what is seen of others: direction,
// invisible separators, tags. Joiners, which some scripts cannot do without, are not among them.
constexpr std::array<Range, 11> obeyed{{{0x00, 0x1f},
                                        {0x7f, 0x9f},
                                        {0xad, 0xad},
                                        {0x61c, 0x61c},
                                        {0x180e, 0x180e},
                                        {0x200b, 0x200b},
                                        {0x200e, 0x200f},
                                        {0x2028, 0x202e},
                                        {0x2060, 0x206f},
                                        {0xfeff, 0xfeff},
                                        {0xfff9, 0xfffb}}};
constexpr Range tags{0xe0000, 0xe0fff};

constexpr std::array<Range, 14> wide{{{0x1100, 0x115f},
                                      {0x2329, 0x232a},
                                      {0x2e80, 0x303e},
                                      {0x3041, 0xa4cf},
                                      {0xac00, 0xd7a3},
                                      {0xf900, 0xfaff},
                                      {0xfe10, 0xfe19},
                                      {0xfe30, 0xfe6f},
                                      {0xff00, 0xff60},
                                      {0xffe0, 0xffe6},
                                      {0x1f300, 0x1f64f},
                                      {0x1f680, 0x1f6ff},
                                      {0x1f900, 0x1f9ff},
                                      {0x20000, 0x3fffd}}};

constexpr std::array<Range, 12> set_on_another{{{0x300, 0x36f},
                                                {0x483, 0x489},
                                                {0x591, 0x5bd},
                                                {0x64b, 0x65f},
                                                {0x93c, 0x93c},
                                                {0x94d, 0x94d},
                                                {0x1ab0, 0x1aff},
                                                {0x1dc0, 0x1dff},
                                                {0x200c, 0x200d},
                                                {0x20d0, 0x20ff},
                                                {0xfe00, 0xfe0f},
                                                {0xfe20, 0xfe2f}}};

bool is_in(std::span<const Range> ranges, char32_t character) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const Range& range) {
    return character >= range.first && character <= range.last;
  });
}

bool is_shown(char32_t character) {
  return character != no_character && !is_in(obeyed, character) && !is_in({&tags, 1}, character);
}

// How many bytes the character at the front has; 0 where it is none. (simdjson says of a whole text
// whether it is UTF-8, not where it is not.)
std::size_t utf8_size(std::string_view text) {
  const auto byte = [&](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u;
  };
  const auto follows = [&](std::size_t k) { return (byte(k) & 0xc0u) == 0x80u; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf && follows(1)) return 2;
  if ((first & 0xf0u) == 0xe0 && follows(1) && follows(2) && !(first == 0xe0 && byte(1) < 0xa0) &&
      !(first == 0xed && byte(1) >= 0xa0)) {
    return 3;
  }
  if (first >= 0xf0 && first <= 0xf4 && follows(1) && follows(2) && follows(3) &&
      !(first == 0xf0 && byte(1) < 0x90) && !(first == 0xf4 && byte(1) >= 0x90)) {
    return 4;
  }
  return 0;
}

// Takes the character at the front of `text`, and appends it or what stands for it.
void append_visible(std::string& result, std::string_view& text) {
  const std::string_view before = text;
  const bool shown = is_shown(take_character(text));
  result += shown ? before.substr(0, before.size() - text.size()) : std::string_view("?");
}

}  // namespace

bool is_utf8(std::string_view text) {
  return simdjson::validate_utf8(text);
}

std::string as_utf8(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t size = utf8_size(text);
    result += size == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(0, size);
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return result;
}

char32_t take_character(std::string_view& text) {
  const std::size_t size = utf8_size(text);
  const auto first = static_cast<unsigned char>(text.front());
  char32_t character = size == 1 ? first : first & (0xffu >> (size + 1));
  for (std::size_t k = 1; k < size; ++k) {
    character = character << 6 | (static_cast<unsigned char>(text[k]) & 0x3fu);
  }
  text.remove_prefix(std::max<std::size_t>(size, 1));
  return size == 0 ? no_character : character;
}

std::string visible(std::string_view text) {
  std::string result;
  while (!text.empty()) append_visible(result, text);
  return result;
}

std::string printable(std::string_view text, std::size_t limit) {
  std::string result;
  for (std::size_t i = 0; i < limit && !text.empty(); ++i) append_visible(result, text);
  std::replace(result.begin(), result.end(), '`', '\'');
  if (!text.empty()) result += "...";
  return result;
}

std::size_t text_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const char32_t character = take_character(text);
    if (is_in(set_on_another, character)) continue;
    width += 1 + static_cast<std::size_t>(is_in(wide, character));
  }
  return width;
}

std::string to_the_right(std::string_view text, std::size_t width) {
  const std::size_t taken = text_width(text);
  return std::string(width - std::min(width, taken), ' ').append(text);
}

std::string to_the_left(std::string_view text, std::size_t width) {
  const std::size_t taken = text_width(text);
  return std::string(text).append(width - std::min(width, taken), ' ');
}

}  // namespace tsmini
