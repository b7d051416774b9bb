#include "rivals/small_city.h"

#include "tsmini/city.h"

namespace tsmini::rivals {

PlanarSet small_trips(std::size_t count, std::uint64_t seed) {
  DatasetBuilder builder;
  std::size_t made = 0;
  synthesize_city({.count = 4 * count, .seed = seed}, [&](const Trajectory& trip) {
    if (made == count || trip.points.size() < 20) return;
    const std::size_t length = 20 + (made * 7) % 21;
    if (trip.points.size() < length) return;
    Trajectory piece = trip;
    piece.points = trip.points.first(length);
    piece.times = trip.times.empty() ? trip.times : trip.times.first(length);
    builder.add(piece);
    ++made;
  });
  const Dataset data = builder.finish();
  return {data, Space::fit(SpaceKind::mercator, data)};
}

City small_city(std::size_t count) {
  const PlanarSet trips = small_trips(count);
  return {trips, trips};
}

Small small_rival(const RivalKind& kind, const Settings& settings, std::size_t trips) {
  City city = small_city(trips);
  Ground ground = settle(kind, city, settings);
  torch::manual_seed(settings.seed);
  std::shared_ptr<Rival> rival = kind.make(settings, ground);
  return {city, ground, rival};
}

TrainingSet training_set(const Rival& rival, const PlanarSet& trips, Measure measure) {
  return {trips, rival.prepare(trips), labels_of(measure, trips, 1, torch::kCPU)};
}

double overfitted_hr10(const RivalKind& kind, const Settings& settings, std::uint64_t steps,
                       std::size_t trips) {
  const Small small = small_rival(kind, settings, trips);
  const TrainingSet set = training_set(*small.rival, small.city.train, settings.measure);
  const Tensor truth = set.labels.matrix * set.labels.largest;
  const auto ids = all_ids(truth.size(0));
  const auto validate = [&] {
    return score_of(small.rival->distances(set.streams, ids, {}), truth);
  };
  const std::optional<Stage> stage = small.rival->training(set);
  return train(*small.rival, *stage, {.steps = steps, .validations = 10}, validate, {}).best->hr10;
}

}  // namespace tsmini::rivals
