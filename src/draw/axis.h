// Round numbers for axes and scale bars.
//
//   for (const Tick& tick : ticks_between(-8.70, -8.52, 6)) use(tick);  // -8.68, -8.66, …
#pragma once

#include <string>
#include <vector>

namespace tsmini {

// The largest of 1, 2 and 5 times a power of ten that is at most `value` (> 0).
double round_below(double value);

struct Tick {
  double value;
  int decimals;  // that tell it from its neighbours
};

// The multiples of a round step within [low, high], about `count` of them; none where the range is
// empty.
std::vector<Tick> ticks_between(double low, double high, int count);

// "41.15° N", "8.6° W", "180°"; longitudes beyond 180 count from the other side.
std::string longitude_label(const Tick& tick);
std::string latitude_label(const Tick& tick);
// "1200", "0.05", "-3", "1e+12".
std::string number_label(const Tick& tick);

// "500 m", "20 km" of a round number of metres.
std::string metres_label(double metres);

}  // namespace tsmini
