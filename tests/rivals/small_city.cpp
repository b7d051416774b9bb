#include "rivals/small_city.h"

#include <vector>

#include <gtest/gtest.h>

#include "tsmini/city.h"

namespace tsmini::rivals {

PlanarSet small_trips(std::size_t count, const Lengths& lengths) {
  DatasetBuilder builder;
  std::size_t made = 0;
  synthesize_city({.count = 4 * count}, [&](const Trajectory& trip) {
    const std::size_t length = lengths.least + (made * 7) % (lengths.most - lengths.least + 1);
    if (made == count || trip.points.size() < length) return;
    Trajectory piece = trip;
    piece.points = trip.points.first(length);
    piece.times = trip.times.empty() ? trip.times : trip.times.first(length);
    builder.add(piece);
    ++made;
  });
  const Dataset data = builder.finish();
  return {data, Space::fit(SpaceKind::mercator, data)};
}

City small_city(std::size_t count, const Lengths& lengths) {
  const PlanarSet trips = small_trips(count, lengths);
  return {trips, trips};
}

PlanarSet odd_trips(const PlanarSet& trips) {
  std::vector<Planar> points;
  std::vector<std::uint64_t> offsets{0};
  const auto end = [&] { offsets.push_back(points.size()); };
  for (const std::size_t i : {0U, 5U, 63U}) {
    points.insert(points.end(), trips[i].begin(), trips[i].end());
    end();
  }
  points.push_back(trips[3][4]);
  end();
  points.insert(points.end(), 12, trips[7][2]);
  end();
  points.insert(points.end(), {{trips[0][0].x + 1e6, trips[0][0].y - 1e6}, trips[0][1]});
  end();
  return {points, offsets};
}

Small small_rival(const RivalKind& kind, const Settings& settings, std::size_t trips,
                  const Lengths& lengths) {
  City city = small_city(trips, lengths);
  Ground ground = settle(kind, city, settings);
  torch::manual_seed(settings.seed);
  std::shared_ptr<Rival> rival = kind.make(settings, ground);
  return {city, ground, rival};
}

TrainingSet training_set(const Rival& rival, const PlanarSet& trips, Measure measure) {
  return {rival.prepare(trips), labels_of(measure, trips, 1, torch::kCPU)};
}

void expect_embeddings(const Small& small, const PlanarSet& trips,
                       const std::function<plain::Row(std::span<const Planar>)>& expected) {
  const Tensor rows = embeddings(*small.rival, small.rival->prepare(trips));
  for (std::size_t i = 0; i < trips.size(); ++i)
    EXPECT_LT(plain::difference(plain::row_of(rows[static_cast<int>(i)]), expected(trips[i])), 1e-5)
        << i;
}

double overfit(const Small& small, const TrainingSet& set, std::uint64_t steps) {
  const Tensor truth = set.labels.matrix * set.labels.largest;
  const auto ids = all_ids(truth.size(0));
  const auto validate = [&] {
    return score_of(small.rival->distances(set.streams, ids, {}), truth);
  };
  const std::optional<Stage> stage = small.rival->training(set);
  return train(*small.rival, *stage, {.steps = steps, .validations = 10}, validate, {}).best->hr10;
}

double overfitted_hr10(const RivalKind& kind, const Settings& settings, std::uint64_t steps) {
  const Small small = small_rival(kind, settings, 64, short_trips);
  return overfit(small, training_set(*small.rival, small.city.train, settings.measure), steps);
}

}  // namespace tsmini::rivals
