#include "draw/svg_surface.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/enum_names.h"
#include "draw/colour.h"
#include "draw/png.h"

namespace tsmini {
namespace {

constexpr std::string_view fonts = "Inter, 'Helvetica Neue', Helvetica, Arial, sans-serif";

std::string path_data(const Path& path) {
  std::string text;
  for (const std::vector<Pixel>& line : path) {
    char command = 'M';
    for (const Pixel& p : line) {
      text += fmt::format("{}{:.1f} {:.1f}", command, p.x, p.y);
      command = 'L';
    }
    if (line.size() == 1) text += "h0";  // with its round caps a dot
  }
  return text;
}

constexpr std::array<std::string_view, 3> anchor_names{"start", "middle", "end"};

}  // namespace

SvgSurface::SvgSurface(double width, double height, double scale) : svg_(width, height, scale) {
  svg_.open("g", {{"font-family", fonts}});
}

std::string SvgSurface::new_id() {
  return fmt::format("part{}", ++ids_);
}

void SvgSurface::fill(const Place& place, const Rgb& colour) {
  svg_.leaf("rect", {{"x", place.x},
                     {"y", place.y},
                     {"width", place.width},
                     {"height", place.height},
                     {"fill", hex_of(colour)}});
}

void SvgSurface::picture(const Place& place, const Image& image) {
  svg_.leaf("image", {{"x", place.x},
                      {"y", place.y},
                      {"width", place.width},
                      {"height", place.height},
                      {"preserveAspectRatio", "none"},
                      {"href", "data:image/png;base64," + base64(png_from(image))}});
}

void SvgSurface::gradient(const Place& place, std::span<const Rgb> colours) {
  const std::string id = new_id();
  svg_.open("linearGradient", {{"id", id}});
  for (std::size_t i = 0; i < colours.size(); ++i) {
    const double offset = static_cast<double>(i) / static_cast<double>(colours.size() - 1);
    svg_.leaf("stop", {{"offset", offset}, {"stop-color", hex_of(colours[i])}});
  }
  svg_.close();
  svg_.leaf("rect", {{"x", place.x},
                     {"y", place.y},
                     {"width", place.width},
                     {"height", place.height},
                     {"fill", "url(#" + id + ")"}});
}

void SvgSurface::stroke(const Path& path, const Pen& pen) {
  if (path.empty()) return;
  svg_.leaf("path", {{"d", path_data(path)},
                     {"fill", "none"},
                     {"stroke", hex_of(pen.colour)},
                     {"stroke-width", pen.width},
                     {"stroke-opacity", pen.opacity},
                     {"stroke-linecap", "round"},
                     {"stroke-linejoin", "round"}});
}

void SvgSurface::disc(Pixel centre, double radius, const Rgb& colour) {
  svg_.leaf("circle",
            {{"cx", centre.x}, {"cy", centre.y}, {"r", radius}, {"fill", hex_of(colour)}});
}

void SvgSurface::text(Pixel at, std::string_view content, const Lettering& lettering) {
  const bool haloed = lettering.halo.has_value();
  svg_.text(at.x, at.y, content,
            {{"font-size", lettering.size},
             {"font-weight", lettering.bold ? 600.0 : 400.0},
             {"fill", hex_of(lettering.colour)},
             {"text-anchor", name_in(anchor_names, lettering.anchor)},
             {"stroke", haloed ? hex_of(*lettering.halo) : "none"},
             {"stroke-width", haloed ? 4.0 : 0.0},
             {"paint-order", "stroke"}});
}

void SvgSurface::clip(const Place& place) {
  const std::string id = new_id();
  svg_.open("clipPath", {{"id", id}});
  fill(place, {});
  svg_.close();
  svg_.open("g", {{"clip-path", "url(#" + id + ")"}});
}

void SvgSurface::unclip() {
  svg_.close();
}

std::string SvgSurface::finish() {
  return std::move(svg_).finish();
}

}  // namespace tsmini
