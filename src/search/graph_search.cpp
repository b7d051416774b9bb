#include "search/graph_search.h"

#include <algorithm>
#include <functional>

#include "search/k_nearest.h"

namespace tsmini {
namespace {

using Item = Nearest<float>::Item;

// Rows that were seen. Forgetting them takes as long as seeing them did, not as long as the index.
class Seen {
 public:
  void begin(std::size_t rows) {
    for (const std::uint32_t row : rows_) words_[row / 64] = 0;
    rows_.clear();
    if (words_.size() * 64 < rows) words_.resize((rows + 63) / 64);
  }
  // False where it was there.
  bool insert(std::uint32_t row) {
    const std::uint64_t bit = std::uint64_t{1} << row % 64;
    if ((words_[row / 64] & bit) != 0) return false;
    words_[row / 64] |= bit;
    rows_.push_back(row);
    return true;
  }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> rows_;
};

// The candidates, the nearest first.
class Queue {
 public:
  bool empty() const { return heap_.empty(); }
  void push(const Item& item) {
    heap_.push_back(item);
    std::push_heap(heap_.begin(), heap_.end(), farther);
  }
  Item pop() {
    std::pop_heap(heap_.begin(), heap_.end(), farther);
    const Item item = heap_.back();
    heap_.pop_back();
    return item;
  }

 private:
  static bool farther(const Item& a, const Item& b) { return b < a; }
  std::vector<Item> heap_;
};

class Follower {
 public:
  Follower(const Graph& graph, const RowStore& rows, const PlacedQuery& query)
      : graph_(graph), rows_(rows), query_(query), distances_(2 * graph.links) {}

  // Goes from the entry down to the lowest level, on each to the nearest neighbour while there is a
  // nearer one.
  Item descend() {
    Item best{0, graph_.entry};
    rows_.measure(query_, {&best.row, 1}, &best.distance);
    for (std::uint32_t level = graph_.entry_levels; level > 0; --level) {
      for (Item before = best;; before = best) {
        collect(graph_.neighbours(best.row, level), [](std::uint32_t) { return true; });
        for_each_collected([&](const Item& item) { best = std::min(best, item); });
        if (best.row == before.row) break;
      }
    }
    return best;
  }

  Nearest<float> follow(const Item& start, std::size_t ef, const Allowed& allowed) {
    thread_local Seen seen;
    seen.begin(graph_.size());
    Nearest<float> nearest(ef);
    Queue queue;
    const auto take = [&](const Item& item) {
      if (!(item.distance <= nearest.limit())) return;
      queue.push(item);
      if (allowed(item.row)) nearest.offer(item.distance, item.row);
    };
    seen.insert(start.row);
    take(start);
    while (!queue.empty()) {
      const Item item = queue.pop();
      if (item.distance > nearest.limit()) break;
      collect(graph_.neighbours(item.row), [&](std::uint32_t row) { return seen.insert(row); });
      for_each_collected(take);
    }
    return nearest;
  }

 private:
  // Links of a file that lies may lead anywhere.
  template <class Wanted>
  void collect(std::span<const std::uint32_t> neighbours, const Wanted& wanted) {
    collected_.clear();
    for (const std::uint32_t row : neighbours) {
      if (row == Graph::none) break;
      if (row < graph_.size() && wanted(row)) collected_.push_back(row);
    }
  }
  template <class Use>
  void for_each_collected(const Use& use) {
    rows_.measure(query_, collected_, distances_.data());
    for (std::size_t i = 0; i < collected_.size(); ++i) use(Item{distances_[i], collected_[i]});
  }

  const Graph& graph_;
  const RowStore& rows_;
  const PlacedQuery& query_;
  std::vector<std::uint32_t> collected_;
  std::vector<float> distances_;
};

}  // namespace

std::vector<Hit> follow(const Graph& graph, const RowStore& rows, const PlacedQuery& query,
                        std::size_t k, std::size_t ef, const Allowed& allowed) {
  if (graph.entry >= graph.size()) return {};
  Follower follower(graph, rows, query);
  Nearest<float> nearest = follower.follow(follower.descend(), ef, allowed);
  std::vector<Hit> hits;
  for (const Item& item : nearest.take()) hits.push_back({item.row, item.distance});
  hits.resize(std::min(k, hits.size()));
  return hits;
}

}  // namespace tsmini
