#include "analyse/faster_pam.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/pulse.h"
#include "base/random.h"

namespace tsmini {
namespace {

// One start and where it leads: any item takes the place of the medoid for which that saves most,
// until no exchange saves anything (FasterPAM, Schubert and Rousseeuw 2021). An item is weighed
// against all medoids at once, in one pass over its distances.
class KMedoids {
 public:
  KMedoids(std::span<const float> distances, std::size_t n, std::size_t k)
      : distances_(distances), k_(k), nearest_(n), losses_(k) {}

  void run(Random random, const Heartbeat& heartbeat) {
    Pulse pulse(heartbeat);
    seed(random);
    assign();
    std::size_t settled = 0;  // items in a row that no medoid gives way to
    for (std::size_t item = 0; settled < size(); item = (item + 1) % size()) {
      const bool exchanged = exchange(item);
      settled = exchanged ? 0 : settled + 1;
      pulse.work(exchanged ? size() * k_ : size());
    }
  }

  double cost() const { return cost_; }
  const std::vector<std::size_t>& medoids() const { return medoids_; }
  std::vector<std::uint32_t> clusters() const {
    std::vector<std::uint32_t> all;
    for (const Nearest& item : nearest_) all.push_back(item.medoid);
    return all;
  }

 private:
  struct Nearest {
    std::uint32_t medoid = 0;
    float distance = 0, second = 0;  // to the nearest medoid and to the next one
  };

  std::size_t size() const { return nearest_.size(); }
  float at(std::size_t i, std::size_t j) const { return distances_[i * size() + j]; }

  // Draws each next medoid with a chance that grows with the square of its distance from those
  // before.
  void seed(Random& random) {
    medoids_ = {static_cast<std::size_t>(random.below(size()))};
    std::vector<double> nearest(size(), infinity);
    while (medoids_.size() < k_) {
      double total = 0;
      for (std::size_t i = 0; i < size(); ++i) {
        const double d = at(medoids_.back(), i);
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
    for (std::size_t i = 0; i < size(); ++i) {
      Nearest found{0, infinity, infinity};
      for (std::size_t c = 0; c < k_; ++c) {
        // Among duplicates each medoid keeps itself, so that no cluster is empty.
        const float d = medoids_[c] == i ? -1 : at(medoids_[c], i);
        if (d < found.distance) {
          found = {static_cast<std::uint32_t>(c), d, found.distance};
        } else if (d < found.second) {
          found.second = d;
        }
      }
      found.distance = std::max(found.distance, 0.0F);
      nearest_[i] = found;
    }
    std::fill(losses_.begin(), losses_.end(), 0.0);
    cost_ = 0;
    for (const Nearest& item : nearest_) {
      losses_[item.medoid] += double{item.second} - item.distance;
      cost_ += item.distance;
    }
  }

  // Whether the item takes a medoid's place.
  bool exchange(std::size_t item) {
    if (std::find(medoids_.begin(), medoids_.end(), item) != medoids_.end()) return false;
    changes_ = losses_;
    double gain = 0;  // whichever medoid goes
    const float* row = distances_.data() + item * size();
    for (std::size_t i = 0; i < size(); ++i) {
      const Nearest& now = nearest_[i];
      const float d = row[i];
      if (d >= now.second) continue;
      if (d < now.distance) gain += double{now.distance} - d;
      changes_[now.medoid] += double{std::max(d, now.distance)} - now.second;
    }
    const auto best = std::min_element(changes_.begin(), changes_.end());
    // More than rounding, or an exchange could be undone and made for ever.
    constexpr double worth_it = 1e-9;
    if (!(gain - *best > worth_it * cost_)) return false;
    medoids_[static_cast<std::size_t>(best - changes_.begin())] = item;
    assign();
    return true;
  }

  static constexpr float infinity = std::numeric_limits<float>::infinity();

  std::span<const float> distances_;
  std::size_t k_;
  std::vector<std::size_t> medoids_;
  std::vector<Nearest> nearest_;
  double cost_ = 0;
  std::vector<double> losses_;   // what it costs that a medoid goes
  std::vector<double> changes_;  // the same if an item comes for it
};

}  // namespace

PamClusters faster_pam(std::span<const float> distances, std::size_t n, std::size_t k,
                       std::uint64_t seed, std::size_t restarts, const Heartbeat& heartbeat) {
  assert(distances.size() == n * n);
  if (k == 0 || k > n) {
    throw Error(ErrorCode::usage, fmt::format("{} items cannot form {} clusters", n, k),
                n == 0 ? "the data set must not be empty"
                       : fmt::format("the number of clusters must be from 1 to {}", n),
                "k");
  }
  PamClusters best;
  double best_cost = 0;
  for (std::size_t start = 0; start < std::max<std::size_t>(restarts, 1); ++start) {
    KMedoids attempt(distances, n, k);
    attempt.run(Random(seed, start), heartbeat);
    if (best.medoids.empty() || attempt.cost() < best_cost) {
      best = {attempt.medoids(), attempt.clusters()};
      best_cost = attempt.cost();
    }
  }
  return best;
}

}  // namespace tsmini
