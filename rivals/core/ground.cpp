#include "rivals/core/ground.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/error.h"

namespace tsmini::rivals {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<int, int>, 8> directions{
    {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};

[[noreturn]] void throw_unsound(const std::string& what) {
  throw Error(ErrorCode::bad_input, fmt::format("the ground of this rival is not sound: {}", what),
              "train it again");
}

// Numbers of rows and columns must be exact in a file of floats.
std::int64_t cells_along(double extent, double size) {
  constexpr double most = 1 << 24;
  const double cells = std::ceil(extent / size);
  if (!(size > 0) || !(cells <= most))
    throw Error(ErrorCode::bad_input,
                fmt::format("{:.3g} units are too far for cells of {:.3g}", extent, size),
                "rivals need coordinates in degrees or in metres");
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(cells));
}

}  // namespace

PlanarBox box_of(const PlanarSet& trips) {
  PlanarBox box;
  for (std::size_t i = 0; i < trips.size(); ++i) {
    for (const Planar& point : trips[i]) box.add(point);
  }
  return box;
}

Cells::Cells(const PlanarSet& trips, double size) : Cells(box_of(trips), size, {}) {
  box_ = {{box_.low.x - margin, box_.low.y - margin}, {box_.high.x + margin, box_.high.y + margin}};
  *this = Cells(box_, size, {});
  std::vector<std::int64_t> touched;
  for (std::size_t i = 0; i < trips.size(); ++i) {
    for (const Planar& point : trips[i]) {
      const std::int64_t number = number_at(point);
      if (touched.empty() || touched.back() != number) touched.push_back(number);
    }
  }
  const auto settle = [](std::vector<std::int64_t>& numbers) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  };
  settle(touched);
  known_ = touched;
  for (const std::int64_t number : touched) {
    const std::int64_t column = number % columns_, row = number / columns_;
    for (const auto& [east, north] : directions) {
      const std::int64_t c = column + east, r = row + north;
      if (c >= 0 && c < columns_ && r >= 0 && r < rows_) known_.push_back(r * columns_ + c);
    }
  }
  settle(known_);
  index_known();
}

Cells::Cells(const PlanarBox& box, double size, std::vector<std::int64_t> known)
    : box_(box), size_(size), known_(std::move(known)) {
  columns_ = cells_along(box.width(), size);
  rows_ = cells_along(box.height(), size);
  index_known();
}

void Cells::index_known() {
  places_.clear();
  places_.reserve(known_.size());
  for (std::size_t i = 0; i < known_.size(); ++i)
    places_.emplace(known_[i], static_cast<std::int64_t>(i));
}

std::int64_t Cells::column_at(const Planar& point) const {
  const double column = std::floor((point.x - box_.low.x) / size_);
  return static_cast<std::int64_t>(std::clamp(column, 0.0, static_cast<double>(columns_ - 1)));
}

std::int64_t Cells::row_of_grid_at(const Planar& point) const {
  const double row = std::floor((point.y - box_.low.y) / size_);
  return static_cast<std::int64_t>(std::clamp(row, 0.0, static_cast<double>(rows_ - 1)));
}

Planar Cells::centre_of(std::int64_t number) const {
  return {box_.low.x + (static_cast<double>(number % columns_) + .5) * size_,
          box_.low.y + (static_cast<double>(number / columns_) + .5) * size_};
}

std::int64_t Cells::place_of(std::int64_t number) const {
  const auto found = places_.find(number);
  return found == places_.end() ? -1 : found->second;
}

std::int64_t Cells::row_at(const Planar& point) const {
  const std::int64_t column = column_at(point), row = row_of_grid_at(point);
  if (const std::int64_t place = place_of(row * columns_ + column); place >= 0) return place;
  // Rings around it; once one holds a known cell, none that is farther than the nearest there by
  // more than the ring's corner can be nearer.
  std::int64_t best = -1;
  double least = std::numeric_limits<double>::infinity();
  const auto look_at = [&](std::int64_t c, std::int64_t r) {
    if (c < 0 || c >= columns_ || r < 0 || r >= rows_) return;
    const std::int64_t place = place_of(r * columns_ + c);
    if (place < 0) return;
    const double away = std::hypot(static_cast<double>(c - column), static_cast<double>(r - row));
    if (away < least) {
      least = away;
      best = place;
    }
  };
  constexpr std::int64_t most_rings = 20;
  for (std::int64_t ring = 1; static_cast<double>(ring) <= least; ++ring) {
    if (ring > most_rings) {  // far from all: it is quicker to look at each
      for (const std::int64_t number : known_) look_at(number % columns_, number / columns_);
      break;
    }
    for (std::int64_t i = -ring; i <= ring; ++i) {
      look_at(column + i, row - ring);
      look_at(column + i, row + ring);
      look_at(column - ring, row + i);
      look_at(column + ring, row + i);
    }
  }
  return best;
}

std::vector<std::array<std::int64_t, 8>> Cells::neighbours() const {
  std::vector<std::array<std::int64_t, 8>> all(known_.size());
  for (std::size_t i = 0; i < known_.size(); ++i) {
    const std::int64_t column = known_[i] % columns_, row = known_[i] / columns_;
    for (std::size_t d = 0; d < directions.size(); ++d) {
      const std::int64_t c = column + directions[d].first, r = row + directions[d].second;
      const bool inside = c >= 0 && c < columns_ && r >= 0 && r < rows_;
      all[i][d] = inside ? place_of(r * columns_ + c) : -1;
    }
  }
  return all;
}

std::vector<CellRun> runs_of(const Cells& cells, std::span<const Planar> trip) {
  std::vector<CellRun> runs;
  std::int64_t last = -1;
  for (const Planar& point : trip) {
    const std::int64_t number = cells.number_at(point);
    if (number == last) continue;
    last = number;
    runs.push_back({point, cells.row_at(point)});
  }
  return runs;
}

Statistics statistics_of(const PlanarSet& trips) {
  const Planar origin = trips.origin();
  double count = 0, x = 0, y = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < trips.size(); ++i) {
    for (const Planar& point : trips[i]) {
      const double dx = point.x - origin.x, dy = point.y - origin.y;
      ++count;
      x += dx;
      y += dy;
      xx += dx * dx;
      yy += dy * dy;
    }
  }
  const auto deviation = [count](double sum, double squares) {
    const double variance = squares / count - (sum / count) * (sum / count);
    return variance > 0 ? std::sqrt(variance) : 1.0;
  };
  return {origin.x + x / count, origin.y + y / count, deviation(x, xx), deviation(y, yy)};
}

Ground common_ground(const City& city) {
  return {Cells(city.all), statistics_of(city.train), {}};
}

std::string Ground::facts() const {
  const PlanarBox& box = cells.box();
  const Json json = {{"box", {box.low.x, box.low.y, box.high.x, box.high.y}},
                     {"cell", cells.size()},
                     {"mean", {statistics.mean_x, statistics.mean_y}},
                     {"deviation", {statistics.deviation_x, statistics.deviation_y}}};
  return json.dump();
}

const Tensor& cell_vectors_of(const Ground& ground, std::int64_t width) {
  const auto found = ground.tensors.find("vectors");
  const auto cells = static_cast<std::int64_t>(ground.cells.known().size());
  if (found == ground.tensors.end() || found->second.dim() != 2 || found->second.size(0) != cells ||
      found->second.size(1) != width)
    throw_unsound("it has not one vector a cell");
  return found->second;
}

Tensors tensors_of(const Ground& ground) {
  Tensors tensors;
  for (const auto& [name, tensor] : ground.tensors) tensors["ground." + name] = tensor;
  const std::int64_t columns = ground.cells.columns();
  std::vector<float> places;
  for (const std::int64_t number : ground.cells.known()) {
    places.push_back(static_cast<float>(number % columns));
    places.push_back(static_cast<float>(number / columns));
  }
  tensors["ground.known"] = torch::tensor(places).reshape({-1, 2});
  return tensors;
}

Ground ground_from(const std::string& facts, const Tensors& tensors) {
  Ground ground;
  try {
    const Json json = Json::parse(facts);
    const auto box = json.at("box").get<std::array<double, 4>>();
    const auto mean = json.at("mean").get<std::array<double, 2>>();
    const auto deviation = json.at("deviation").get<std::array<double, 2>>();
    ground.cells = Cells({{box[0], box[1]}, {box[2], box[3]}}, json.at("cell"), {});
    ground.statistics = {mean[0], mean[1], deviation[0], deviation[1]};
    if (!(deviation[0] > 0) || !(deviation[1] > 0)) throw_unsound("a deviation is not above 0");
  } catch (const Json::exception& error) {
    throw_unsound(error.what());
  }
  const auto known = tensors.find("ground.known");
  if (known == tensors.end() || known->second.dim() != 2 || known->second.size(1) != 2)
    throw_unsound("it names no cells");
  const Tensor places = known->second.contiguous();
  const std::int64_t columns = ground.cells.columns();
  const auto is_place = [](float value, std::int64_t count) {
    return value >= 0 && value < static_cast<float>(count) && value == std::floor(value);
  };
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < places.size(0); ++i) {
    const auto* place = places.data_ptr<float>() + 2 * i;
    if (!is_place(place[0], columns) || !is_place(place[1], ground.cells.rows()))
      throw_unsound("a cell is outside its box");
    const std::int64_t number =
        static_cast<std::int64_t>(place[1]) * columns + static_cast<std::int64_t>(place[0]);
    if (!numbers.empty() && number <= numbers.back()) throw_unsound("its cells do not rise");
    numbers.push_back(number);
  }
  if (numbers.empty()) throw_unsound("it names no cells");
  ground.cells = Cells(ground.cells.box(), ground.cells.size(), std::move(numbers));
  constexpr std::string_view prefix = "ground.";
  for (const auto& [name, tensor] : tensors) {
    if (name.starts_with(prefix) && name != "ground.known")
      ground.tensors[name.substr(prefix.size())] = tensor;
  }
  return ground;
}

}  // namespace tsmini::rivals
