#include "city/places.h"

#include <algorithm>
#include <utility>

namespace tsmini::city {

namespace {

constexpr std::uint64_t places_stream = ~std::uint64_t{0};  // beyond the streams of trips

// Shares of trips that begin and end there, per TripEnd; the rest begin or end at homes.
constexpr std::array<double, 2> at_spots{0.35, 0.32}, at_ranks{0.35, 0.07};
constexpr int rank_count = 150;
constexpr double home_radius = 3050;  // metres from the centre; half as many homes there

struct Plan {
  Point around;
  double jitter;                  // metres, from seed to seed
  std::size_t doors;              // nodes that belong to it
  std::array<double, 2> weights;  // per TripEnd
};

constexpr Plan airport{{}, 0, 3, {34, 105}};
constexpr std::array<Plan, 10> spots{{
    {{0, 0}, 150, 14, {20, 16}},        // the square
    {{1500, 300}, 300, 4, {22, 16}},    // the main station
    {{-300, 500}, 200, 3, {10, 8}},     // the old station
    {{2300, 1500}, 300, 12, {4, 6}},    // the stadium
    {{700, 2500}, 300, 3, {7, 8}},      // a hospital
    {{-1800, 900}, 300, 3, {7, 8}},     // another
    {{600, 3000}, 400, 12, {4, 6}},     // the university
    {{-300, -1400}, 200, 12, {10, 8}},  // the quay
    {{-3000, 300}, 400, 8, {6, 6}},     // the shopping centre
    {{-600, -200}, 200, 14, {12, 8}},   // bars
}};

std::vector<std::uint32_t> nearest_nodes(const Network& network, Point p, std::size_t count) {
  std::vector<std::pair<double, std::uint32_t>> order;
  for (std::uint32_t node = 0; node < network.nodes.size(); ++node) {
    order.emplace_back(distance(p, network.nodes[node]), node);
  }
  const auto last = order.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(order.begin(), last, order.end());
  std::vector<std::uint32_t> nodes;
  for (auto it = order.begin(); it != last; ++it) nodes.push_back(it->second);
  return nodes;
}

}  // namespace

Places::Places(const Network& network, std::uint64_t seed) : network_(network) {
  Random random(seed, places_stream);
  std::array<double, 2> up_to{};
  const auto add_spot = [&](Point where, const Plan& plan) {
    up_to = {up_to[0] + plan.weights[0], up_to[1] + plan.weights[1]};
    spots_.push_back({nearest_nodes(network, where, plan.doors), up_to});
  };
  add_spot(network.terrain.airport, airport);
  for (const Plan& plan : spots) {
    add_spot(plan.around + random_offset(0, plan.jitter, random), plan);
  }
  for (int k = 0; k < rank_count; ++k) ranks_.push_back(draw_home(random));
}

std::uint32_t Places::draw(TripEnd end, Random& random) const {
  const auto e = static_cast<std::size_t>(end);
  const double kind = random.uniform();
  if (kind < at_spots[e]) return draw_spot(end, random);
  if (kind < at_spots[e] + at_ranks[e]) return draw_rank(random);
  return draw_home(random);
}

std::uint32_t Places::draw_spot(TripEnd end, Random& random) const {
  const auto e = static_cast<std::size_t>(end);
  const double at = random.uniform(0, spots_.back().up_to[e]);
  std::size_t k = 0;
  while (k + 1 < spots_.size() && at >= spots_[k].up_to[e]) ++k;
  return spots_[k].doors[random.below(spots_[k].doors.size())];
}

std::uint32_t Places::draw_rank(Random& random) const {
  const double u = random.uniform();
  return ranks_[static_cast<std::size_t>(u * u * u * static_cast<double>(ranks_.size()))];
}

std::uint32_t Places::draw_home(Random& random) const {
  for (;;) {
    const auto node = static_cast<std::uint32_t>(random.below(network_.nodes.size()));
    const Point p = network_.nodes[node];
    const double remoteness = dot(p, p) / (home_radius * home_radius);
    if (random.chance(1 / (1 + remoteness * remoteness))) return node;
  }
}

}  // namespace tsmini::city
