// GPX 1.1: a track of one segment a trajectory. Its part and attributes are extensions,
// <tsmini:attribute name="…" type="…">, which read_gpx.cpp takes again. The first track names all
// attributes, so that they come back in their order.
#include <array>
#include <charconv>
#include <string>

#include <fmt/format.h>

#include "base/text.h"
#include "data/exporter.h"
#include "data/part_attribute.h"

namespace tsmini {
namespace {

// Appends the value without an exponent, which an xsd:decimal must not have.
void append_decimal(TextBuffer& buffer, double value) {
  std::array<char, 512> text{};
  const char* const end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed).ptr;
  buffer.append(text.data(), end);
}

// XML 1.0 has no way to write most control characters and two others.
bool is_in_xml(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') return false;
  }
  return text.find("\xef\xbf\xbe") == std::string_view::npos &&
         text.find("\xef\xbf\xbf") == std::string_view::npos;
}

// Line breaks and tabs by number, since parsers make others of them.
void append_escaped(TextBuffer& buffer, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '&': append(buffer, "&amp;"); break;
      case '<': append(buffer, "&lt;"); break;
      case '>': append(buffer, "&gt;"); break;
      case '"': append(buffer, "&quot;"); break;
      case '\t': append(buffer, "&#9;"); break;
      case '\n': append(buffer, "&#10;"); break;
      case '\r': append(buffer, "&#13;"); break;
      default: buffer.push_back(c);
    }
  }
}

class GpxExporter : public Exporter {
 public:
  explicit GpxExporter(const Dataset& data) : Exporter(data) { check_degrees(data, "GPX"); }

  void begin(TextBuffer& buffer) const override {
    append(buffer,
           "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<gpx version=\"1.1\" creator=\"tsmini\" xmlns=\"http://www.topografix.com/GPX/1/1\" "
           "xmlns:tsmini=\"urn:tsmini\">\n");
  }

  void append_trip(TextBuffer& buffer, std::size_t index) override {
    const Trajectory t = data()[index];
    check(t);
    append(buffer, "<trk><name>");
    append_escaped(buffer, t.id);
    append(buffer, "</name>");
    append_extensions(buffer, t, index);
    append(buffer, "<trkseg>\n");
    for (std::size_t i = 0; i < t.size(); ++i) {
      append(buffer, "<trkpt lat=\"");
      append_decimal(buffer, t.points[i].lat);
      append(buffer, "\" lon=\"");
      append_decimal(buffer, t.points[i].lon);
      append(buffer, t.has_times() ? "\"><time>" : "\"/>\n");
      if (!t.has_times()) continue;
      append(buffer, iso_time(t.times[i]));
      append(buffer, "</time></trkpt>\n");
    }
    append(buffer, "</trkseg></trk>\n");
  }

  void end(TextBuffer& buffer) const override { append(buffer, "</gpx>\n"); }

  bool has_records() const override { return false; }

 private:
  static constexpr const char* other_formats = "choose tsv, csv or geojson";

  static void check(const Trajectory& t) {
    check_dates(t);
    if (!is_in_xml(t.id)) {
      refuse_trip(t, "has a character in its id that XML cannot hold", other_formats);
    }
    constexpr std::string_view blanks = " \t\r\n";
    if (!t.id.empty() && (blanks.find(t.id.front()) != std::string_view::npos ||
                          blanks.find(t.id.back()) != std::string_view::npos)) {
      refuse_trip(t, "has a blank at an end of its id, which readers of GPX take off",
                  other_formats);
    }
  }

  void append_extensions(TextBuffer& buffer, const Trajectory& t, std::size_t index) const {
    const std::size_t before = buffer.size();
    append(buffer, "<extensions>");
    const std::size_t begin = buffer.size();
    if (data().part(index) != Part::none) {
      append_attribute(buffer, part_attribute, "text", name_of(data().part(index)));
    }
    for (const AttributeColumn& column : data().attributes()) {
      const AttributeValue value = column[index];
      if (!has_value(value) && index > 0) continue;
      const std::string text = text_of(value);
      if (!is_in_xml(column.name()) || !is_in_xml(text)) {
        refuse_trip(t, "has a character in an attribute that XML cannot hold", other_formats);
      }
      append_attribute(buffer, column.name(), has_value(value) ? name_of(column.type()) : "", text);
    }
    if (buffer.size() == begin) return buffer.resize(before);
    append(buffer, "</extensions>");
  }

  static void append_attribute(TextBuffer& buffer, std::string_view name, std::string_view type,
                               std::string_view text) {
    append(buffer, "<tsmini:attribute name=\"");
    append_escaped(buffer, name);
    if (!type.empty()) append(buffer, fmt::format("\" type=\"{}", type));
    append(buffer, "\">");
    append_escaped(buffer, text);
    append(buffer, "</tsmini:attribute>");
  }
};

}  // namespace

std::unique_ptr<Exporter> make_gpx_exporter(const Dataset& data) {
  return std::make_unique<GpxExporter>(data);
}

}  // namespace tsmini
