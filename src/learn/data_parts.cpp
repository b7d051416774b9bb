#include "learn/data_parts.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <unordered_set>

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
  const std::size_t n = parts.train.size();
  if (n < smallest_batch)
    throw Error(
        ErrorCode::bad_input, fmt::format("{} training trajectories are too few to learn from", n),
        fmt::format("use more data: {} at least, some hundreds to learn anything", smallest_batch));
  if (n < recipe.batch)
    throw Error(ErrorCode::bad_input,
                fmt::format("{} training trajectories do not fill a batch of {}", n, recipe.batch),
                recipe.loss.k < n
                    ? fmt::format("use more data, or `batch={}`", n)
                    : fmt::format("use more data, or `batch={}` and `loss.k={}`", n, n / 2),
                "batch");
  if (parts.validation.size() < 2)
    throw Error(ErrorCode::bad_input,
                fmt::format("{} validation trajectories are too few to choose weights by",
                            parts.validation.size()),
                data.info().has_split ? "import with a `split` that has more for validation"
                                      : "use more data: a tenth of it is held back for that");
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
  while (drawn.size() < count) drawn.insert(static_cast<int>(random.below(n)));
  std::vector<int> ids(drawn.begin(), drawn.end());
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace tsmini::learn
