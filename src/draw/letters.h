// Letters made of strokes, for pictures, which have no font.
//
// Printable ASCII and the signs that maps use (° · … ≈ × ± − – — →). Latin letters with accents
// lose these, other characters become a box, and what is no character a question mark.
//
//   double x = middle - letters_width("20 km", 12) / 2;
//   for (const Segment& s : letter_strokes("20 km", {x, y}, 12)) stroker.add(s.from, s.to, 1.2);
#pragma once

#include <string_view>
#include <vector>

#include "draw/clip.h"
#include "draw/image.h"

namespace tsmini {

// The width of UTF-8 text, in pixels; `size` is that of a font, whose capitals are 0.72 of it high.
double letters_width(std::string_view text, double size);

// `at`: where the text begins on its baseline. Dots are segments without length.
std::vector<Segment> letter_strokes(std::string_view text, Pixel at, double size);

}  // namespace tsmini
