// A trajectory per line: id TAB t0 t1 … TAB lon lat,lon lat,… The times may be absent. A fourth
// column, where there is one, is a JSON object of attributes. In the id \t, \n, \r and \\ stand for
// a tab, a line feed, a carriage return and a backslash; any other backslash is one.
#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <simdjson.h>

#include "base/text.h"
#include "base/utf8.h"
#include "data/json_properties.h"
#include "data/line_reader.h"
#include "data/tsd_format.h"

namespace tsmini {
namespace {

class TsvReader : public LineReader {
 public:
  TsvReader(ByteSource& source, const ReadOptions& options) : LineReader(source, options, 0) {}

 private:
  void parse_line(std::string_view line, std::uint64_t number,
                  TrackBuilder& builder) const override {
    builder.begin(number);
    const std::size_t first = line.find('\t');
    const std::size_t second = first == std::string_view::npos ? first : line.find('\t', first + 1);
    if (second == std::string_view::npos) {
      return builder.reject("the line does not have three columns: id, times, points",
                            "columns are separated by one tab each; times may be empty");
    }
    const std::string_view times = line.substr(first + 1, second - first - 1);
    const std::size_t third = std::min(line.find('\t', second + 1), line.size());
    const std::string_view points = line.substr(second + 1, third - second - 1);
    if (!parse_points(points, builder) || !parse_times(times, builder)) return;
    if (third < line.size() && !parse_attributes(line.substr(third + 1), builder)) return;
    const std::string_view id = line.substr(0, first);
    if (id.find('\\') == std::string_view::npos) return builder.end(id);
    builder.end(unescaped(id));
  }

  static std::string unescaped(std::string_view id) {
    std::string result;
    for (std::size_t i = 0; i < id.size(); ++i) {
      constexpr std::string_view written = "tnr\\", meant = "\t\n\r\\";
      const std::size_t which =
          id[i] == '\\' && i + 1 < id.size() ? written.find(id[i + 1]) : std::string_view::npos;
      if (which == std::string_view::npos) {
        result += id[i];
      } else {
        result += meant[which];
        ++i;
      }
    }
    return result;
  }

  static bool parse_points(std::string_view text, TrackBuilder& builder) {
    if (trimmed(text).empty()) return true;
    for (;;) {
      const std::string_view here = text;
      double lon = 0, lat = 0;
      const bool good = take_number(text, lon) && take_blank(text) && take_number(text, lat) &&
                        (text.empty() || text.front() == ',');
      if (!good) {
        builder.reject(fmt::format("'{}' is not a point: lon lat", printable(here, 24)));
        return false;
      }
      if (!builder.add(lon, lat)) return false;
      if (text.empty()) return true;
      text.remove_prefix(1);
    }
  }

  static bool take_blank(std::string_view& text) {
    if (!text.starts_with(' ')) return false;
    text.remove_prefix(1);
    return true;
  }

  static bool parse_times(std::string_view text, TrackBuilder& builder) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(' '), text.size());
      const auto time = integer_from(text.substr(0, end));
      if (!time || *time == tsd::no_time) {
        builder.reject(
            fmt::format("'{}' is not a time in unix seconds", printable(text.substr(0, end))));
        return false;
      }
      builder.add_time(*time);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return true;
  }

  static bool parse_attributes(std::string_view text, TrackBuilder& builder) {
    thread_local simdjson::ondemand::parser parser;
    thread_local JsonProperties properties;
    properties.clear();
    try {
      const simdjson::padded_string padded(text);
      simdjson::ondemand::document document = parser.iterate(padded);
      properties.add_all(document.get_object());
      if (document.current_location().error() == simdjson::SUCCESS) {  // something is left
        throw simdjson::simdjson_error(simdjson::TRAILING_CONTENT);
      }
    } catch (const simdjson::simdjson_error&) {
      builder.reject(
          fmt::format("'{}' in the fourth column is not a JSON object", printable(text, 24)));
      return false;
    }
    properties.add_to(builder);
    return true;
  }
};

}  // namespace

std::unique_ptr<Reader> make_tsv_reader(ByteSource& source, const ReadOptions& options) {
  return std::make_unique<TsvReader>(source, options);
}

}  // namespace tsmini
