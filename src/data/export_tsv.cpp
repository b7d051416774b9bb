// A trajectory a line: id TAB t0 t1 … TAB lon lat,lon lat,…, and where there is a part or an
// attribute TAB and a JSON object of these. read_tsv.cpp undoes it.
#include <iterator>

#include <fmt/format.h>

#include "data/export_json.h"

namespace tsmini {
namespace {

// Escapes what ends a column or a line, and the backslash.
void append_escaped_id(TextBuffer& buffer, std::string_view id) {
  for (const char c : id) {
    switch (c) {
      case '\t': append(buffer, "\\t"); break;
      case '\n': append(buffer, "\\n"); break;
      case '\r': append(buffer, "\\r"); break;
      case '\\': append(buffer, "\\\\"); break;
      default: buffer.push_back(c);
    }
  }
}

class TsvExporter : public Exporter {
 public:
  using Exporter::Exporter;

  void begin(TextBuffer& buffer) const override {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // readers pass over one
    if (data().size() > 0 && data()[0].id.starts_with(byte_order_mark)) {
      append(buffer, byte_order_mark);
    }
  }

  void append_trip(TextBuffer& buffer, std::size_t index) override {
    const Trajectory t = data()[index];
    append_escaped_id(buffer, t.id);
    buffer.push_back('\t');
    fmt::format_to(std::back_inserter(buffer), "{}", fmt::join(t.times, " "));
    buffer.push_back('\t');
    for (std::size_t i = 0; i < t.size(); ++i) {
      if (i > 0) buffer.push_back(',');
      append_number(buffer, t.points[i].lon);
      buffer.push_back(' ');
      append_number(buffer, t.points[i].lat);
    }
    const std::size_t before = buffer.size();
    append_properties(buffer, data(), index, "\t{");
    if (buffer.size() > before) buffer.push_back('}');
    buffer.push_back('\n');
  }
};

}  // namespace

std::unique_ptr<Exporter> make_tsv_exporter(const Dataset& data) {
  return std::make_unique<TsvExporter>(data);
}

}  // namespace tsmini
