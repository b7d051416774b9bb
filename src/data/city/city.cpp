#include "tsmini/city.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include "data/city/network.h"
#include "data/city/places.h"
#include "data/city/routes.h"
#include "data/city/trips.h"

namespace tsmini {

namespace {

constexpr std::uint64_t block_size = 256;  // trips made by one task

struct Block {
  std::uint64_t first = 0;  // number of its first trip
  std::vector<city::Trip> trips;
};

std::string trip_id(std::uint64_t number) {
  std::array<char, 32> id{};
  std::snprintf(id.data(), id.size(), "trip-%07llu", static_cast<unsigned long long>(number));
  return id.data();
}

}  // namespace

void synthesize_city(const CityOptions& options, const std::function<void(const Trajectory&)>& sink,
                     const Progress& progress) {
  const city::Network network = city::build_network(options.seed);
  const city::Router router(network);
  const city::Places places(network, options.seed);

  std::uint64_t started = 0, done = 0;  // trips
  const auto next_block = [&](tbb::flow_control& control) {
    const std::uint64_t first = started + 1;
    if (started >= options.count) control.stop();
    started += block_size;
    return first;
  };
  const auto make_block = [&](std::uint64_t first) {
    Block block{first, {}};
    block.trips.resize(std::min(block_size, options.count - first + 1));
    city::TripMaker maker(router, places, options.seed);
    for (std::size_t i = 0; i < block.trips.size(); ++i) maker.make(first + i, block.trips[i]);
    return block;
  };
  const auto deliver = [&](const Block& block) {
    for (std::size_t i = 0; i < block.trips.size(); ++i) {
      const std::string id = trip_id(block.first + i);
      sink({id, block.trips[i].points, block.trips[i].times});
    }
    done += block.trips.size();
    if (progress) progress({done, options.count});
  };

  const auto tokens = static_cast<std::size_t>(2 * tbb::this_task_arena::max_concurrency());
  tbb::parallel_pipeline(
      tokens, tbb::make_filter<void, std::uint64_t>(tbb::filter_mode::serial_in_order, next_block) &
                  tbb::make_filter<std::uint64_t, Block>(tbb::filter_mode::parallel, make_block) &
                  tbb::make_filter<Block, void>(tbb::filter_mode::serial_in_order, deliver));
}

}  // namespace tsmini
