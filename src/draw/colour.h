// The colours of densities: night black, violet, orange, pale yellow.
//
// Lightness rises evenly along the way, so that order is seen without a legend, in grey, and by
// colour-blind eyes.
#pragma once

#include <array>
#include <span>
#include <string>

#include "draw/image.h"

namespace tsmini {

inline constexpr std::array<Rgb, 9> density_colours = {{{10, 8, 18},
                                                        {40, 18, 80},
                                                        {91, 24, 112},
                                                        {140, 38, 108},
                                                        {188, 58, 86},
                                                        {226, 92, 54},
                                                        {247, 141, 26},
                                                        {250, 199, 64},
                                                        {252, 252, 190}}};

// The colour at a level, where `colours` are evenly spaced between the levels 0 and 1; beyond these
// an end colour.
Rgb colour_between(std::span<const Rgb> colours, double level);

// A share of `over` on top of `under`.
Rgb blended(const Rgb& under, const Rgb& over, double share);

// "#rrggbb".
std::string hex_of(const Rgb& colour);

}  // namespace tsmini
