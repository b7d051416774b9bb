// Krüger's series between the conformal and the rectifying latitude of WGS84, in the third
// flattening, to the sixth order (see transverse_mercator.h).
#pragma once

#include <array>

#include "geo/wgs84.h"

namespace tsmini::kruger {

// A sum of c[j] sin(2 (j + 1) z), j from 0.
using SineSeries = std::array<double, 6>;

inline constexpr double n = wgs84::flattening / (2 - wgs84::flattening);
inline constexpr double n2 = n * n, n3 = n2 * n, n4 = n3 * n, n5 = n4 * n, n6 = n5 * n;

inline constexpr double rectifying_radius =
    wgs84::semi_major_axis / (1 + n) * (1 + n2 / 4 + n4 / 64 + n6 / 256);

inline constexpr SineSeries forward_series = {
    n / 2 - n2 * 2 / 3 + n3 * 5 / 16 + n4 * 41 / 180 - n5 * 127 / 288 + n6 * 7891 / 37800,
    n2 * 13 / 48 - n3 * 3 / 5 + n4 * 557 / 1440 + n5 * 281 / 630 - n6 * 1983433 / 1935360,
    n3 * 61 / 240 - n4 * 103 / 140 + n5 * 15061 / 26880 + n6 * 167603 / 181440,
    n4 * 49561 / 161280 - n5 * 179 / 168 + n6 * 6601661 / 7257600,
    n5 * 34729 / 80640 - n6 * 3418889 / 1995840,
    n6 * 212378941 / 319334400,
};

inline constexpr SineSeries inverse_series = {
    -(n / 2 - n2 * 2 / 3 + n3 * 37 / 96 - n4 / 360 - n5 * 81 / 512 + n6 * 96199 / 604800),
    -(n2 / 48 + n3 / 15 - n4 * 437 / 1440 + n5 * 46 / 105 - n6 * 1118711 / 3870720),
    -(n3 * 17 / 480 - n4 * 37 / 840 - n5 * 209 / 4480 + n6 * 5569 / 90720),
    -(n4 * 4397 / 161280 - n5 * 11 / 504 - n6 * 830251 / 7257600),
    -(n5 * 4583 / 161280 - n6 * 108847 / 3991680),
    -(n6 * 20648693 / 638668800),
};

}  // namespace tsmini::kruger
