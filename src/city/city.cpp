#include "tsmini/city.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include "tsmini/error.h"

#include "city/network.h"
#include "city/places.h"
#include "city/routes.h"
#include "city/trips.h"

namespace tsmini {

namespace {

constexpr std::uint64_t block_size = 256;  // trips made by one task

std::string trip_id(std::uint64_t number) {
  std::array<char, 32> id{};
  std::snprintf(id.data(), id.size(), "trip-%07llu", static_cast<unsigned long long>(number));
  return id.data();
}

void check(const CityOptions& options) {
  if (!(options.sampling >= 1) || !std::isfinite(options.sampling)) {
    throw Error(ErrorCode::usage,
                fmt::format("points {} s apart have no times of their own, in whole seconds",
                            options.sampling),
                "give a sampling of 1 s or more", "sampling");
  }
  if (options.fewest_points > options.most_points) {
    throw Error(ErrorCode::usage,
                fmt::format("trips of at least {} and at most {} points do not exist",
                            options.fewest_points, options.most_points),
                "give a range of points that does not end before it begins", "fewest_points");
  }
  const double least = static_cast<double>(options.fewest_points) * options.sampling;
  if (least > city::longest_ride) {
    throw Error(ErrorCode::usage,
                fmt::format("{} points {} s apart take {} s, and hardly a ride lasts "
                            "more than {} s",
                            options.fewest_points, options.sampling, least, city::longest_ride),
                fmt::format("ask for trips from {} points on, or for denser points",
                            std::floor(city::longest_ride / options.sampling)),
                "fewest_points");
  }
  const double most = static_cast<double>(options.most_points) * options.sampling;
  if (most < city::shortest_ride) {
    throw Error(
        ErrorCode::usage,
        fmt::format("{} points {} s apart take {} s, and hardly a ride lasts "
                    "less than {} s",
                    options.most_points, options.sampling, most, city::shortest_ride),
        fmt::format("allow {} points or more", std::ceil(city::shortest_ride / options.sampling)),
        "most_points");
  }
}

}  // namespace

void synthesize_city(const CityOptions& options, const std::function<void(const Trajectory&)>& sink,
                     const Progress& progress) {
  check(options);
  const city::Network network = city::build_network(options.seed);
  const city::Router router(network);
  const city::Places places(network, options.seed);

  // Blocks in flight are consecutive, so each has a slot of its own.
  const auto in_flight = 2 * static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  std::vector<std::vector<city::Trip>> slots(in_flight, std::vector<city::Trip>(block_size));
  const std::uint64_t blocks = (options.count + block_size - 1) / block_size;
  const auto end_of = [&](std::uint64_t block) {
    return std::min(options.count, (block + 1) * block_size);
  };

  std::uint64_t started = 0;
  const auto start = [&](tbb::flow_control& control) {
    if (started == blocks) control.stop();
    return started++;
  };
  const auto make = [&](std::uint64_t block) {
    std::vector<city::Trip>& trips = slots[block % in_flight];
    city::TripMaker maker(router, places, options);
    for (std::uint64_t i = block * block_size; i < end_of(block); ++i) {
      maker.make(i + 1, trips[i % block_size]);
    }
    return block;
  };
  const auto deliver = [&](std::uint64_t block) {
    const std::vector<city::Trip>& trips = slots[block % in_flight];
    for (std::uint64_t i = block * block_size; i < end_of(block); ++i) {
      const std::string id = trip_id(i + 1);
      const city::Trip& trip = trips[i % block_size];
      sink({id, trip.points, trip.times});
    }
    if (progress) progress({end_of(block), options.count});
  };

  tbb::parallel_pipeline(
      in_flight,
      tbb::make_filter<void, std::uint64_t>(tbb::filter_mode::serial_in_order, start) &
          tbb::make_filter<std::uint64_t, std::uint64_t>(tbb::filter_mode::parallel, make) &
          tbb::make_filter<std::uint64_t, void>(tbb::filter_mode::serial_in_order, deliver));
}

}  // namespace tsmini
