// One query against packed trips, in vector lanes: what PairEngine and exact search stand on.
//
//   const LaneRunner<float> runner(Measure::dtw, settings);
//   const PackedSet<float> packed = runner.pack<Planar>(trips, origin, runner.lanes());
//   const auto sink = [&](std::size_t trip, double d) { use(trip, d); };
//   runner.run({query, points}, packed, g, pulse, points_of, sink);
#pragma once

#include <cstddef>
#include <span>

#include "tsmini/measure.h"
#include "tsmini/planar_set.h"

#include "measure/check.h"
#include "measure/frechet_continuous.h"
#include "measure/kernels.h"
#include "measure/packed_set.h"
#include "simd/thread_memory.h"

namespace tsmini {

template <class T>
class LaneRunner {
 public:
  LaneRunner(Measure measure, const MeasureSettings& settings)
      : LaneRunner(measure, settings, kernel_for<T>(measure)) {}
  // A runner with another kernel over the channels of that measure: piece_kernel().
  LaneRunner(Measure measure, const MeasureSettings& settings, Kernel<T> kernel)
      : measure_(measure), settings_(settings), lanes_(kernel_lanes<T>()), kernel_(kernel) {}

  std::size_t lanes() const { return lanes_; }

  // Throws Error(bad_input) for trips that the measure cannot take.
  template <class Point>
  PackedSet<T> pack(std::span<const std::span<const Point>> trips, const Planar& origin,
                    std::size_t lanes) const {
    for (const std::span<const Point> trip : trips) check_length(measure_, trip.size());
    return PackedSet<T>(measure_, settings_, trips, lanes, origin);
  }

  struct Job {
    PackedQuery<T> query;
    std::span<const Planar> points;
    // The query's number, where it is one of the trips: of a pair, the trip of the lower number is
    // P then.
    std::size_t number = 0;
  };

  // Gives every trip of a group to sink(number, distance). points_of(number), in double precision,
  // is asked for with a band and by frechet-continuous.
  template <class PointsOf, class Sink>
  void run(const Job& job, const PackedSet<T>& packed, std::size_t g, Pulse& pulse,
           const PointsOf& points_of, const Sink& sink) const {
    const auto members = packed.members(g);
    if (settings_.band) {
      for (const std::size_t number : members) {
        sink(number,
             distance(measure_, job.points, points_of(number), settings_, pulse.heartbeat()));
      }
      return;
    }
    alignas(kernel_alignment) T out[kernel_alignment / sizeof(T)];
    alignas(kernel_alignment) T column_wins[kernel_alignment / sizeof(T)] = {};
    KernelCall<T> call;
    call.query = job.query;
    call.group = packed.group(g);
    call.squared_epsilon = static_cast<T>(settings_.epsilon * settings_.epsilon);
    call.out = out;
    call.scratch = thread_memory<LaneRunner, T>(scratch_rows * call.group.length * lanes_);
    call.column_wins = column_wins;
    call.pulse = &pulse;
    if (measure_ == Measure::edwp) {
      for (std::size_t lane = 0; lane < members.size(); ++lane) {
        const std::size_t length = call.group.lengths[lane];
        column_wins[lane] =
            length > job.query.length || (length == job.query.length && members[lane] < job.number);
      }
    }
    kernel_(call);
    for (std::size_t lane = 0; lane < members.size(); ++lane) {
      const std::size_t number = members[lane];
      auto value = static_cast<double>(out[lane]);
      if (measure_ == Measure::frechet_continuous) {
        value = frechet_continuous(job.points, points_of(number), pulse, value);
      }
      sink(number, value);
    }
  }

  // Gives every trip of the set to sink(number, distance), as run() does.
  template <class PointsOf, class Sink>
  void run_all(std::span<const Planar> query, const Planar& origin, const PackedSet<T>& packed,
               const Heartbeat& heartbeat, const PointsOf& points_of, const Sink& sink) const {
    check_points(measure_, query);
    const PackedSet<T> packed_query = pack<Planar>({&query, 1}, origin, 1);
    Pulse pulse(heartbeat);
    for (std::size_t g = 0; g < packed.size(); ++g) {
      run({packed_query.query(0), query}, packed, g, pulse, points_of, sink);
    }
  }

 private:
  Measure measure_;
  MeasureSettings settings_;
  std::size_t lanes_;
  Kernel<T> kernel_;
};

}  // namespace tsmini
