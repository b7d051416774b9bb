// What the user waits for: the whole of it, and its parts.
//
//   Laps laps;                                  // first of all, so that nothing is left out
//   Collection city = Collection::open("city");
//   laps.end("opening");
//   city.add(trips);
//   laps.end("adding");
//   laps.text();                                // "3.21 s (opening 0.20 s, adding 3.01 s)"
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/stopwatch.h"

namespace tsmini::cli {

class Laps {
 public:
  // Ends a part, which began where the one before ended; `name` is a verb with -ing. Returns its
  // seconds.
  double end(std::string name);

  Stopwatch::Clock::time_point start() const { return whole_.start(); }
  double seconds() const { return whole_.seconds(); }
  // The whole until now; with the parts in brackets where there are several.
  std::string text() const;

 private:
  Stopwatch whole_, part_{whole_.start()};
  std::vector<std::pair<std::string, double>> parts_;
};

}  // namespace tsmini::cli
