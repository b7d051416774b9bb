#include "encode/random_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "model/architecture.h"
#include "model/cell_grid.h"

namespace tsmini {
namespace {

// Away from what training begins with, so that nothing hides behind a 0 or a 1.
std::vector<float> random_values(const TensorSpec& tensor, Random& random) {
  const double reach = 1 / std::sqrt(static_cast<double>(tensor.fan_in));
  std::vector<float> values(tensor.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    double value = random.uniform(-1, 1);
    switch (tensor.start) {
      case Start::uniform: value *= reach; break;
      case Start::normal: break;
      case Start::zero: value *= 0.2; break;
      case Start::one: value = 1 + 0.2 * value; break;
      case Start::statistics: value = (i < values.size() / 2 ? 0 : 1) + 0.5 * value; break;
      case Start::given: break;
    }
    values[i] = static_cast<float>(value);
  }
  return values;
}

// All cells but for every third.
std::vector<std::int64_t> most_cells(const CellGrid& grid) {
  std::vector<std::int64_t> known;
  for (std::int64_t number = 0; number < grid.columns * grid.rows; ++number) {
    if (number % 3 != 0) known.push_back(number);
  }
  return known;
}

}  // namespace

Model random_model(const NetSettings& settings, std::uint64_t seed) {
  Model model;
  model.net = settings;
  model.frame = {Space(), {-500, -250}, {2500, 2250}};
  model.provenance = R"({"made":"by a test"})";
  const CellGrid grid(settings, model.frame);
  const std::vector<std::int64_t> known = most_cells(grid);
  Random random(seed);
  for (const TensorSpec& tensor : network_tensors(settings, known.size()))
    model.tensors[tensor.name] = {tensor.shape, tensor.start == Start::given
                                                    ? places_of_cells(grid, known)
                                                    : random_values(tensor, random)};
  return model;
}

std::vector<Position> random_trip(std::size_t points, std::uint64_t seed) {
  Random random(seed);
  const auto inside = [](double value) { return std::clamp(value, 0.0, 2000.0); };
  std::vector<Position> trip{{random.uniform(200, 1800), random.uniform(200, 1800)}};
  double heading = random.uniform(0, 6.28);
  while (trip.size() < points) {
    heading += random.uniform(-0.8, 0.8);
    const double step = random.uniform(0, 180);
    trip.push_back({inside(trip.back().lon + step * std::cos(heading)),
                    inside(trip.back().lat + step * std::sin(heading))});
  }
  return trip;
}

Dataset random_trips(const std::vector<std::size_t>& lengths, std::uint64_t seed) {
  DatasetBuilder builder(Coordinates::planar);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const std::string id = "trip " + std::to_string(i);
    const std::vector<Position> points = random_trip(lengths[i], seed + i);
    builder.add({id, points, {}});
  }
  return builder.finish();
}

std::vector<std::size_t> numbers(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

void Variants::add(const std::string& name, const std::function<void(NetSettings&)>& change) {
  all_.push_back({name, base_});
  change(all_.back().settings);
}

void Variants::add_usual() {
  add("any length", [](NetSettings& s) { s.unit_norm = false; });
  add("grouped queries", [](NetSettings& s) { s.key_heads = 2; });
  add("vanilla", [](NetSettings& s) { s.block = BlockKind::vanilla; });
  add("cells", [](NetSettings& s) { s.sub_views = false; });
  add("vanilla cells", [](NetSettings& s) {
    s.sub_views = false;
    s.block = BlockKind::vanilla;
    s.cell_metres = 170;
  });
  add("fourier", [](NetSettings& s) { s.fourier_octaves = 4; });
}

std::vector<Variant> net_variants() {
  NetSettings base;
  base.hidden = 64;
  Variants all(base);
  all.add_usual();
  all.add("all pools", [](NetSettings& s) {
    s.pooling = {Pool::last, Pool::mean, Pool::max, Pool::sum, Pool::first};
  });
  all.add("three layers", [](NetSettings& s) { s.layers = 3; });
  all.add("one head", [](NetSettings& s) { s.heads = s.key_heads = 1; });
  all.add("wide", [](NetSettings& s) {
    s.dimension = 512;
    s.heads = s.key_heads = 8;
    s.hidden = 300;
  });
  all.add("odd sizes", [](NetSettings& s) {
    s.dimension = 90;
    s.heads = 3;
    s.key_heads = 1;
    s.hidden = 37;
  });
  all.add("odd sizes, vanilla", [](NetSettings& s) {
    s.dimension = 90;
    s.heads = s.key_heads = 5;
    s.hidden = 37;
    s.block = BlockKind::vanilla;
  });
  std::vector<Variant> made = all.take();
  made.insert(made.begin(), {"default", {}});
  return made;
}

}  // namespace tsmini
