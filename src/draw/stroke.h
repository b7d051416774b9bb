// Strokes drawn straight into a picture, antialiased: lines of any width, and so the letters that
// are made of lines (letters.h).
//
//   Stroker stroker(image);
//   stroker.add({10, 10}, {200, 80}, 3);
//   stroker.add({200, 80}, {240, 10}, 3);
//   stroker.paint(colour, 0.5);            // where the two meet, it is no darker
//
// A segment costs the pixels it covers within the picture, however long it is outside.
#pragma once

#include <cstddef>
#include <vector>

#include "draw/image.h"

namespace tsmini {

class Stroker {
 public:
  explicit Stroker(Image& image);

  // What is painted lies within the columns and rows [left, right) × [top, bottom).
  void clip(int left, int top, int right, int bottom);
  void unclip();

  // A round-ended line; a disc where it has no length.
  void add(Pixel from, Pixel to, double thickness);
  // Paints all that was added since the last time.
  void paint(const Rgb& colour, double opacity = 1);

 private:
  struct Bounds {
    int left, top, right, bottom;
  };

  Image& image_;
  Bounds bounds_;
  Bounds dirty_;              // what may be covered
  std::vector<float> cover_;  // 0 to 1, of each pixel
};

}  // namespace tsmini
