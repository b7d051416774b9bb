#include "city/routes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>

#include "base/random.h"

namespace tsmini::city {

Router::Router(const Network& network) : network_(network) {
  for (std::size_t i = 0; i < network.edges.size(); ++i) {
    time_.push_back(network.length[i] / speed_of(network.edges[i].road));
  }
  // Landmarks: each is the node farthest from those before it.
  to_landmark_.resize(network.nodes.size());
  std::vector<double> nearest = times_from(0);
  for (std::size_t k = 0; k < landmark_count; ++k) {
    const auto farthest = static_cast<std::uint32_t>(
        std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
    const std::vector<double> times = times_from(farthest);
    for (std::size_t node = 0; node < times.size(); ++node) {
      to_landmark_[node][k] = times[node];
      nearest[node] = k == 0 ? times[node] : std::min(nearest[node], times[node]);
    }
  }
}

std::vector<double> Router::times_from(std::uint32_t node) const {
  using Entry = std::pair<double, std::uint32_t>;
  std::vector<double> times(network_.nodes.size(), std::numeric_limits<double>::infinity());
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  times[node] = 0;
  queue.emplace(0.0, node);
  while (!queue.empty()) {
    const auto [time, at] = queue.top();
    queue.pop();
    if (time > times[at]) continue;
    for (const Arc& arc : network_.arcs_of(at)) {
      const double next = time + time_[arc.edge];
      if (next < times[arc.to]) {
        times[arc.to] = next;
        queue.emplace(next, arc.to);
      }
    }
  }
  return times;
}

double Router::lower_bound(std::uint32_t from, std::uint32_t to) const {
  const Times &a = to_landmark_[from], &b = to_landmark_[to];
  double bound = 0;
  for (std::size_t k = 0; k < landmark_count; ++k) bound = std::max(bound, std::abs(a[k] - b[k]));
  return bound;
}

RouteSearch::RouteSearch(const Router& router)
    : router_(router), visits_(router.network().nodes.size()) {}

std::span<const std::uint32_t> RouteSearch::find(std::uint32_t from, std::uint32_t to,
                                                 const Driver& driver) {
  const Network& network = router_.network();
  const auto worse = [](const Candidate& a, const Candidate& b) {
    return std::tie(a.estimate, a.cost, a.node) > std::tie(b.estimate, b.cost, b.node);
  };
  const auto reach = [&](std::uint32_t node, double cost, std::uint32_t previous) {
    Visit& visit = visits_[node];
    if (visit.query == query_ && visit.cost <= cost) return;
    const double bound = visit.query == query_ ? visit.bound : router_.lower_bound(node, to);
    visit = {cost, bound, previous, query_};
    queue_.push_back({cost + bound, cost, node});
    std::push_heap(queue_.begin(), queue_.end(), worse);
  };

  ++query_;
  queue_.clear();
  reach(from, 0, from);
  for (;;) {
    std::pop_heap(queue_.begin(), queue_.end(), worse);
    const Candidate best = queue_.back();
    queue_.pop_back();
    if (best.node == to) break;
    if (best.cost > visits_[best.node].cost) continue;
    for (const Arc& arc : network.arcs_of(best.node)) {
      const double share =
          static_cast<double>(Random::mix(driver.taste ^ Random::mix(arc.edge)) >> 11) * 0x1p-53;
      const double weight = driver.weight[static_cast<std::size_t>(network.edges[arc.edge].road)];
      const double time = router_.free_flow_time(arc.edge) * weight * (1 + driver.whim * share);
      reach(arc.to, best.cost + time, best.node);
    }
  }

  path_.clear();
  for (std::uint32_t node = to; node != from; node = visits_[node].previous) path_.push_back(node);
  path_.push_back(from);
  std::reverse(path_.begin(), path_.end());
  return path_;
}

}  // namespace tsmini::city
