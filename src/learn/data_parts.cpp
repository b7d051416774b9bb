#include "learn/data_parts.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tsmini/error.h"

#include "base/random.h"

namespace tsmini::learn {

DataParts parts_of(const Dataset& data, std::uint64_t seed) {
  if (data.info().has_split)
    return {data.indices_of(Part::train), data.indices_of(Part::validation)};
  std::vector<std::size_t> all(data.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  Random random(seed, 0x5b1);
  const std::size_t held = std::min<std::size_t>(1000, all.size() / 10);
  for (std::size_t i = 0; i < held; ++i) std::swap(all[i], all[i + random.below(all.size() - i)]);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(held);
  std::sort(all.begin(), middle);
  std::sort(middle, all.end());
  return {{middle, all.end()}, {all.begin(), middle}};
}

void check_parts(const Dataset& data, const DataParts& parts, const Recipe& recipe) {
  if (parts.train.size() < recipe.batch)
    throw Error(ErrorCode::bad_input,
                fmt::format("{} training trajectories do not fill a batch of {}",
                            parts.train.size(), recipe.batch),
                "use more data or a smaller --batch");
  if (parts.validation.size() < 2)
    throw Error(ErrorCode::bad_input,
                fmt::format("{} validation trajectories are too few to choose weights by",
                            parts.validation.size()),
                data.info().has_split ? "import with another --split TRAIN,VAL,TEST"
                                      : "use more data: a tenth of it is held back for that");
}

std::uint64_t points_of(const Dataset& data, const std::vector<std::size_t>& indices) {
  std::uint64_t points = 0;
  for (const std::size_t index : indices)
    points += data.offsets()[index + 1] - data.offsets()[index];
  return points;
}

std::string checksum_of(const Dataset& data, const DataParts& parts) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(),
                                                                       &XXH3_freeState);
  XXH3_64bits_reset(state.get());
  for (const auto* part : {&parts.train, &parts.validation}) {
    for (const std::size_t index : *part) {
      const auto points = data[index].points;
      const std::uint64_t size = points.size();
      XXH3_64bits_update(state.get(), &size, sizeof size);
      XXH3_64bits_update(state.get(), points.data(), points.size_bytes());
    }
  }
  return fmt::format("{:016x}", XXH3_64bits_digest(state.get()));
}

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
