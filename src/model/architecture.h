// The network: every constant of it and every tensor. Training, the encoder, the checks of settings
// and of files, and docs/formats.md take them from here.
//
//   for (const TensorSpec& tensor : network_tensors(settings)) use(tensor);
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tsmini/model.h"

namespace tsmini {

inline constexpr std::size_t head_size = 32;  // numbers of an attention head, at any dimension
inline constexpr std::size_t most_heads = 64;
inline constexpr double attention_scale = 0.17677669529663687;  // 1 / sqrt(head_size)
static_assert(attention_scale * attention_scale * head_size > 1 - 1e-15 &&
              attention_scale * attention_scale * head_size < 1 + 1e-15);

// Sub-views: a linear layer, then convolutions that see a row and its neighbours, without padding.
inline constexpr std::size_t input_width = 16;
inline constexpr std::size_t convolution_count = 3;
inline constexpr std::size_t window_rows = 3;
inline constexpr std::size_t lost_rows = convolution_count * (window_rows - 1);  // of a trip
static_assert(shortest_input >= lost_rows + 1);  // so that a row of each is left
// Channels before the first convolution, between them and after the last.
std::array<std::size_t, convolution_count + 1> convolution_widths(const NetSettings& settings);

inline constexpr double norm_epsilon = 1e-5;   // of variances and mean squares, in all norms
inline constexpr double running_share = 0.1;   // of a batch in running statistics
inline constexpr double leak = 0.01;           // slope of the leaky ReLU below 0
inline constexpr double least_length = 1e-12;  // by which an embedding is divided for unit length
inline constexpr double sum_divisor = 50;      // of Pool::sum
inline constexpr double slowest_turn = 10000;  // a position turns pair i of n by this^(-2 i / n)

// Rows that are worked on at a time on the CPU: what one product makes of them is still in a core's
// cache when the next wants it.
inline constexpr std::size_t block_rows = 96;

// What training begins with.
enum class Start {
  uniform,  // within ±1 / sqrt(fan_in)
  normal,   // of mean 0 and deviation 1
  zero,
  one,
  statistics,  // means 0, then variances 1; followed while training, not trained
  given,       // the known cells; not trained
};

struct TensorSpec {
  std::string name;
  std::vector<std::size_t> shape;
  std::string_view sizes;  // the shape in words of the settings
  std::string_view meaning;
  Start start = Start::uniform;
  std::size_t fan_in = 1;

  bool trained() const { return start != Start::statistics && start != Start::given; }
  std::size_t size() const;
};

// All tensors of a network in the order in which training draws them. `known_cells`: those of a
// network without sub-views.
std::vector<TensorSpec> network_tensors(const NetSettings& settings, std::size_t known_cells = 0);

// Throws Error(bad_input) naming a tensor that is missing, left over, or of another shape than the
// settings ask for.
void check_tensors(const NetSettings& settings,
                   const std::map<std::string, Tensor, std::less<>>& tensors);

}  // namespace tsmini
