// Builds the text of an SVG picture, element by element.
//
//   Svg svg(400, 300);
//   svg.leaf("rect", {{"width", 400}, {"height", 300}, {"fill", "#123"}});
//   svg.open("g", {{"font-size", 12}});
//   svg.text(20, 30, "Müller & Söhne <1 km>", {{"text-anchor", "middle"}});
//   svg.close();
//   std::string file = std::move(svg).finish();
//
// Texts and attribute values are escaped here, and only here; control characters, what else XML
// forbids, and bytes that are not UTF-8 become '?'. Numbers are written with at most two decimals,
// whatever the locale.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tsmini {

class Svg {
 public:
  struct Attribute {
    Attribute(std::string_view attribute_name, std::string_view text);
    Attribute(std::string_view attribute_name, double number);

    std::string_view name;
    std::string value;
  };
  using Attributes = std::initializer_list<Attribute>;

  // Size in units, of so many pixels.
  Svg(double width, double height, double scale = 1);

  void open(std::string_view element, Attributes attributes);
  void close();
  void leaf(std::string_view element, Attributes attributes);
  void text(double x, double y, std::string_view content, Attributes attributes);

  // The whole file. Elements still open are closed.
  std::string finish() &&;

 private:
  void begin_tag(std::string_view element, Attributes attributes);

  std::string out_;
  std::vector<std::string> open_;
};

// The text as it stands in texts and attribute values of XML and HTML.
std::string escaped(std::string_view text);

// The bytes in base64, as data URIs have them.
std::string base64(std::string_view bytes);

}  // namespace tsmini
