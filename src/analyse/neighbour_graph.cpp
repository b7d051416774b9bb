#include "tsmini/neighbour_graph.h"

#include <algorithm>
#include <atomic>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "analyse/copied_neighbours.h"
#include "analyse/distinct_trips.h"
#include "analyse/on_all_cores.h"
#include "analyse/options.h"
#include "base/amounts.h"

namespace tsmini {
namespace {

[[noreturn]] void throw_too_wide(double radius, std::uint64_t most_bytes) {
  throw Error(ErrorCode::usage,
              fmt::format("all pairs of trips within {} do not fit into {}", human_number(radius),
                          human_bytes(static_cast<double>(most_bytes))),
              "choose a smaller radius, or a join, which keeps none of them", "radius");
}

void set_row(NeighbourGraph& graph, std::size_t trip, std::span<const Neighbour> row) {
  std::uint64_t edge = graph.offsets[trip];
  for (const Neighbour& n : row) {
    graph.indices[edge] = static_cast<std::uint32_t>(n.index);
    graph.distances[edge++] = n.distance;
  }
}

// Room for rows whose lengths are in `offsets`, one before the place of their end.
void lay_out(NeighbourGraph& graph) {
  for (std::size_t i = 1; i < graph.offsets.size(); ++i) graph.offsets[i] += graph.offsets[i - 1];
  graph.indices.resize(graph.offsets.back());
  graph.distances.resize(graph.offsets.back());
}

// The neighbours of every distinct trip that have a higher number: each pair once.
class HalfRows {
 public:
  HalfRows(const DistinctTrips& distinct, std::uint64_t most_bytes)
      : distinct_(distinct), most_bytes_(most_bytes), rows_(distinct.size()) {}

  // Whether they and the graph fit together.
  bool find(double radius, const Progress& progress, SearchWork& work) {
    const Heartbeat heartbeat(progress, distinct_.size());
    work += on_all_cores(distinct_.size(), [&](std::size_t i, SearchWork& own) {
      if (bytes_ > most_bytes_) return;
      rows_[i] = distinct_.nearest_within(
          i, radius, 0, [i](std::size_t j) { return j > i; }, own, heartbeat);
      rows_[i].shrink_to_fit();
      bytes_ += rows_[i].size() * sizeof(Neighbour) + edges_of(i) * edge_bytes;
      heartbeat.advance(1);
    });
    return bytes_ <= most_bytes_;
  }

  // Calls use(i, j, distance) for each pair.
  template <class Use>
  void for_each(const Use& use) const {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (const Neighbour& n : rows_[i]) use(i, n.index, n.distance);
    }
  }

 private:
  std::uint64_t edges_of(std::size_t i) const {
    const std::uint64_t copies = distinct_.copies(i).size();
    std::uint64_t edges = copies * (copies - 1);
    for (const Neighbour& n : rows_[i]) edges += 2 * copies * distinct_.copies(n.index).size();
    return edges;
  }

  const DistinctTrips& distinct_;
  std::uint64_t most_bytes_;
  std::vector<std::vector<Neighbour>> rows_;
  std::atomic<std::uint64_t> bytes_ = 0;
};

void lay_out(NeighbourGraph& graph, const DistinctTrips& distinct, const HalfRows& half) {
  std::vector<std::size_t> lengths(distinct.size());
  for (std::size_t i = 0; i < distinct.size(); ++i) lengths[i] = distinct.copies(i).size() - 1;
  half.for_each([&](std::size_t i, std::size_t j, double) {
    lengths[i] += distinct.copies(j).size();
    lengths[j] += distinct.copies(i).size();
  });
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    for (const std::uint32_t trip : distinct.copies(i)) graph.offsets[trip + 1] = lengths[i];
  }
  lay_out(graph);
}

// Puts the distinct neighbours of each distinct trip, as numbers and in any order, where the row of
// its first copy begins, which is no shorter. How many there are of each.
std::vector<std::size_t> set_numbers(NeighbourGraph& graph, const DistinctTrips& distinct,
                                     const HalfRows& half) {
  std::vector<std::size_t> counts(distinct.size());
  const auto add = [&](std::size_t i, std::size_t j, double distance) {
    const std::uint64_t edge = graph.offsets[distinct.first(i)] + counts[i]++;
    graph.indices[edge] = static_cast<std::uint32_t>(j);
    graph.distances[edge] = distance;
  };
  half.for_each([&](std::size_t i, std::size_t j, double distance) {
    add(i, j, distance);
    add(j, i, distance);
  });
  return counts;
}

// The beginning of a row.
std::vector<Neighbour> neighbours_in(const NeighbourGraph& graph, std::size_t trip,
                                     std::size_t count) {
  std::vector<Neighbour> near;
  for (std::uint64_t edge = graph.offsets[trip]; near.size() < count; ++edge) {
    near.push_back({graph.indices[edge], graph.distances[edge]});
  }
  return near;
}

}  // namespace

NeighbourGraph nearest_graph(const NeighbourSearch& search, std::size_t k, const Progress& progress,
                             std::uint64_t most_bytes) {
  const DistinctTrips& distinct = search.distinct();
  const std::size_t others = std::max<std::size_t>(distinct.with_distance(), 1) - 1;
  const std::size_t length = std::min(k, others);
  check_neighbours(length, distinct.with_distance(), most_bytes);
  NeighbourGraph graph;
  graph.offsets.resize(search.size() + 1);
  for (std::size_t i = 0; i < search.size(); ++i) {
    graph.offsets[i + 1] = search.has_distance(i) ? length : 0;
  }
  lay_out(graph);
  if (length == 0) return graph;
  const Heartbeat heartbeat(progress, distinct.size());
  graph.work = on_all_cores(distinct.size(), [&](std::size_t i, SearchWork& work) {
    const auto near =
        with_copies(distinct, i, distinct.nearest(i, length, work, heartbeat), length + 1);
    for (const std::uint32_t trip : distinct.copies(i)) {
      set_row(graph, trip, without(trip, near, length));
    }
    heartbeat.advance(1);
  });
  return graph;
}

NeighbourGraph radius_graph(const NeighbourSearch& search, double radius, const Progress& progress,
                            std::uint64_t most_bytes) {
  check_radius(radius);
  const DistinctTrips& distinct = search.distinct();
  NeighbourGraph graph;
  graph.offsets.resize(search.size() + 1);
  HalfRows half(distinct, most_bytes);
  if (!half.find(radius, progress, graph.work)) throw_too_wide(radius, most_bytes);
  lay_out(graph, distinct, half);
  const std::vector<std::size_t> counts = set_numbers(graph, distinct, half);
  on_all_cores(distinct.size(), [&](std::size_t i, SearchWork&) {
    const auto near = neighbours_in(graph, distinct.first(i), counts[i]);
    const auto all = with_copies(distinct, i, near, search.size());
    for (const std::uint32_t trip : distinct.copies(i)) {
      set_row(graph, trip, without(trip, all, search.size()));
    }
  });
  return graph;
}

}  // namespace tsmini
