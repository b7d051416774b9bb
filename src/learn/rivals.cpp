#include "tsmini/rivals.h"

#include <algorithm>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text.h"
#include "base/utf8.h"
#include "learn/data_parts.h"

namespace tsmini {

std::vector<std::size_t> trips_for_rivals(const Dataset& data) {
  constexpr std::size_t most_points = 1000;
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (data.part(i) == Part::none) continue;
    if (data[i].points.size() > most_points)
      throw Error(ErrorCode::bad_input,
                  fmt::format("trajectory '{}' has {} points, more than the {} that rivals take",
                              printable(data[i].id), with_thousands(data[i].points.size()),
                              with_thousands(most_points)),
                  "import with `max_points` or `thin`");
    indices.push_back(i);
  }
  if (indices.empty())
    throw Error(ErrorCode::bad_input, "no trips are marked train, validation or test",
                "import the data with a `split`, such as 7000 trips to train, 1000 for validation "
                "and 2000 to test");
  return indices;
}

void check_fit_for_rivals(const Dataset& data, std::uint64_t seed) {
  constexpr std::size_t fewest_trips = 12;
  trips_for_rivals(data);
  const learn::DataParts parts = learn::parts_of(data, seed);
  if (std::min(parts.train.size(), parts.validation.size()) >= fewest_trips) return;
  throw Error(ErrorCode::bad_input,
              fmt::format("{} trips to learn from and {} to choose by are too few",
                          parts.train.size(), parts.validation.size()),
              fmt::format("a rival needs {} of each: mark more with `split`", fewest_trips));
}

}  // namespace tsmini
