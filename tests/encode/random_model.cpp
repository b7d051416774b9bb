#include "encode/random_model.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "model/cell_grid.h"

namespace tsmini {
namespace {

// Draws the tensors of a network, with the names and shapes that training gives them.
class TensorMaker {
 public:
  TensorMaker(Model& model, std::uint64_t seed) : model_(model), random_(seed) {}

  void uniform(const std::string& name, const std::vector<std::size_t>& shape, double low,
               double high) {
    std::size_t count = 1;
    for (const std::size_t extent : shape) count *= extent;
    Tensor tensor{shape, std::vector<float>(count)};
    for (float& value : tensor.values) value = static_cast<float>(random_.uniform(low, high));
    model_.tensors[name] = std::move(tensor);
  }

  void weight(const std::string& name, std::size_t out, std::size_t in) {
    const double reach = 1 / std::sqrt(static_cast<double>(in));
    uniform(name, {out, in}, -reach, reach);
  }
  void gain(const std::string& name, std::size_t size) { uniform(name, {size}, 0.8, 1.2); }
  void shift(const std::string& name, std::size_t size) { uniform(name, {size}, -0.2, 0.2); }

  // Means, then variances.
  void running(const std::string& name, std::size_t size) {
    uniform(name, {2, size}, 0.5, 1.5);
    std::vector<float>& values = model_.tensors[name].values;
    for (std::size_t i = 0; i < size; ++i) values[i] -= 1;
  }

 private:
  Model& model_;
  Random random_;
};

void make_sub_views(TensorMaker& make, const NetSettings& settings) {
  make.weight("sub_views.input.weight", 16, feature_count + 4 * settings.fourier_octaves);
  std::size_t channels = 16;
  for (const std::size_t number : {1U, 2U, 3U}) {
    const std::size_t wider = number == 3 ? settings.dimension : 2 * channels;
    const std::string name = "sub_views.convolution" + std::to_string(number) + ".";
    make.weight(name + "weight", wider, 3 * channels);
    make.gain(name + "norm.gain", wider);
    make.shift(name + "norm.shift", wider);
    make.running(name + "norm.running", wider);
    channels = wider;
  }
  make.weight("sub_views.residual.weight", channels, channels);
  make.shift("sub_views.residual.bias", channels);
}

void make_layer(TensorMaker& make, const NetSettings& settings, const std::string& name) {
  const bool vanilla = settings.block == BlockKind::vanilla;
  const std::size_t width = settings.dimension, attended = 32 * settings.heads;
  for (const char* norm : {"attention.norm.", "feed.norm."}) {
    make.gain(name + norm + "gain", width);
    if (vanilla) make.shift(name + norm + "shift", width);
  }
  make.weight(name + "attention.in.weight", attended + 64 * settings.key_heads, width);
  make.weight(name + "attention.out.weight", width, attended);
  const std::size_t wide = vanilla ? settings.hidden : 2 * settings.hidden;
  make.weight(name + "feed.in.weight", wide, width);
  make.weight(name + "feed.out.weight", width, settings.hidden);
  if (vanilla) {
    make.shift(name + "feed.in.bias", wide);
    make.shift(name + "feed.out.bias", width);
  }
}

}  // namespace

Model random_model(const NetSettings& settings, std::uint64_t seed) {
  Model model;
  model.net = settings;
  model.frame = {Space(), {-500, -250}, {2500, 2250}};
  model.provenance = R"({"made":"by a test"})";
  TensorMaker make(model, seed);
  if (settings.sub_views) {
    make_sub_views(make, settings);
  } else {
    const CellGrid grid(settings, model.frame);
    std::vector<std::int64_t> known;  // but for every third
    for (std::int64_t number = 0; number < grid.columns * grid.rows; ++number) {
      if (number % 3 != 0) known.push_back(number);
    }
    make.uniform("cells.table", {known.size() + 1, settings.dimension}, -1, 1);
    model.tensors["cells.known"] = {{known.size(), 2}, places_of_cells(grid, known)};
  }
  for (std::size_t i = 0; i < settings.layers; ++i)
    make_layer(make, settings, "layers." + std::to_string(i) + ".");
  make.weight("head.weight", settings.dimension, settings.pooling.size() * settings.dimension);
  if (settings.unit_norm) make.shift("head.bias", settings.dimension);
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
