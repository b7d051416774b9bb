// The forward pass of one trajectory, compiled for every SIMD target.
//
// Rows go through the network in blocks, so that what one product makes is still near when the next
// one wants it; only attention needs all rows before the first can go on.
#include "simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "encode/network_forward.cpp"
#include <algorithm>
#include <cmath>

// clang-format off
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "encode/attention-inl.h"
// clang-format on

#include "base/next_multiple.h"
#include "encode/network.h"
#include "model/architecture.h"
#include "model/net_features.h"
#include "simd/dispatch.h"
#include "simd/thread_memory.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::encode::HWY_NAMESPACE {

constexpr std::size_t shrinks = window_rows - 1;  // rows that a convolution takes away
constexpr std::size_t cells_of_a_row = 256;       // what a product takes, in pairs that attend

// Memory for one trajectory, cut from one piece.
class Workspace {
 public:
  Workspace(const Network& network, std::size_t length)
      : stride(next_multiple(network.settings.dimension, row_unit)),
        attended_stride(network.settings.heads * head_size),
        qkv_stride(attended_stride + 2 * network.settings.key_heads * head_size),
        inner_stride(next_multiple(network.settings.hidden, row_unit)),
        pooled_size(network.settings.pooling.size() * network.settings.dimension) {
    const NetSettings& settings = network.settings;
    const auto channels = convolution_widths(settings);
    first_stride = next_multiple(channels[1], row_unit);
    second_stride = next_multiple(channels[2], row_unit);
    const std::size_t block = std::min(length, block_rows);
    const auto place = [&](float*& pointer, std::size_t count) {
      places_[placed_++] = {&pointer, total_};
      total_ += next_multiple(count, row_unit);
    };
    place(x, length * stride);
    place(qkv, length * qkv_stride);
    place(keys, packed_keys(settings.key_heads, length));
    place(first, (block + 2 * shrinks) * first_stride);
    place(second, (block + shrinks) * second_stride);
    place(normal, block * stride);
    place(attended, block * attended_stride);
    place(inner, block * inner_stride);
    place(positions, block * std::max(stride, 2 * head_size));
    place(sum, stride);
    place(most, stride);
    place(pooled, pooled_size);
    place(embedding, stride);
    float* memory = thread_memory<Workspace, float>(total_);
    for (std::size_t i = 0; i < placed_; ++i) *places_[i].pointer = memory + places_[i].offset;
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  // Rows begin at multiples of so many floats.
  static constexpr std::size_t row_unit = 16;

  std::size_t stride, attended_stride, qkv_stride, inner_stride, pooled_size;
  std::size_t first_stride, second_stride;
  float *x, *qkv, *keys;                              // of all rows
  float *first, *second, *normal, *attended, *inner;  // of a block
  float* positions;
  float *sum, *most, *pooled, *embedding;

 private:
  struct Place {
    float** pointer;
    std::size_t offset;
  };
  std::array<Place, 16> places_{};
  std::size_t placed_ = 0, total_ = 0;
};

class ForwardPass {
 public:
  ForwardPass(const Network& network, std::size_t points, Pulse& pulse)
      : network_(network),
        settings_(network.settings),
        length_(settings_.sub_views ? points - lost_rows : points),
        work_(network, length_),
        pulse_(pulse) {}

  void run(const float* features, float* embedding) {
    if (settings_.sub_views) {
      each_block([&](std::size_t first, std::size_t count) { sub_views(features, first, count); });
    } else {
      look_up_cells(features);
    }
    if (network_.sinusoidal.width() > 0) add_positions();
    for (const PackedLayer& layer : network_.layers) run_layer(layer);
    pool();
    finish(embedding);
  }

 private:
  static constexpr D d{};

  template <class Visit>
  void each_block(const Visit& visit) {
    each_run(length_, block_rows, [&](std::size_t first, std::size_t count) {
      visit(first, count);
      pulse_.work(count * cells_of_a_row);
    });
  }

  Rows x_from(std::size_t row) const { return {work_.x + row * work_.stride, work_.stride}; }

  void sub_views(const float* features, std::size_t first, std::size_t count) {
    static_assert(convolution_count == 3);
    const std::size_t columns = feature_columns(settings_);
    convolve(0, {features + first * columns, columns}, count + 2 * shrinks,
             {work_.first, work_.first_stride});
    convolve(1, {work_.first, work_.first_stride}, count + shrinks,
             {work_.second, work_.second_stride});
    const Sums view{work_.normal, work_.stride};
    convolve(2, {work_.second, work_.second_stride}, count, view);
    const Panels& residual = network_.residual;
    float* out = work_.x + first * work_.stride;
    multiply(residual, {view.data, view.stride}, count,
             [&](std::size_t row, std::size_t column, const float* sums, std::size_t vectors) {
               const std::size_t at = row * work_.stride + column;
               for (std::size_t v = 0; v < vectors; ++v) {
                 const std::size_t i = v * lanes;
                 const V branch = biased(residual, column + i, sums + i);
                 hn::Store(hn::Add(hn::Load(d, view.data + at + i), hn::Max(branch, hn::Zero(d))),
                           d, out + at + i);
               }
             });
  }

  // `in` holds two rows more than are made.
  void convolve(std::size_t number, Rows in, std::size_t rows, Sums out) {
    const Panels& matrix = network_.convolutions[number];
    multiply(matrix, in, rows,
             [&](std::size_t row, std::size_t column, const float* sums, std::size_t vectors) {
               for (std::size_t v = 0; v < vectors; ++v) {
                 const std::size_t i = v * lanes;
                 const V y = biased(matrix, column + i, sums + i);
                 hn::Store(hn::Max(y, hn::Mul(y, hn::Set(d, static_cast<float>(leak)))), d,
                           out.data + row * out.stride + column + i);
               }
             });
  }

  static V biased(const Panels& matrix, std::size_t column, const float* sums) {
    return hn::Add(hn::Load(d, sums), hn::Load(d, matrix.bias.get() + column));
  }

  // The same with neighbours in each other's place.
  static V swapped(const Panels& matrix, std::size_t column, const float* sums) {
#if HWY_TARGET == HWY_SCALAR
    return column % 2 == 0 ? biased(matrix, column + 1, sums + 1)
                           : biased(matrix, column - 1, sums - 1);
#else
    return hn::Shuffle2301(biased(matrix, column, sums));
#endif
  }

  void look_up_cells(const float* features) {
    const std::size_t columns = feature_columns(settings_), dimension = settings_.dimension;
    for (std::size_t r = 0; r < length_; ++r) {
      const float* point = features + r * columns;
      const std::size_t cell =
          row_of_cell(network_.known_cells, network_.grid.number_at(point[0], point[1]));
      float* row = work_.x + r * work_.stride;
      std::fill(std::copy_n(network_.cells.data() + cell * dimension, dimension, row),
                row + work_.stride, 0.0F);
    }
  }

  void add_positions() {
    each_block([&](std::size_t first, std::size_t count) {
      const float* positions = network_.sinusoidal.rows(first, count, work_.positions);
      for (std::size_t r = 0; r < count; ++r, positions += settings_.dimension) {
        float* row = work_.x + (first + r) * work_.stride;
        for (std::size_t i = 0; i < settings_.dimension; ++i) row[i] += positions[i];
      }
    });
  }

  void run_layer(const PackedLayer& layer) {
    each_block([&](std::size_t first, std::size_t count) { make_qkv(layer, first, count); });
    const Attention attention{
        settings_.heads, settings_.key_heads, length_, {work_.qkv, work_.qkv_stride}, work_.keys};
    pack_keys(attention, work_.keys);
    each_block([&](std::size_t first, std::size_t count) {
      attend(attention, first, count, {work_.attended, work_.attended_stride}, pulse_);
      add_product(layer.attention_out, {work_.attended, work_.attended_stride}, first, count);
      feed_forward(layer, first, count);
    });
  }

  void normalise_rows(std::size_t first, std::size_t count) {
    normalise(settings_.block == BlockKind::vanilla, x_from(first), count, settings_.dimension,
              work_.normal);
  }

  void make_qkv(const PackedLayer& layer, std::size_t first, std::size_t count) {
    normalise_rows(first, count);
    const bool turned = settings_.block == BlockKind::modern;
    const std::size_t turned_columns =
        turned ? (settings_.heads + settings_.key_heads) * head_size : 0;
    const float* rotary = turned ? network_.rotary.rows(first, count, work_.positions) : nullptr;
    float* out = work_.qkv + first * work_.qkv_stride;
    multiply(layer.attention_in, {work_.normal, work_.stride}, count,
             [&](std::size_t row, std::size_t column, const float* sums, std::size_t vectors) {
               for (std::size_t v = 0; v < vectors; ++v) {
                 const std::size_t at = column + v * lanes;
                 V y = biased(layer.attention_in, at, sums + v * lanes);
                 if (at < turned_columns) {
                   const float* turn = rotary + row * 2 * head_size + at % head_size;
                   y = hn::MulAdd(y, hn::LoadU(d, turn),
                                  hn::Mul(swapped(layer.attention_in, at, sums + v * lanes),
                                          hn::LoadU(d, turn + head_size)));
                 }
                 hn::Store(y, d, out + row * work_.qkv_stride + at);
               }
             });
  }

  // x += matrix · rows.
  void add_product(const Panels& matrix, Rows rows, std::size_t first, std::size_t count) const {
    float* x = work_.x + first * work_.stride;
    multiply(matrix, rows, count,
             [&](std::size_t row, std::size_t column, const float* sums, std::size_t vectors) {
               for (std::size_t v = 0; v < vectors; ++v) {
                 float* to = x + row * work_.stride + column + v * lanes;
                 const V y = biased(matrix, column + v * lanes, sums + v * lanes);
                 hn::Store(hn::Add(hn::Load(d, to), y), d, to);
               }
             });
  }

  void feed_forward(const PackedLayer& layer, std::size_t first, std::size_t count) {
    normalise_rows(first, count);
    const Panels& matrix = layer.feed_in;
    const Rows in{work_.normal, work_.stride};
    if (settings_.block == BlockKind::modern) {
      multiply(matrix, in, count,
               [&](std::size_t row, std::size_t column, const float* sums, std::size_t vectors) {
                 float* to = work_.inner + row * work_.inner_stride + column / 2;
                 for (std::size_t v = 0; v < vectors; v += 2, to += lanes)
                   hn::Store(hn::Mul(silu(hn::Load(d, sums + v * lanes)),
                                     hn::Load(d, sums + (v + 1) * lanes)),
                             d, to);
               });
    } else {
      multiply(matrix, in, count,
               [&](std::size_t row, std::size_t column, const float* sums, std::size_t vectors) {
                 for (std::size_t v = 0; v < vectors; ++v) {
                   const V y = biased(matrix, column + v * lanes, sums + v * lanes);
                   hn::Store(hn::Max(y, hn::Zero(d)), d,
                             work_.inner + row * work_.inner_stride + column + v * lanes);
                 }
               });
    }
    add_product(layer.feed_out, {work_.inner, work_.inner_stride}, first, count);
  }

  // Sums by blocks, so that rounding stays small in long trajectories.
  void pool() {
    const std::size_t size = settings_.dimension;
    std::fill_n(work_.sum, size, 0.0F);
    std::copy_n(work_.x, size, work_.most);
    each_block([&](std::size_t first, std::size_t count) {
      for (std::size_t i = 0; i < size; i += lanes) {
        V part = hn::Zero(d), most = hn::Load(d, work_.most + i);
        for (std::size_t r = first; r < first + count; ++r) {
          const V value = hn::Load(d, work_.x + r * work_.stride + i);
          part = hn::Add(part, value);
          most = hn::Max(most, value);
        }
        hn::Store(hn::Add(hn::Load(d, work_.sum + i), part), d, work_.sum + i);
        hn::Store(most, d, work_.most + i);
      }
    });
    float* to = work_.pooled;
    for (const Pool kind : {Pool::mean, Pool::max, Pool::sum, Pool::first, Pool::last}) {
      const std::vector<Pool>& wanted = settings_.pooling;
      if (std::find(wanted.begin(), wanted.end(), kind) == wanted.end()) continue;
      for (std::size_t i = 0; i < size; ++i) *to++ = pooled_value(kind, i);
    }
  }

  float pooled_value(Pool kind, std::size_t i) const {
    switch (kind) {
      case Pool::mean: return work_.sum[i] / static_cast<float>(length_);
      case Pool::max: return work_.most[i];
      case Pool::sum: return work_.sum[i] / static_cast<float>(sum_divisor);
      case Pool::first: return work_.x[i];
      case Pool::last: return work_.x[(length_ - 1) * work_.stride + i];
    }
    return 0;
  }

  void finish(float* embedding) {
    const Panels& head = network_.head;
    multiply(head, {work_.pooled, work_.pooled_size}, 1,
             [&](std::size_t, std::size_t column, const float* sums, std::size_t vectors) {
               for (std::size_t i = 0; i < vectors * lanes; i += lanes)
                 hn::Store(biased(head, column + i, sums + i), d, work_.embedding + column + i);
             });
    const std::size_t size = settings_.dimension;
    float factor = 1;
    if (settings_.unit_norm) {
      const float squares = sum_of(work_.embedding, size, [](V x) { return hn::Mul(x, x); });
      factor = 1 / std::max(std::sqrt(squares), static_cast<float>(least_length));
    }
    for (std::size_t i = 0; i < size; ++i) embedding[i] = work_.embedding[i] * factor;
  }

  const Network& network_;
  const NetSettings& settings_;
  std::size_t length_;
  Workspace work_;
  Pulse& pulse_;
};

void forward(const Network& network, const float* features, std::size_t points, float* embedding,
             Pulse& pulse) {
  ForwardPass(network, points, pulse).run(features, embedding);
}

Target this_target() {
  return {{lanes, tile_width}, &forward};
}

}  // namespace tsmini::encode::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsmini::encode {

HWY_EXPORT(this_target);

Target target_in_use() {
  return TSMINI_DISPATCH(this_target)();
}

}  // namespace tsmini::encode
#endif
