#include <algorithm>
#include <cassert>
#include <limits>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "tsmini/error.h"
#include "tsmini/evaluation.h"

#include "base/random.h"

namespace tsmini {
namespace {

constexpr std::size_t most_rounds = 300;

// One start and where it leads. Threads take items, never parts of a sum: the result is the same
// for any number of them.
class KMedoids {
 public:
  KMedoids(std::span<const float> distances, std::size_t n, std::size_t k)
      : distances_(distances), clusters_(n), costs_(n), members_(k) {}

  void run(Random random) {
    seed(random);
    assign();
    for (std::size_t round = 0; round < most_rounds && update(); ++round) assign();
  }

  double cost() const {
    double sum = 0;
    for (std::size_t i = 0; i < size(); ++i) sum += at(i, medoids_[clusters_[i]]);
    return sum;
  }
  const std::vector<std::uint32_t>& clusters() const { return clusters_; }

 private:
  std::size_t size() const { return clusters_.size(); }
  double at(std::size_t i, std::size_t j) const { return distances_[i * size() + j]; }

  template <class Body>
  void for_items(const Body& body) const {
    constexpr std::size_t grain = 64;
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, size(), grain),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                        for (std::size_t i = range.begin(); i < range.end(); ++i) body(i);
                      });
  }

  // Each next medoid with a chance that grows with the square of its distance from those before.
  void seed(Random& random) {
    medoids_ = {static_cast<std::size_t>(random.below(size()))};
    std::vector<double> nearest(size(), std::numeric_limits<double>::infinity());
    while (medoids_.size() < members_.size()) {
      double total = 0;
      for (std::size_t i = 0; i < size(); ++i) {
        const double d = at(i, medoids_.back());
        nearest[i] = i == medoids_.back() ? 0 : std::min(nearest[i], d * d);
        total += nearest[i];
      }
      medoids_.push_back(draw(nearest, total, random));
    }
  }

  std::size_t draw(const std::vector<double>& weights, double total, Random& random) const {
    double left = total * random.uniform();
    std::size_t last = size();
    for (std::size_t i = 0; i < size(); ++i) {
      if (!(weights[i] > 0)) continue;
      last = i;
      left -= weights[i];
      if (left < 0) return i;
    }
    if (last < size()) return last;
    // Only duplicates of the medoids are left: any other item will do.
    std::size_t i = 0;
    while (std::find(medoids_.begin(), medoids_.end(), i) != medoids_.end()) ++i;
    return i;
  }

  void assign() {
    for_items([&](std::size_t i) {
      std::size_t best = 0;
      for (std::size_t c = 1; c < medoids_.size(); ++c) {
        if (at(i, medoids_[c]) < at(i, medoids_[best])) best = c;
      }
      clusters_[i] = static_cast<std::uint32_t>(best);
    });
    // Among duplicates each medoid keeps itself, so that no cluster is empty.
    for (std::size_t c = 0; c < medoids_.size(); ++c) {
      clusters_[medoids_[c]] = static_cast<std::uint32_t>(c);
    }
    for (auto& items : members_) items.clear();
    for (std::size_t i = 0; i < size(); ++i) members_[clusters_[i]].push_back(i);
  }

  // Whether a medoid changed.
  bool update() {
    for_items([&](std::size_t i) {
      costs_[i] = 0;
      for (const std::size_t j : members_[clusters_[i]]) costs_[i] += at(i, j);
    });
    bool changed = false;
    for (std::size_t c = 0; c < medoids_.size(); ++c) {
      std::size_t best = medoids_[c];
      for (const std::size_t i : members_[c]) {
        if (costs_[i] < costs_[best]) best = i;
      }
      changed |= best != medoids_[c];
      medoids_[c] = best;
    }
    return changed;
  }

  std::span<const float> distances_;
  std::vector<std::size_t> medoids_;
  std::vector<std::uint32_t> clusters_;
  std::vector<double> costs_;
  std::vector<std::vector<std::size_t>> members_;
};

// The same clusters, numbered in the order of their first items, and how many there are.
std::uint32_t renumber(std::vector<std::uint32_t>& clusters) {
  std::unordered_map<std::uint32_t, std::uint32_t> numbers;
  for (std::uint32_t& cluster : clusters) {
    cluster =
        numbers.try_emplace(cluster, static_cast<std::uint32_t>(numbers.size())).first->second;
  }
  return static_cast<std::uint32_t>(numbers.size());
}

double pairs_among(const std::vector<std::uint64_t>& counts) {
  double pairs = 0;
  for (const std::uint64_t n : counts) {
    pairs += 0.5 * static_cast<double>(n) * (static_cast<double>(n) - 1);
  }
  return pairs;
}

}  // namespace

std::vector<std::uint32_t> k_medoids(std::span<const float> distances, std::size_t n, std::size_t k,
                                     std::uint64_t seed, std::size_t restarts) {
  assert(distances.size() == n * n);
  if (k == 0 || k > n) {
    throw Error(ErrorCode::usage, fmt::format("{} items cannot form {} clusters", n, k),
                n == 0 ? "the data set must not be empty"
                       : fmt::format("the number of clusters must be from 1 to {}", n));
  }
  std::vector<std::uint32_t> best;
  double best_cost = 0;
  for (std::size_t start = 0; start < std::max<std::size_t>(restarts, 1); ++start) {
    KMedoids attempt(distances, n, k);
    attempt.run(Random(seed, start));
    const double cost = attempt.cost();
    if (best.empty() || cost < best_cost) {
      best = attempt.clusters();
      best_cost = cost;
    }
  }
  renumber(best);
  return best;
}

double rand_index(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  assert(a.size() == b.size());
  if (a.size() < 2) return 1;
  std::vector<std::uint32_t> rows(a.begin(), a.end()), columns(b.begin(), b.end());
  const std::size_t row_count = renumber(rows), column_count = renumber(columns);
  std::vector<std::uint64_t> of_row(row_count), of_column(column_count);
  std::vector<std::uint64_t> of_both(row_count * column_count);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ++of_row[rows[i]];
    ++of_column[columns[i]];
    ++of_both[rows[i] * column_count + columns[i]];
  }
  const double all = pairs_among({a.size()});
  const double together = pairs_among(of_both);
  return (all + 2 * together - pairs_among(of_row) - pairs_among(of_column)) / all;
}

}  // namespace tsmini
