#include "draw/svg.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "base/utf8.h"

namespace tsmini {
namespace {

std::string number_text(double number) {
  std::string text = fmt::format("{:.2f}", number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

// Whether a character may stand in XML. Controls may not, though XML has some: the end of a line,
// say.
bool is_for_xml(char32_t character) {
  return character >= ' ' && character != 0x7f && character != 0xfffe && character != 0xffff &&
         character != no_character;
}

}  // namespace

Svg::Attribute::Attribute(std::string_view attribute_name, std::string_view text)
    : name(attribute_name), value(escaped(text)) {}

Svg::Attribute::Attribute(std::string_view attribute_name, double number)
    : name(attribute_name), value(number_text(number)) {}

Svg::Svg(double width, double height, double scale) {
  out_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  open("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
               {"width", width * scale},
               {"height", height * scale},
               {"viewBox", "0 0 " + number_text(width) + " " + number_text(height)}});
}

void Svg::begin_tag(std::string_view element, Attributes attributes) {
  out_ += '<';
  out_ += element;
  for (const Attribute& attribute : attributes) {
    out_ += fmt::format(" {}=\"{}\"", attribute.name, attribute.value);
  }
}

void Svg::open(std::string_view element, Attributes attributes) {
  begin_tag(element, attributes);
  out_ += ">\n";
  open_.emplace_back(element);
}

void Svg::close() {
  out_ += fmt::format("</{}>\n", open_.back());
  open_.pop_back();
}

void Svg::leaf(std::string_view element, Attributes attributes) {
  begin_tag(element, attributes);
  out_ += "/>\n";
}

void Svg::text(double x, double y, std::string_view content, Attributes attributes) {
  begin_tag("text", attributes);
  out_ += fmt::format(" x=\"{}\" y=\"{}\">{}</text>\n", number_text(x), number_text(y),
                      escaped(content));
}

std::string Svg::finish() && {
  while (!open_.empty()) close();
  return std::move(out_);
}

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t character = take_character(text);
    const std::string_view bytes = before.substr(0, before.size() - text.size());
    switch (character) {
      case U'&': out += "&amp;"; break;
      case U'<': out += "&lt;"; break;
      case U'>': out += "&gt;"; break;
      case U'"': out += "&quot;"; break;
      default: out += is_for_xml(character) ? bytes : "?";
    }
  }
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = bytes.size() - i < 3 ? bytes.size() - i : 3;
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += k <= count ? digits[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return out;
}

}  // namespace tsmini
