#include "tsmini/split.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/sampling.h"
#include "base/text.h"

namespace tsmini {
namespace {

std::array<double, 3> numbers_of(const SplitOptions& options) {
  return {options.train, options.validation, options.test};
}

bool are_shares(const std::array<double, 3>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return x < 1; });
}

// How many trajectories each part gets. Shares are rounded where they add up, so that 0.7, 0.1 and
// 0.2 leave none over.
std::array<std::size_t, 3> sizes_of(std::size_t count, const SplitOptions& options) {
  const std::array<double, 3> wanted = numbers_of(options);
  const bool shares = are_shares(wanted);
  std::array<std::size_t, 3> sizes{};
  double sum = 0;
  std::size_t before = 0;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    sum += wanted[k];
    const double end = shares ? std::round(sum * static_cast<double>(count)) : sum;
    sizes[k] = static_cast<std::size_t>(end) - before;
    before += sizes[k];
  }
  return sizes;
}

}  // namespace

std::vector<std::size_t> draw_sample(std::size_t count, std::size_t wanted, std::uint64_t seed) {
  return sample_below(count, wanted, Random(seed));
}

void check_shares(const SplitOptions& options) {
  const std::array<double, 3> numbers = numbers_of(options);
  const double sum = numbers[0] + numbers[1] + numbers[2];
  constexpr double all = 1 + 1e-9;  // shares are rounded
  if (!are_shares(numbers) || sum <= all) return;
  throw Error(
      ErrorCode::usage,
      fmt::format("the shares of the `split` add up to {:.6g}, which is more than all", sum),
      "give shares that add up to 1 or less, such as 0.7, 0.1 and 0.2");
}

std::vector<Part> draw_split(std::size_t count, const SplitOptions& options, std::uint64_t seed) {
  check_shares(options);
  const std::array<std::size_t, 3> sizes = sizes_of(count, options);
  const std::size_t wanted = sizes[0] + sizes[1] + sizes[2];
  if (wanted > count) {
    throw Error(ErrorCode::bad_input,
                fmt::format("the split wants {} trajectories, {} are left after cleaning",
                            with_thousands(wanted), with_thousands(count)),
                "ask for fewer, or give a `split` of shares, such as 0.7, 0.1 and 0.2");
  }
  std::vector<std::size_t> order;
  if (options.random) {
    order = draw_below(count, wanted, Random(seed));
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
