// --skip-self: a trip is no answer to a query of its own id. Many may have one, as the trips of one
// car have its number, so ids are compared as numbers, and while the search goes on.
//
//   const JoinRule allowed = options.skip_self ? other_ids(queries, base) : JoinRule();
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tsmini/join.h"

#include "common/measure_options.h"

namespace tsmini::cli {

// Whether a trip of the base has another id than a query. The sets are not needed afterwards.
inline JoinRule other_ids(const MeasuredSet& queries, const MeasuredSet& base) {
  std::unordered_map<std::string_view, std::uint32_t> known;
  const auto numbers = [&known](const MeasuredSet& set) {
    std::vector<std::uint32_t> own(set.size());
    for (std::size_t i = 0; i < set.size(); ++i) {
      own[i] = known.emplace(set.id(i), static_cast<std::uint32_t>(known.size())).first->second;
    }
    return own;
  };
  return [of_queries = numbers(queries), of_base = numbers(base)](
             std::size_t query, std::size_t trip) { return of_queries[query] != of_base[trip]; };
}

}  // namespace tsmini::cli
