// Trips for the tests of findings, and all their distances.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "tsmini/neighbour_search.h"
#include "tsmini/pair_engine.h"
#include "tsmini/planar_set.h"

#include "measure/trajectories.h"

namespace tsmini {

inline Points shaken(Points points, double by, std::uint64_t seed) {
  Random random(seed);
  for (Planar& p : points) p = {p.x + by * random.normal(), p.y + by * random.normal()};
  return points;
}

// Routes that some trips follow more or less closely, and trips of their own. Among them copies,
// reversed ones and trips of a single point, some of them twice.
inline std::vector<Points> varied_trips(std::size_t count, std::uint64_t seed,
                                        Style style = Style::smooth) {
  Random random(seed, 77);
  std::vector<Points> routes, trips;
  for (std::size_t i = 0; i < 5; ++i) {
    routes.push_back(random_points(3 + random.below(12), seed * 100 + i, style));
  }
  while (trips.size() < count) {
    const std::uint64_t kind = random.below(10);
    const Points& route = routes[random.below(routes.size())];
    if (kind < 5) {
      trips.push_back(shaken(route, style == Style::lattice ? 0 : 1.5, random.bits()));
    } else if (kind == 5 && !trips.empty()) {
      trips.push_back(trips[random.below(trips.size())]);
    } else if (kind == 6) {
      trips.emplace_back(route.rbegin(), route.rend());
    } else {
      trips.push_back(random_points(1 + random.below(kind == 7 ? 2 : 14), random.bits(), style));
    }
  }
  return trips;
}

inline bool are_copies(std::span<const Planar> a, std::span<const Planar> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Planar& p, const Planar& q) { return p.x == q.x && p.y == q.y; });
}

// Every distance in double precision, of rows to columns; infinite where the measure gives none.
// Copies have none, where frechet-continuous comes out at 1e-16.
class AllDistances {
 public:
  AllDistances(const PlanarSet& trips, Measure measure, const MeasureSettings& settings)
      : n_(trips.size()), firsts_(n_), values_(n_ * n_, std::numeric_limits<double>::infinity()) {
    std::vector<int> defined;
    for (std::size_t i = 0; i < n_; ++i) {
      if (is_defined(measure, trips.length(i))) defined.push_back(static_cast<int>(i));
    }
    const PlanarSet some = trips.subset(defined);
    const PairEngine engine(measure, some, settings, Precision::double_precision);
    std::vector<double> row(defined.size());
    for (std::size_t i = 0; i < defined.size(); ++i) {
      engine.one_to_many(some[i], std::span<double>(row));
      for (std::size_t j = 0; j < row.size(); ++j) {
        values_[static_cast<std::size_t>(defined[i]) * n_ + static_cast<std::size_t>(defined[j])] =
            are_copies(some[i], some[j]) ? 0 : row[j];
      }
    }
    for (std::size_t i = 0; i < n_; ++i) {
      while (!are_copies(trips[firsts_[i]], trips[i])) ++firsts_[i];
    }
  }

  std::size_t size() const { return n_; }
  double at(std::size_t i, std::size_t j) const { return values_[i * n_ + j]; }
  // With the lower index as the query, counting a trip's first copy.
  double pair(std::size_t i, std::size_t j) const {
    return firsts_[i] < firsts_[j] ? at(i, j) : at(j, i);
  }
  std::size_t first_copy(std::size_t i) const { return firsts_[i]; }
  bool has(std::size_t i) const { return at(i, i) == 0; }

  bool is_symmetric() const {
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (at(i, j) != at(j, i)) return false;
      }
    }
    return true;
  }

  // The q-th part of the distances of two different trips that have one, by rising distance.
  double quantile(double q) const {
    std::vector<double> all;
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (pair(i, j) < std::numeric_limits<double>::infinity()) all.push_back(pair(i, j));
      }
    }
    std::sort(all.begin(), all.end());
    return all.empty() ? 0 : all[static_cast<std::size_t>(q * static_cast<double>(all.size() - 1))];
  }

 private:
  std::size_t n_;
  std::vector<std::size_t> firsts_;
  std::vector<double> values_;
};

// A set, what a measure says of it, and a search.
struct Case {
  Case(const std::vector<Points>& points, Measure measure)
      : trips(set_of(points)),
        settings(settings_for(measure)),
        distances(trips, measure, settings),
        search(trips, measure, settings) {}

  PlanarSet trips;
  MeasureSettings settings;
  AllDistances distances;
  NeighbourSearch search;
};

inline std::vector<std::vector<Points>> hard_sets() {
  const Points line{{0, 0}, {10, 0}, {20, 5}};
  const Points other{{1000, 0}, {1010, 3}};
  return {{},
          {line},
          {line, line},
          {line, other},
          {{{1, 1}}, {{1, 1}}, {{5, 5}}},
          std::vector<Points>(40, line),
          {line, line, line, other, other, other, line, other},
          varied_trips(50, 1),
          varied_trips(70, 2, Style::lattice),
          varied_trips(60, 3),
          varied_trips(60, 4, Style::lattice)};
}

struct MeasureName {
  template <class Parameter>
  std::string operator()(const Parameter& info) const {
    std::string name(name_of(info.param));
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
  }
};

}  // namespace tsmini
