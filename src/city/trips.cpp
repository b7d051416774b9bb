#include "city/trips.h"

#include <algorithm>
#include <array>

namespace tsmini::city {

namespace {

constexpr std::int64_t year_start = 1735689600;  // 2025-01-01, 00:00 UTC
constexpr std::uint64_t days = 365;

struct Hour {
  double demand;  // relative number of trips
  double pace;    // relative speed of traffic
};
constexpr std::array<Hour, 24> hours{{
    {3.2, 1.15}, {2.8, 1.2},  {2.4, 1.2},  {2.2, 1.25}, {2.2, 1.25}, {2.2, 1.2},
    {2.6, 1.1},  {3.6, 0.95}, {5.2, 0.85}, {5.4, 0.88}, {5.0, 0.95}, {4.8, 0.97},
    {4.9, 0.95}, {5.0, 0.95}, {5.2, 0.96}, {5.2, 0.95}, {5.1, 0.92}, {5.0, 0.84},
    {4.8, 0.84}, {4.6, 0.92}, {4.4, 1.0},  {4.0, 1.05}, {3.8, 1.08}, {3.6, 1.1},
}};

// Fastest; away from the motorway; by main roads; through the back streets.
constexpr std::array<std::array<double, 4>, 4> habits{{
    {1.0, 1.0, 1.0, 1.0},
    {1.8, 1.0, 1.0, 1.0},
    {1.0, 1.0, 1.35, 1.6},
    {1.3, 1.25, 1.0, 1.0},
}};
constexpr double whim = 1.3;            // see Driver
constexpr double nearby_chance = 0.5;   // that a passenger prefers the nearer of two places
constexpr double detour_chance = 0.20;  // that a trip passes by another place

// What depends on the time between points is given for this one.
constexpr double usual_sampling = 15;    // seconds
constexpr double sampling_jitter = 0.4;  // seconds, deviation

// Receiver errors, in metres: a slow drift, independent noise, and the odd glitch far off.
constexpr double drift = 5, noise = 0.8;
constexpr double drift_life = 9;         // samples
constexpr double frozen_chance = 0.012;  // the last position is reported again
constexpr double glitch_chance = 0.0007;
constexpr double glitch_least = 150, glitch_most = 2500;

std::size_t draw_hour(Random& random) {
  double total = 0;
  for (const Hour& hour : hours) total += hour.demand;
  double at = random.uniform(0, total);
  std::size_t k = 0;
  while (k + 1 < hours.size() && at >= hours[k].demand) at -= hours[k++].demand;
  return k;
}

}  // namespace

void TripMaker::make(std::uint64_t number, Trip& trip) {
  Random random(options_.seed, number);
  do {
    const std::uint64_t day = random.below(days);
    const std::size_t hour = draw_hour(random);
    const std::uint64_t second = (day * 24 + hour) * 3600 + random.below(3600);
    const double driver_pace = random.uniform(0.85, 1.2);
    choose_path(random);
    drive(hours[hour].pace * driver_pace, random);
    report(year_start + static_cast<std::int64_t>(second), random, trip);
  } while (trip.points.size() < options_.fewest_points ||
           trip.points.size() > options_.most_points);
}

void TripMaker::choose_path(Random& random) {
  const Driver driver{habits[random.below(habits.size())], whim, random.bits()};
  const std::uint32_t from = places_.draw(TripEnd::pick_up, random);
  path_.assign(1, from);
  const int legs = random.chance(detour_chance) ? 2 : 1;
  for (int leg = 0; leg < legs; ++leg) {
    const Point here = network_.nodes[path_.back()];
    std::uint32_t to = places_.draw(TripEnd::drop_off, random);
    const std::uint32_t other = places_.draw(TripEnd::drop_off, random);
    const bool other_nearer =
        distance(here, network_.nodes[other]) < distance(here, network_.nodes[to]);
    if (other_nearer && random.chance(nearby_chance)) to = other;
    const auto nodes = search_.find(path_.back(), to, driver);
    path_.insert(path_.end(), nodes.begin() + 1, nodes.end());
  }
}

void TripMaker::drive(double pace, Random& random) {
  constexpr double longest_boarding = 50, longest_paying = 50, longest_red = 55;  // seconds
  constexpr double red_chance = 0.45;
  constexpr double turn_delay = 1.5;  // seconds per junction
  // By now there are too many points, even without those that are not reported.
  const auto most = static_cast<double>(options_.most_points);
  const double too_long = options_.sampling * (most + std::max(20.0, most / 10));
  ride_.clear();
  double time = 0;
  const auto halt = [&](double seconds) {
    time += seconds;
    ride_.push_back({time, ride_.back().at});
  };

  ride_.push_back({0, network_.nodes[path_.front()]});
  halt(random.uniform(0, longest_boarding));
  for (std::size_t i = 1; i < path_.size() && time < too_long; ++i) {
    const std::uint32_t to = path_[i];
    const auto arcs = network_.arcs_of(path_[i - 1]);
    const auto arc =
        std::find_if(arcs.begin(), arcs.end(), [&](const Arc& a) { return a.to == to; });
    const double speed = speed_of(network_.edges[arc->edge].road) * pace * random.uniform(0.5, 1.3);
    time += network_.length[arc->edge] / speed + turn_delay;
    ride_.push_back({time, network_.nodes[to]});
    if (network_.has_lights[to] && random.chance(red_chance)) halt(random.uniform(5, longest_red));
  }
  halt(random.uniform(0, longest_paying));
}

void TripMaker::report(std::int64_t start, Random& random, Trip& trip) const {
  trip.points.clear();
  trip.times.clear();
  Point error{drift * random.normal(), drift * random.normal()};
  // Denser points are as far from the road as others, and a ride has as many glitches.
  const double usual = options_.sampling / usual_sampling, part = std::min(usual, 1.0);
  const double jitter = part * sampling_jitter;
  const double drift_memory = drift_life / (drift_life + usual);
  const double innovation = drift * std::sqrt(1 - drift_memory * drift_memory);
  std::size_t next = 1;
  for (double due = 0; due <= ride_.back().time; due += options_.sampling) {
    const double time = std::max(due + jitter * random.normal(), 0.0);
    while (next + 1 < ride_.size() && ride_[next].time < time) ++next;
    const Moment &a = ride_[next - 1], &b = ride_[next];
    const double share = b.time > a.time ? std::min((time - a.time) / (b.time - a.time), 1.0) : 1.0;
    error = drift_memory * error + innovation * Point{random.normal(), random.normal()};
    Point p = between(a.at, b.at, share) + error + noise * Point{random.normal(), random.normal()};
    if (random.chance(part * glitch_chance)) {
      p = p + random_offset(glitch_least, glitch_most, random);
    }
    p.x = std::clamp(p.x, -half_width - margin, half_width + margin);
    p.y = std::clamp(p.y, -half_height - margin, half_height + margin);
    const Position position = to_position(p);
    const bool frozen = random.chance(frozen_chance);
    const std::int64_t second = start + static_cast<std::int64_t>(std::floor(time + 0.5));
    if (!trip.points.empty() &&
        (frozen || position == trip.points.back() || second <= trip.times.back()))
      continue;
    trip.points.push_back(position);
    trip.times.push_back(second);
  }
}

}  // namespace tsmini::city
