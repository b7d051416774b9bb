// Fastest paths through the network, as different drivers see it.
//
// A driver weighs each edge's free-flow time by road class and by a small preference of their own,
// drawn per edge from `taste`: so two drivers seldom agree on every turn. All weights are at least
// the free-flow time, which keeps the landmarks' lower bounds valid for every driver: A* with
// landmarks then answers a query in less than 0.1 ms.
//
// Router is read-only once built; each thread brings a RouteSearch of its own.
//
//   Router router(network);
//   RouteSearch search(router);
//   std::span<const std::uint32_t> nodes = search.find(from, to, {{1, 1, 1, 1}, 0.5, taste});
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "city/network.h"

namespace tsmini::city {

struct Driver {
  std::array<double, 4> weight;  // per Road: times free-flow time, at least 1
  double whim = 0;               // most an edge's weight grows by taste, as a share
  std::uint64_t taste = 0;
};

class Router {
 public:
  explicit Router(const Network& network);

  const Network& network() const { return network_; }
  double free_flow_time(std::uint32_t edge) const { return time_[edge]; }  // seconds

  // A lower bound on the seconds between two nodes, by the triangle inequality.
  double lower_bound(std::uint32_t from, std::uint32_t to) const;

 private:
  static constexpr std::size_t landmark_count = 12;
  using Times = std::array<double, landmark_count>;

  std::vector<double> times_from(std::uint32_t node) const;

  const Network& network_;
  std::vector<double> time_;        // per edge: seconds
  std::vector<Times> to_landmark_;  // per node: seconds to each landmark
};

class RouteSearch {
 public:
  explicit RouteSearch(const Router& router);

  // The nodes of the driver's best path, both ends included; valid until the next call.
  std::span<const std::uint32_t> find(std::uint32_t from, std::uint32_t to, const Driver& driver);

 private:
  struct Visit {
    double cost = 0;
    double bound = 0;            // seconds still to go, at least
    std::uint32_t previous = 0;  // node
    std::uint32_t query = 0;     // in which this entry was written
  };
  struct Candidate {
    double estimate;
    double cost;
    std::uint32_t node;
  };

  const Router& router_;
  std::vector<Visit> visits_;  // per node
  std::vector<Candidate> queue_;
  std::vector<std::uint32_t> path_;
  std::uint32_t query_ = 0;
};

}  // namespace tsmini::city
