#include "data/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "base/text.h"
#include "tsmini/error.h"

namespace tsmini {
namespace {

// The first `wanted` of a random order of 0 … count-1 (Fisher and Yates).
std::vector<std::size_t> draw_order(std::size_t count, std::size_t wanted, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(seed);
  wanted = std::min(wanted, count);
  for (std::size_t i = 0; i < wanted; ++i) {
    std::swap(order[i], order[i + static_cast<std::size_t>(random.below(count - i))]);
  }
  order.resize(wanted);
  return order;
}

std::size_t resolve(double share, std::size_t count) {
  const double number = share < 1 ? std::floor(share * static_cast<double>(count) + 1e-9) : share;
  return static_cast<std::size_t>(number);
}

}  // namespace

std::vector<std::size_t> draw_sample(std::size_t count, std::size_t wanted, std::uint64_t seed) {
  std::vector<std::size_t> chosen = draw_order(count, wanted, seed);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::vector<Part> draw_split(std::size_t count, const SplitOptions& options, std::uint64_t seed) {
  const std::array<std::size_t, 3> sizes{resolve(options.train, count),
                                         resolve(options.validation, count),
                                         resolve(options.test, count)};
  const std::size_t wanted = sizes[0] + sizes[1] + sizes[2];
  if (wanted > count) {
    throw Error(ErrorCode::bad_input,
                fmt::format("the split wants {} trajectories, {} are left after cleaning",
                            with_thousands(wanted), with_thousands(count)),
                "ask for fewer, or give shares such as --split 0.7,0.1,0.2");
  }
  std::vector<std::size_t> order;
  if (options.random) {
    order = draw_order(count, wanted, seed);
  } else {
    order.resize(wanted);
    std::iota(order.begin(), order.end(), std::size_t{0});
  }
  std::vector<Part> parts(count, Part::none);
  constexpr std::array<Part, 3> names{Part::train, Part::validation, Part::test};
  std::size_t at = 0;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    for (std::size_t i = 0; i < sizes[k]; ++i) parts[order[at++]] = names[k];
  }
  return parts;
}

}  // namespace tsmini
