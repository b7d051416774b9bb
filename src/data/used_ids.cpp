#include "data/used_ids.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/checksum.h"

namespace tsmini {

void UsedIds::add(std::string& id) {
  marks_.push_back(checksum_of(std::as_bytes(std::span(id))));
  if (!tells_apart_) return;
  std::uint64_t& number = last_number_[id];  // stays where it is when others come
  if (++number == 1) return;
  const auto numbered = [&] { return fmt::format("{}#{}", id, number); };
  std::string other = numbered();
  for (; last_number_.contains(other); other = numbered()) ++number;
  last_number_.emplace(other, 1);
  id = std::move(other);
}

std::uint64_t UsedIds::repeated() const {
  std::vector<std::uint64_t> sorted = marks_;
  std::sort(sorted.begin(), sorted.end());
  return sorted.size() -
         static_cast<std::uint64_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
}

}  // namespace tsmini
