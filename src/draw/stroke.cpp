#include "draw/stroke.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "draw/colour.h"

namespace tsmini {
namespace {

// Polylines separated by blanks, each a row of x (0 to 4) and y (0 to 6, downwards) pairs.
std::string_view strokes_of(char character) {
  switch (character) {
    case '0': return "103041453616050110";
    case '1': return "112026";
    case '2': return "01103041420646";
    case '3': return "0110304142334445361605 1333";
    case '4': return "36300444";
    case '5': return "400002324345361605";
    case '6': return "413010010516364543321203";
    case '7': return "004016";
    case '8': return "103041423313020110 1304051636454433";
    case '9': return "433414030110304145361605";
    case '.': return "1616";
    case 'k': return "0006 3204 1336";
    case 'm': return "0206 03122326 23324346";
    case 'e': return "044443321203051636";
    case '+': return "0444 2226";
    case '-': return "0444";
    default: return {};
  }
}

}  // namespace

void draw_stroke(Image& image, Pixel from, Pixel to, double thickness, const Rgb& colour) {
  const double reach = thickness / 2 + 1;
  const auto bound = [](double value, int limit) {
    return static_cast<int>(std::clamp(value, 0.0, static_cast<double>(limit)));
  };
  const int left = bound(std::min(from.x, to.x) - reach, image.width);
  const int right = bound(std::max(from.x, to.x) + reach + 1, image.width);
  const int top = bound(std::min(from.y, to.y) - reach, image.height);
  const int bottom = bound(std::max(from.y, to.y) + reach + 1, image.height);
  const double dx = to.x - from.x;
  const double dy = to.y - from.y;
  const double length2 = dx * dx + dy * dy;
  for (int y = top; y < bottom; ++y) {
    for (int x = left; x < right; ++x) {
      const double px = x + 0.5 - from.x;
      const double py = y + 0.5 - from.y;
      const double t = length2 > 0 ? std::clamp((px * dx + py * dy) / length2, 0.0, 1.0) : 0;
      const double distance = std::hypot(px - t * dx, py - t * dy);
      const double cover = std::clamp(thickness / 2 + 0.5 - distance, 0.0, 1.0);
      image.at(x, y) = blended(image.at(x, y), colour, cover);
    }
  }
}

void draw_characters(Image& image, Pixel corner, std::string_view text, double unit,
                     double thickness, const Rgb& colour) {
  for (const char character : text) {
    const std::string_view strokes = strokes_of(character);
    std::optional<Pixel> pen;
    for (std::size_t i = 0; i < strokes.size(); ++i) {
      if (strokes[i] == ' ') {
        pen.reset();
        continue;
      }
      const Pixel next{corner.x + (strokes[i] - '0') * unit,
                       corner.y + (strokes[i + 1] - '0') * unit};
      if (pen) draw_stroke(image, *pen, next, thickness, colour);
      pen = next;
      ++i;
    }
    corner.x += 6 * unit;
  }
}

}  // namespace tsmini
