// Trajectories and data sets made by hand or at random.
#pragma once

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "tsmini/dataset.h"

namespace tsmini {

struct OwnedTrajectory {
  std::string id;
  std::vector<Position> points;
  std::vector<std::int64_t> times;

  Trajectory view() const { return {id, points, times}; }
};

inline Dataset built(const std::vector<OwnedTrajectory>& trajectories,
                     const std::vector<Part>& parts = {},
                     Coordinates coordinates = Coordinates::degrees) {
  DatasetBuilder builder(coordinates);
  for (std::size_t i = 0; i < trajectories.size(); ++i) {
    builder.add(trajectories[i].view(), parts.empty() ? Part::none : parts[i]);
  }
  return builder.finish("{\"made\":\"by a test\"}");
}

inline void write_dataset(const std::filesystem::path& path,
                          const std::vector<OwnedTrajectory>& trajectories,
                          const std::vector<Part>& parts = {},
                          Coordinates coordinates = Coordinates::degrees) {
  DatasetWriter writer(path, coordinates);
  for (const OwnedTrajectory& t : trajectories) writer.add(t.view());
  writer.finish(parts, "{\"made\":\"by a test\"}");
}

// Trips of 2 to 40 points, about half of them with times.
inline std::vector<OwnedTrajectory> random_trajectories(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> lon(-180, 180), lat(-90, 90);
  std::vector<OwnedTrajectory> result(count);
  for (std::size_t i = 0; i < count; ++i) {
    OwnedTrajectory& t = result[i];
    t.id = "trip " + std::to_string(i);
    const std::size_t size = 2 + random() % 39;
    const bool timed = random() % 2 == 0;
    std::int64_t time = static_cast<std::int64_t>(random() % 2'000'000'000) - 100'000'000;
    for (std::size_t k = 0; k < size; ++k) {
      t.points.push_back({lon(random), lat(random)});
      time += static_cast<std::int64_t>(random() % 100);
      if (timed) t.times.push_back(time);
    }
  }
  return result;
}

}  // namespace tsmini
