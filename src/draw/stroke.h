// Lines and a few characters drawn straight into a picture, for where there is no font.
//
// The characters are those of a length: digits, '.', 'k', 'm', 'e', '+', '-' and the blank; others
// are left blank. A character is 4 × 6 `unit`s and takes 6 in width.
#pragma once

#include <string_view>

#include "draw/image.h"

namespace tsmini {

// A round-ended line, antialiased; parts outside the picture are left out.
void draw_stroke(Image& image, Pixel from, Pixel to, double thickness, const Rgb& colour);

// `corner`: the top left of the first character. Sizes in pixels.
void draw_characters(Image& image, Pixel corner, std::string_view text, double unit,
                     double thickness, const Rgb& colour);

}  // namespace tsmini
