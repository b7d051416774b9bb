#include "draw/map_html.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/amounts.h"
#include "base/enum_names.h"
#include "draw/html_ground.h"
#include "draw/map_colours.h"
#include "draw/map_page_html.h"
#include "draw/svg.h"
#include "draw/trip_code.h"

namespace tsmini {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_of_lines = 1'500'000;  // bytes

// Turns boxes into lengths from the origin: metres where most points are, or the unit of planar
// data.
class Lengths {
 public:
  Lengths(const MapContent& content, const TripGrid& grid)
      : origin_(grid.origin()), degrees_(content.frame.degrees()), unit_(content.frame.unit()) {
    if (content.map.shown || !degrees_) return;
    unit_ = Frame(content.summary.central, Coordinates::degrees, content.map.width).unit();
  }

  const DegreeLength& unit() const { return unit_; }

  Json of(const Frame& frame) const {
    const Box box = frame.box();
    const double lon = (box.min_lon + box.max_lon) / 2 - origin_.lon;
    const double x = (degrees_ ? wrapped_degrees(lon) : lon) * unit_.lon;
    const double half = (box.max_lon - box.min_lon) / 2 * unit_.lon;
    return {x - half, (box.min_lat - origin_.lat) * unit_.lat, x + half,
            (box.max_lat - origin_.lat) * unit_.lat};
  }

 private:
  Position origin_;
  bool degrees_;
  DegreeLength unit_;
};

Json json_of(MapStyle style, bool under_lines) {
  const PageColours& colours = page_colours(style);
  Json ground = Json::array();
  for (const Rgb& colour : ground_colours(style, under_lines)) {
    ground.push_back({colour.r, colour.g, colour.b});
  }
  return {{"page", hex_of(colours.page)},        {"map", hex_of(colours.map)},
          {"ink", hex_of(colours.ink)},          {"faint", hex_of(colours.faint_ink)},
          {"line", hex_of(colours.line) + "26"}, {"ground", std::move(ground)}};
}

Json json_of(const MapLine& line, std::size_t place, std::uint8_t tint) {
  return {{"label", label_of(line)},
          {"note", line.note},
          {"colour",
           {{"night", hex_of(line_colour(line, place, MapStyle::night))},
            {"day", hex_of(line_colour(line, place, MapStyle::day))}}},
          {"width", line.width},
          {"opacity", line.opacity},
          {"badge", line.badge},
          {"ends", line.ends},
          {"tint", tint},
          {"drawn", !line.trip.points.empty()}};
}

// The lines as codes, to the grid or as coarsely as it takes to fit.
std::string paths_of(const std::vector<MapLine>& lines, const TripGrid& grid) {
  for (std::int64_t least_move = 0;; least_move = 2 * least_move + 1) {
    TripCode code(grid);
    for (const MapLine& line : lines) {
      if (!line.trip.points.empty()) code.add(line.trip.points, least_move);
    }
    constexpr std::int64_t coarsest = std::int64_t{1} << 40;
    if (code.bytes().size() <= most_of_lines || least_move > coarsest) return code.bytes();
  }
}

std::string note_of(const MapContent& content, const HtmlGround& ground) {
  const std::string note = outside_note(content);
  std::string drawn;
  if (ground.trips_coded < ground.trips_in_frame) {
    drawn = fmt::format("a picture of {} and, zoomed in, {} of them",
                        counted(ground.trips_in_frame, "trip"), with_thousands(ground.trips_coded));
  } else if (ground.trips_in_frame < content.map.ground.size()) {
    drawn = fmt::format("drawn: the {} of {} that pass the frame",
                        with_thousands(ground.trips_in_frame),
                        counted(content.map.ground.size(), "trip"));
  }
  return note + (note.empty() || drawn.empty() ? "" : " · ") + drawn;
}

Json json_of(const MapContent& content, const TripGrid& grid, const HtmlGround& ground) {
  const Map& map = content.map;
  const Lengths lengths(content, grid);
  const auto& [unit_lon, unit_lat] = lengths.unit();
  const Headlines headlines = headlines_of(map);
  Json json = {{"title", headlines.title},
               {"subtitle", headlines.subtitle},
               {"note", note_of(content, ground)},
               {"style", name_in(map_style_names, content.style)},
               {"degrees", content.frame.degrees()},
               {"origin", {grid.origin().lon, grid.origin().lat}},
               {"unit", {unit_lon, unit_lat}},
               {"quantum", {grid.quantum() * unit_lon, grid.quantum() * unit_lat}},
               {"views", {{"whole", lengths.of(content.frame)}}},
               {"styles",
                {{"night", json_of(MapStyle::night, !map.lines.empty())},
                 {"day", json_of(MapStyle::day, !map.lines.empty())}}},
               {"lines", Json::array()},
               {"rasters", Json::array()}};
  if (content.summary.is_dwarfed) {
    const Coordinates coordinates =
        content.frame.degrees() ? Coordinates::degrees : Coordinates::planar;
    json["views"]["bulk"] = lengths.of(Frame(content.summary.central, coordinates, map.width));
  }
  for (std::size_t i = 0; i < map.lines.size(); ++i) {
    json["lines"].push_back(json_of(map.lines[i], i, content.tints.of_line(i)));
  }
  const auto link_of = [](const std::string& png) {
    return png.empty() ? std::string() : "data:image/png;base64," + base64(png);
  };
  for (const HtmlGround::Raster& raster : ground.rasters) {
    json["rasters"].push_back({{"box", lengths.of(raster.frame)},
                               {"levels", link_of(raster.levels)},
                               {"strengths", link_of(raster.strengths)},
                               {"tints", link_of(raster.tints)}});
  }
  json["paths"] = base64(paths_of(map.lines, grid));
  json["trips"] = base64(ground.trips);
  json["line_of_trip"] = base64(ground.lines);
  return json;
}

// JSON in which no tag can begin.
std::string script_text(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

void fill(std::string& page, std::string_view mark, std::string_view text) {
  page.replace(page.find(mark), mark.size(), text);
}

}  // namespace

std::string map_html(MapContent& content, const Heartbeat& heartbeat) {
  const TripGrid grid(content.extent,
                      content.frame.degrees() ? Coordinates::degrees : Coordinates::planar);
  const HtmlGround ground = html_ground(content, grid, heartbeat);
  content.summary.points_outside += ground.points_outside;
  content.summary.trips_left_out = ground.trips_in_frame - ground.trips_coded;
  std::string page(map_page_html);
  fill(page, "@page_data@", script_text(json_of(content, grid, ground)));
  fill(page, "@page_title@", escaped(headlines_of(content.map).title));
  return page;
}

}  // namespace tsmini
