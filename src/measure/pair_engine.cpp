#include "tsmini/pair_engine.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/parallel_for.h>

#include "tsmini/error.h"

#include "measure/bounds.h"
#include "measure/check.h"
#include "measure/lane_runner.h"
#include "measure/packed_set.h"
#include "measure/rounding.h"

namespace tsmini {
namespace {

// How many queries a task runs against a group while the group is in cache.
constexpr std::size_t queries_per_tile = 64;
constexpr std::size_t groups_per_tile = 4;

std::vector<std::span<const Planar>> trips_of(const PlanarSet& set) {
  std::vector<std::span<const Planar>> trips(set.size());
  for (std::size_t i = 0; i < trips.size(); ++i) trips[i] = set[i];
  return trips;
}

// Place of the pair i < j of n among all pairs.
std::size_t condensed_index(std::size_t i, std::size_t j, std::size_t n) {
  return i * (2 * n - i - 1) / 2 + (j - i - 1);
}

}  // namespace

void check_single_extent(std::span<const Planar> points, const Planar& origin) {
  const double reach = largest_coordinate(points, origin);
  if (reach <= largest_extent) return;
  throw Error(ErrorCode::bad_input,
              fmt::format("a trajectory reaches {:.3g} from the middle of the data, too far for "
                          "single precision, which ends at {:.0e}",
                          reach, largest_extent),
              "compute in double precision, or give the coordinates in a larger unit");
}

class PairEngine::Impl {
 public:
  virtual ~Impl() = default;
  virtual std::size_t size() const = 0;
  virtual void one_to_many(std::span<const Planar> query, std::span<double> distances,
                           const Heartbeat& heartbeat) const = 0;
  virtual void one_to_many(std::span<const Planar> query, std::span<float> distances,
                           const Heartbeat& heartbeat) const = 0;
  virtual void one_to_some(std::span<const Planar> query, std::span<const std::size_t> indices,
                           std::span<double> distances, const Heartbeat& heartbeat) const = 0;
  virtual void many_to_many(const PlanarSet& queries, std::span<float> distances,
                            const Progress& progress) const = 0;
  virtual void all_pairs(std::span<float> condensed, const Progress& progress) const = 0;
  virtual double lane_waste() const = 0;

  template <class T>
  class Typed;
};

template <class T>
class PairEngine::Impl::Typed final : public PairEngine::Impl {
 public:
  Typed(Measure measure, const PlanarSet& base, const MeasureSettings& settings)
      : base_(base),
        origin_(std::is_same_v<T, float> ? base.origin() : Planar{}),
        runner_(measure, settings),
        packed_(pack(base, runner_.lanes())) {}

  std::size_t size() const override { return base_.size(); }
  double lane_waste() const override { return packed_.waste(); }

  void one_to_many(std::span<const Planar> query, std::span<double> distances,
                   const Heartbeat& heartbeat) const override {
    run_one(query, heartbeat, [&](std::size_t index, double d) { distances[index] = d; });
  }
  void one_to_many(std::span<const Planar> query, std::span<float> distances,
                   const Heartbeat& heartbeat) const override {
    run_one(query, heartbeat,
            [&](std::size_t index, double d) { distances[index] = static_cast<float>(d); });
  }

  void one_to_some(std::span<const Planar> query, std::span<const std::size_t> indices,
                   std::span<double> distances, const Heartbeat& heartbeat) const override {
    std::vector<std::span<const Planar>> some(indices.size());
    for (std::size_t i = 0; i < indices.size(); ++i) some[i] = base_[indices[i]];
    check_extent(query);
    runner_.run_all(
        query, origin_, runner_.template pack<Planar>(some, origin_, runner_.lanes()), heartbeat,
        [&](std::size_t i) { return some[i]; }, [&](std::size_t i, double d) { distances[i] = d; });
  }

  void many_to_many(const PlanarSet& queries, std::span<float> distances,
                    const Progress& progress) const override {
    for (std::size_t q = 0; q < queries.size(); ++q) check_extent(queries[q]);
    const PackedSet<T> packed_queries = pack(queries, 1);
    const Heartbeat heartbeat(progress, distances.size());
    tbb::parallel_for(tbb::blocked_range2d<std::size_t>(0, queries.size(), queries_per_tile, 0,
                                                        packed_.size(), groups_per_tile),
                      [&](const tbb::blocked_range2d<std::size_t>& tile) {
                        Pulse pulse(heartbeat);
                        std::size_t done = 0;
                        for (std::size_t g = tile.cols().begin(); g < tile.cols().end(); ++g) {
                          for (std::size_t q = tile.rows().begin(); q < tile.rows().end(); ++q) {
                            const std::size_t row = packed_queries.order()[q];
                            const Job job{packed_queries.query(q), queries[row]};
                            run(job, g, pulse, [&](std::size_t index, double d) {
                              distances[row * size() + index] = static_cast<float>(d);
                              ++done;
                            });
                          }
                        }
                        heartbeat.advance(done);
                      });
  }

  // A group meets the trajectories that come after it by length; of its own, each meets those
  // before it.
  void all_pairs(std::span<float> condensed, const Progress& progress) const override {
    const PackedSet<T> queries = pack(base_, 1);
    const Heartbeat heartbeat(progress, condensed.size());
    struct Tile {
      std::size_t group, begin, end;
    };
    std::vector<Tile> tiles;
    for (std::size_t g = packed_.size(); g-- > 0;) {
      for (std::size_t q = g * runner_.lanes() + 1; q < size(); q += queries_per_tile) {
        tiles.push_back({g, q, std::min(q + queries_per_tile, size())});
      }
    }
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, tiles.size(), 1),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                        for (std::size_t t = range.begin(); t < range.end(); ++t) {
                          Pulse pulse(heartbeat);
                          std::size_t done = 0;
                          for (std::size_t q = tiles[t].begin; q < tiles[t].end; ++q) {
                            done += pairs_of(queries, q, tiles[t].group, pulse, condensed);
                          }
                          heartbeat.advance(done);
                        }
                      });
  }

 private:
  using Job = typename LaneRunner<T>::Job;

  PackedSet<T> pack(const PlanarSet& set, std::size_t lanes) const {
    return runner_.template pack<Planar>(trips_of(set), origin_, lanes);
  }

  void check_extent(std::span<const Planar> points) const {
    if constexpr (std::is_same_v<T, float>) check_single_extent(points, origin_);
  }

  template <class Sink>
  void run_one(std::span<const Planar> query, const Heartbeat& heartbeat, const Sink& sink) const {
    check_extent(query);
    runner_.run_all(
        query, origin_, packed_, heartbeat, [&](std::size_t i) { return base_[i]; }, sink);
  }

  template <class Sink>
  void run(const Job& job, std::size_t g, Pulse& pulse, const Sink& sink) const {
    runner_.run(
        job, packed_, g, pulse, [&](std::size_t i) { return base_[i]; }, sink);
  }

  // The pairs of the query at place q by length with what is before it in the group. Gives their
  // number.
  std::size_t pairs_of(const PackedSet<T>& queries, std::size_t q, std::size_t group, Pulse& pulse,
                       std::span<float> condensed) const {
    const std::size_t first = group * runner_.lanes();
    const std::size_t own = queries.order()[q];
    std::size_t place = first, count = 0;
    run({queries.query(q), base_[own], own}, group, pulse, [&](std::size_t index, double d) {
      if (place++ >= q) return;
      const auto [i, j] = std::minmax(index, own);
      condensed[condensed_index(i, j, size())] = static_cast<float>(d);
      ++count;
    });
    return count;
  }

  PlanarSet base_;
  Planar origin_;
  LaneRunner<T> runner_;
  PackedSet<T> packed_;
};

PairEngine::PairEngine(Measure measure, const PlanarSet& base, const MeasureSettings& settings,
                       Precision precision) {
  check_settings(measure, settings);
  // What is exact to 1e-9 needs double precision all the way.
  if (precision == Precision::double_precision || measure == Measure::frechet_continuous) {
    impl_ = std::make_unique<const Impl::Typed<double>>(measure, base, settings);
  } else {
    for (std::size_t i = 0; i < base.size(); ++i) check_single_extent(base[i], base.origin());
    impl_ = std::make_unique<const Impl::Typed<float>>(measure, base, settings);
  }
}

PairEngine::~PairEngine() = default;
PairEngine::PairEngine(PairEngine&&) noexcept = default;

std::size_t PairEngine::size() const {
  return impl_->size();
}

void PairEngine::one_to_many(std::span<const Planar> query, std::span<float> distances,
                             const Heartbeat& heartbeat) const {
  assert(distances.size() == size());
  impl_->one_to_many(query, distances, heartbeat);
}

void PairEngine::one_to_many(std::span<const Planar> query, std::span<double> distances,
                             const Heartbeat& heartbeat) const {
  assert(distances.size() == size());
  impl_->one_to_many(query, distances, heartbeat);
}

void PairEngine::one_to_some(std::span<const Planar> query, std::span<const std::size_t> indices,
                             std::span<double> distances, const Heartbeat& heartbeat) const {
  assert(distances.size() == indices.size());
  impl_->one_to_some(query, indices, distances, heartbeat);
}

void PairEngine::many_to_many(const PlanarSet& queries, std::span<float> distances,
                              const Progress& progress) const {
  assert(distances.size() == queries.size() * size());
  impl_->many_to_many(queries, distances, progress);
}

void PairEngine::all_pairs(std::span<float> condensed, const Progress& progress) const {
  assert(condensed.size() == size() * (std::max<std::size_t>(size(), 1) - 1) / 2);
  impl_->all_pairs(condensed, progress);
}

double PairEngine::lane_waste() const {
  return impl_->lane_waste();
}

}  // namespace tsmini
