// --skip-self: a trip is no answer to a query of its own id. Whoever looks for the k nearest asks
// for as many more as there may be of that id, and leaves these out.
//
//   const OwnIds own(base, options.skip_self);
//   found = search.nearest(points, k + own.copies_of(id));
//   found = own.without(id, found, k);
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tsmini/knn.h"

#include "common/measure_options.h"

namespace tsmini::cli {

class OwnIds {
 public:
  // Leaves nothing out unless it is asked to. The base must live as long.
  OwnIds(const MeasuredSet& base, bool skip_self) : base_(base), skip_self_(skip_self) {
    for (std::size_t i = 0; skip_self && i < base.size(); ++i) {
      most_ = std::max(most_, ++copies_[base.id(i)]);
    }
  }

  // How many of the base have this id; of any id the most.
  std::size_t copies_of(std::string_view id) const {
    const auto found = copies_.find(id);
    return found == copies_.end() ? 0 : found->second;
  }
  std::size_t most_copies() const { return most_; }

  // The first k that have another id.
  std::vector<Neighbour> without(std::string_view id, std::span<const Neighbour> found,
                                 std::size_t k) const {
    std::vector<Neighbour> others;
    for (const Neighbour& n : found) {
      if (others.size() == k) break;
      if (!skip_self_ || base_.id(n.index) != id) others.push_back(n);
    }
    return others;
  }

 private:
  const MeasuredSet& base_;
  bool skip_self_;
  std::unordered_map<std::string_view, std::size_t> copies_;
  std::size_t most_ = 0;
};

}  // namespace tsmini::cli
