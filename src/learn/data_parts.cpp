#include "learn/data_parts.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <numeric>
#include <string>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/checksum.h"
#include "base/random.h"
#include "base/sampling.h"
#include "base/utf8.h"
#include "learn/in_stretches.h"

namespace tsmini::learn {
namespace {

// Brings a seeded sample of so many to the front, and puts both sides in order. Returns where it
// ends.
std::vector<std::size_t>::iterator draw(std::vector<std::size_t>& all, std::size_t count,
                                        std::uint64_t seed) {
  Random random(seed, 0x5b1);
  draw_to_front(all, count, random);
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(count);
  std::sort(all.begin(), end);
  std::sort(end, all.end());
  return end;
}

}  // namespace

DataParts parts_of(const Dataset& data, std::uint64_t seed) {
  if (data.info().has_split) {
    DataParts parts{data.indices_of(Part::train), data.indices_of(Part::validation)};
    parts.for_validation = parts.validation.size();
    if (parts.for_validation > most_for_validation)
      parts.validation.erase(draw(parts.validation, most_for_validation, seed),
                             parts.validation.end());
    return parts;
  }
  std::vector<std::size_t> all(data.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::size_t held = std::min<std::size_t>(1000, all.size() / 10);
  const auto middle = draw(all, held, seed);
  return {{middle, all.end()}, {all.begin(), middle}, held};
}

void check_parts(const Dataset& data, const DataParts& parts, const Recipe& recipe) {
  constexpr std::size_t fewest_to_choose_by = 2;
  const std::size_t n = parts.train.size(), held = parts.validation.size();
  const bool is_choosable = held >= fewest_to_choose_by;
  if (!is_choosable && !data.info().has_split)
    throw Error(
        ErrorCode::bad_input, fmt::format("{} trajectories are too few to learn from", n + held),
        fmt::format("use more data: {} at least, a tenth of which is held back to choose weights "
                    "by, some hundreds to learn anything",
                    10 * fewest_to_choose_by));
  // All that stands in the way, for who follows the hint of one would only reach the next.
  std::vector<std::string> flaws, remedies;
  if (n < smallest_batch) {
    flaws.push_back(fmt::format("{} training trajectories are too few to learn from", n));
    remedies.push_back(
        fmt::format("use more data: {} at least, some hundreds to learn anything", smallest_batch));
  } else if (n < recipe.batch) {
    flaws.push_back(
        fmt::format("{} training trajectories do not fill a batch of {}", n, recipe.batch));
    remedies.push_back(recipe.loss.k < n
                           ? fmt::format("use more data, or `batch={}`", n)
                           : fmt::format("use more data, or `batch={}` and `loss.k={}`", n, n / 2));
  }
  if (!is_choosable) {
    flaws.push_back(
        fmt::format("{} validation trajectories are too few to choose weights by", held));
    remedies.emplace_back("import with a `split` that has more for validation");
  }
  if (flaws.empty()) return;
  throw Error(ErrorCode::bad_input, fmt::format("{}", fmt::join(flaws, "; ")),
              fmt::format("{}", fmt::join(remedies, "; ")));
}

void check_lengths(const Dataset& data, const DataParts& parts, Measure measure) {
  for (const auto* part : {&parts.train, &parts.validation}) {
    for (const std::size_t index : *part) {
      const std::uint64_t points = data.offsets()[index + 1] - data.offsets()[index];
      if (points > 0 && is_defined(measure, points)) continue;
      const std::string id = printable(data[index].id);
      throw Error(ErrorCode::bad_input,
                  points == 0 ? fmt::format("trip '{}' has no points", id)
                              : fmt::format("trip '{}' has one point, the measure '{}' needs two",
                                            id, name_of(measure)),
                  "leave such trips out, as an import with `min_points=2` does");
    }
  }
}

std::uint64_t points_of(const Dataset& data, const std::vector<std::size_t>& indices) {
  std::uint64_t points = 0;
  for (const std::size_t index : indices)
    points += data.offsets()[index + 1] - data.offsets()[index];
  return points;
}

std::string checksum_of(const Dataset& data, const DataParts& parts, const Progress& progress) {
  Checksum sum;
  for (const auto* part : {&parts.train, &parts.validation}) {
    in_stretches(data, *part, progress, [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) {
        sum.piece(std::as_bytes(data[(*part)[i]].points));
      }
    });
  }
  return sum.digits();
}

// Not by sample_below(), which writes down all n numbers for the few that a step wants. With other
// draws the same seed would give another model.
std::vector<int> sample_batch(std::uint64_t seed, std::uint64_t step, std::size_t n,
                              std::size_t count) {
  Random random(seed, step + 1);
  std::unordered_set<int> drawn;
  assert(count <= n);
  while (drawn.size() < count) drawn.insert(static_cast<int>(random.below(n)));
  std::vector<int> ids(drawn.begin(), drawn.end());
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace tsmini::learn
