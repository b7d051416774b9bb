#include "encode/positions.h"

#include <cmath>

#include "model/architecture.h"

namespace tsmini::encode {
namespace {

constexpr std::size_t ready = 1024;

double angle_of(std::size_t position, std::size_t pair, std::size_t numbers) {
  const double share = static_cast<double>(2 * pair) / static_cast<double>(numbers);
  return static_cast<double>(position) * std::pow(slowest_turn, -share);
}

void fill_rotary(std::size_t position, std::size_t, float* row) {
  for (std::size_t pair = 0; pair < head_size / 2; ++pair) {
    const double angle = angle_of(position, pair, head_size);
    row[2 * pair] = row[2 * pair + 1] = static_cast<float>(std::cos(angle));
    row[head_size + 2 * pair + 1] = static_cast<float>(std::sin(angle));
    row[head_size + 2 * pair] = -row[head_size + 2 * pair + 1];
  }
}

void fill_sinusoidal(std::size_t position, std::size_t dimension, float* row) {
  for (std::size_t i = 0; i < dimension; ++i) {
    const double angle = angle_of(position, i / 2, dimension);
    row[i] = static_cast<float>(i % 2 == 0 ? std::sin(angle) : std::cos(angle));
  }
}

}  // namespace

PositionTable::PositionTable(Fill fill, std::size_t width)
    : fill_(fill), width_(width), table_(ready * width) {
  for (std::size_t i = 0; i < ready; ++i) fill_(i, width_, table_.data() + i * width_);
}

const float* PositionTable::rows(std::size_t first, std::size_t count, float* memory) const {
  if (first + count <= ready) return table_.data() + first * width_;
  for (std::size_t i = 0; i < count; ++i) fill_(first + i, width_, memory + i * width_);
  return memory;
}

PositionTable rotary_positions() {
  return {&fill_rotary, 2 * head_size};
}

PositionTable sinusoidal_positions(std::size_t dimension) {
  return {&fill_sinusoidal, dimension};
}

}  // namespace tsmini::encode
