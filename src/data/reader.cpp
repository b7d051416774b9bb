// Which format a file has.
#include "data/reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text.h"
#include "base/utf8.h"
#include "data/csv_columns.h"
#include "data/csv_fields.h"
#include "data/csv_header.h"
#include "data/line_reader.h"
#include "data/read_tsd.h"
#include "data/tsd_format.h"

namespace tsmini {
namespace {

// How much of a file is looked at.
constexpr std::size_t window = std::size_t{1} << 16;

bool contains_ignoring_case(std::string_view text, std::string_view wanted) {
  return lower_case(text).find(lower_case(wanted)) != std::string::npos;
}

bool is_wkt(std::string_view line) {
  const std::string lower = lower_case(line);
  constexpr std::string_view name = "linestring";  // an id may hold the word, too
  for (std::size_t at = 0; (at = lower.find(name, at)) != std::string::npos; at += name.size()) {
    const std::size_t next = lower.find_first_not_of(" \tzm", at + name.size());
    if (next == std::string::npos) return false;
    if (lower[next] == '(' || lower.compare(next, 5, "empty") == 0) return true;
  }
  return false;
}

// id TAB times TAB lon lat,… and perhaps TAB and attributes. A line of which we see only the
// beginning may break off in its times.
bool is_tsv(std::string_view line, bool is_cut) {
  const std::size_t first = line.find('\t');
  if (first == std::string_view::npos) return false;
  const std::size_t second = line.find_first_not_of("-0123456789 ", first + 1);
  if (second == std::string_view::npos) return is_cut && first + 1 < line.size();
  if (line[second] != '\t') return false;
  std::string_view points = line.substr(second + 1);
  double number = 0;
  if (!take_number(points, number) || !points.starts_with(' ')) return false;
  points.remove_prefix(1);
  return take_number(points, number) &&
         (points.empty() || points.front() == ',' || points.front() == '\t');
}

bool is_tsd(std::string_view head) {
  return head.starts_with(std::string_view(tsd::kind.magic.data(), tsd::kind.magic.size()));
}

std::string_view behind_mark(std::string_view head) {
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  return head;
}

// The first character that is no blank, of a text that is not empty.
char first_character(std::string_view text) {
  return text[std::min(text.find_first_not_of(" \t\r\n\x1e"), text.size() - 1)];
}

// Whether a file that we see all of may be GeoJSON, where every geometry has a type and
// coordinates.
bool may_be_geojson(std::string_view text) {
  return text.find("\"type\"") != std::string_view::npos ||
         text.find("\"coordinates\"") != std::string_view::npos;
}

// Whether GeoJSON is MF-JSON. The same reader takes both; only the name differs.
bool is_mfjson(std::string_view text) {
  return text.find("\"temporalGeometry\"") != std::string_view::npos ||
         text.find("\"MovingPoint\"") != std::string_view::npos;
}

bool is_gpx(std::string_view text) {
  return first_character(text) == '<' && contains_ignoring_case(text, "<gpx");
}

// A line of WKT that is no track.
bool is_other_wkt(std::string_view line) {
  const std::string lower = lower_case(line.substr(0, 60));
  const std::size_t end = lower.find_first_of(" (");
  if (end == std::string::npos || lower.find('(', end) == std::string::npos) return false;
  static constexpr std::array<std::string_view, 5> names{"point", "polygon", "multipoint",
                                                         "multipolygon", "geometrycollection"};
  return std::find(names.begin(), names.end(), std::string_view(lower).substr(0, end)) !=
         names.end();
}

bool is_tdrive(std::string_view line) {
  std::vector<std::string_view> fields;
  return split_fields(line, ',', fields) && fields.size() == 4 && integer_from(fields[0]) &&
         !number_from(fields[1]) && time_from(fields[1]) && number_from(fields[2]) &&
         number_from(fields[3]);
}

bool is_utf16(std::string_view head) {
  return head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff");
}

// Refuses what must be made text first, UTF-16 and archives; gzip is read as it is.
void refuse_no_text(const ByteSource& source, std::string_view head) {
  if (is_utf16(head)) {
    throw UnknownFormat(source.name(), "the file is UTF-16",
                        "convert it first: iconv -f utf-16 -t utf-8");
  }
  static constexpr std::pair<std::string_view, std::string_view> archives[] = {
      {"PK\x03\x04", "zip"},
      {"7z\xbc\xaf", "7z"},
      {"\x28\xb5\x2f\xfd", "zstd"},
      {"\xfd"
       "7zXZ",
       "xz"}};
  for (const auto& [magic, name] : archives) {
    if (!head.starts_with(magic)) continue;
    throw UnknownFormat(source.name(), fmt::format("the file is an archive ({})", name),
                        "unpack it first");
  }
}

// Refuses columns for what has none, as far as its first characters say what it is.
void refuse_columns_of(const ByteSource& source, std::string_view head) {
  const std::string_view text = behind_mark(head);
  std::string_view what;
  if (is_tsd(head)) {
    what = "a data set";
  } else if (text.empty()) {
    return;
  } else if (is_gpx(text)) {
    what = "GPX";
  } else if (const char start = first_character(text);
             (start == '{' || start == '[') && may_be_geojson(text)) {
    what = is_mfjson(text) ? "MF-JSON" : "GeoJSON";
  }
  if (what.empty()) return;
  throw UnknownFormat(source.name(), fmt::format("columns are for CSV, and this is {}", what),
                      "leave out `columns`");
}

// What may help, by what the file looks like.
std::string unknown_hint(std::string_view text) {
  const char separator = find_separator(text);
  std::string_view rest = text;
  const std::string_view first = take_record(rest, separator);
  if (is_other_wkt(first)) return "of WKT only LINESTRING and MULTILINESTRING are tracks";
  std::vector<std::string_view> fields;
  const bool is_table = is_utf8(first) && !first.starts_with('<') &&
                        split_fields(first, separator, fields) && fields.size() > 1;
  const auto is_number = [](std::string_view field) {
    return number_from(field) || decimal_comma_from(field, false);
  };
  const bool is_header = std::none_of(fields.begin(), fields.end(), is_number);
  if (!is_table || (is_header && separator == ' ')) {
    return "name it with `format`: porto, geolife, tdrive, csv, geojson, mfjson, gpx, wkt or tsv";
  }
  if (is_header) {
    return fmt::format(
        "if it is CSV, say which column is what: `columns=id=A,time=B,lon=C,lat=D` with names out "
        "of '{}'",
        printable(first, 120));
  }
  const std::string proposal = propose_columns(text);
  return fmt::format(
      "if it is CSV without a header, number its columns from 1: `columns={}`{}",
      proposal.empty() ? "id=1,time=2,lon=3,lat=4" : proposal,
      proposal.empty() ? "" : ", which is what its first lines look like; NAME=3 keeps another");
}

}  // namespace

Format detect_format(ByteSource& source) {
  const std::string_view head = source.peek(window);
  const auto is_empty = [&] { return UnknownFormat(source.name(), "the file is empty"); };
  if (head.empty()) throw is_empty();
  refuse_no_text(source, head);
  if (is_tsd(head)) return Format::tsd;
  std::string_view text = behind_mark(head);
  if (text.empty()) throw is_empty();
  // First of all what export writes: an id may hold anything.
  const bool is_cut = head.size() == window && text.find('\n') == std::string_view::npos;
  if (std::string_view rest = text; is_tsv(take_line(rest), is_cut)) return Format::tsv;
  if (is_exported_csv(text)) return Format::csv;
  const char start = first_character(text);
  if ((start == '{' || start == '[') && (head.size() == window || may_be_geojson(text))) {
    return is_mfjson(text) ? Format::mfjson : Format::geojson;
  }
  if (is_gpx(text)) return Format::gpx;
  text.remove_prefix(std::min(text.find_first_not_of("\r\n"), text.size()));
  const std::string_view table = text;
  std::vector<std::string_view> lines;  // the first few: the very first may be a bad record
  constexpr std::size_t enough = 16;
  while (lines.size() < enough && !text.empty()) lines.push_back(take_line(text));
  const auto any = [&](const auto& is) { return std::any_of(lines.begin(), lines.end(), is); };
  const std::string_view first = lines.empty() ? std::string_view() : lines.front();
  if (first.starts_with("Geolife trajectory")) return Format::geolife;
  if (contains_ignoring_case(first, "POLYLINE")) return Format::porto;
  if (any(is_wkt)) return Format::wkt;
  if (any([](std::string_view line) { return is_tsv(line, false); })) return Format::tsv;
  if (guess_columns(table)) return Format::csv;
  if (any(is_tdrive)) return Format::tdrive;
  const UnknownFormat unknown(source.name() + ":1",
                              fmt::format("no known format begins with '{}'", printable(first, 60)),
                              unknown_hint(table), !propose_columns(table).empty());
  if (!is_cut || !may_be_header(table)) throw UnknownFormat(unknown);
  // Last of all: what was looked at moves.
  if (guess_columns(text_with_first_line(source, longest_header))) return Format::csv;
  throw UnknownFormat(unknown);
}

Format choose_format(ByteSource& source, const ReadOptions& options) {
  Format format = options.format;
  if (format == Format::automatic && !options.columns.empty()) {
    refuse_columns_of(source, source.peek(window));
    format = Format::csv;
  }
  if (format == Format::automatic) return detect_format(source);
  const bool decodes_by_itself = format == Format::gpx || format == Format::tsd;
  if (!decodes_by_itself) refuse_no_text(source, source.peek(window));
  return format;
}

std::unique_ptr<Reader> make_reader(Format format, ByteSource& source, const ReadOptions& options) {
  switch (format) {
    case Format::automatic: return make_reader(detect_format(source), source, options);
    case Format::porto: return make_porto_reader(source, options);
    case Format::geolife: return make_geolife_reader(source, options);
    case Format::tdrive: return make_tdrive_reader(source, options);
    case Format::csv: return make_csv_reader(source, options);
    case Format::geojson:
    case Format::mfjson: return make_geojson_reader(source, options);
    case Format::gpx: return make_gpx_reader(source, options);
    case Format::wkt: return make_wkt_reader(source, options);
    case Format::tsv: return make_tsv_reader(source, options);
    case Format::tsd: return make_tsd_reader(source.name(), options);
  }
  return nullptr;
}

}  // namespace tsmini
