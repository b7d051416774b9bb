// Attention within one trajectory, without a table of all pairs: a few queries against blocks of
// keys, with the largest score so far kept aside.
#include <cstddef>

#if defined(TSMINI_ENCODE_ATTENTION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TSMINI_ENCODE_ATTENTION_INL_H_
#undef TSMINI_ENCODE_ATTENTION_INL_H_
#else
#define TSMINI_ENCODE_ATTENTION_INL_H_
#endif

#include "base/next_multiple.h"
#include "base/pulse.h"
#include "encode/rows-inl.h"
#include "model/architecture.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::encode::HWY_NAMESPACE {

// Queries, keys and values of a trajectory, side by side in rows.
struct Attention {
  std::size_t heads, key_heads, length;
  Rows rows;          // of queries of all heads, then keys, then values
  const float* keys;  // once more, in panels: see pack_keys()

  std::size_t key_head(std::size_t head) const { return head / (heads / key_heads); }
};

inline std::size_t packed_keys(std::size_t key_heads, std::size_t length) {
  return key_heads * head_size * next_multiple(length, tile_width);
}

// Keys as the right side of a product: in panels of tile_width keys, number after number. The last
// vector is filled up with zeros.
inline void pack_keys(const Attention& attention, float* keys) {
  const D d;
  const std::size_t length = attention.length, padded = next_multiple(length, tile_width);
  const auto place = [&](std::size_t head, std::size_t j) {
    return keys + (head * padded + j / tile_width * tile_width) * head_size + j % tile_width;
  };
  for (std::size_t h = 0; h < attention.key_heads; ++h) {
    float* last = place(h, (length - 1) / lanes * lanes);
    for (std::size_t c = 0; c < head_size; ++c) hn::Store(hn::Zero(d), d, last + c * tile_width);
    const float* from = attention.rows.data + (attention.heads + h) * head_size;
    for (std::size_t j = 0; j < length; ++j, from += attention.rows.stride) {
      float* to = place(h, j);
      for (std::size_t c = 0; c < head_size; ++c) to[c * tile_width] = from[c];
    }
  }
}

constexpr std::size_t keys_at_once = 256;  // a multiple of every tile_width

// One head for a few queries.
class QueryTile {
 public:
  QueryTile(const Attention& attention, std::size_t head, std::size_t first, std::size_t count)
      : attention_(attention),
        count_(count),
        queries_{attention.rows.from(first).data + head * head_size, attention.rows.stride},
        keys_(attention.keys +
              attention.key_head(head) * head_size * next_multiple(attention.length, tile_width)),
        values_{attention.rows.data +
                    (attention.heads + attention.key_heads + attention.key_head(head)) * head_size,
                attention.rows.stride} {}

  // `out`: head_size numbers a query.
  void attend(Sums out) {
    for (std::size_t j = 0; j < attention_.length; j += keys_at_once) {
      const std::size_t keys = std::min(keys_at_once, attention_.length - j);
      score(j, keys);
      for (std::size_t r = 0; r < count_; ++r) weigh(r, j == 0, keys);
      combine(j, keys, j == 0);
    }
    for (std::size_t r = 0; r < count_; ++r) {
      const V factor = hn::Set(d, 1 / totals_[r]);
      for (std::size_t c = 0; c < head_size; c += lanes)
        hn::StoreU(hn::Mul(factor, hn::Load(d, sums_ + r * head_size + c)), d,
                   out.data + r * out.stride + c);
    }
  }

 private:
  void score(std::size_t first, std::size_t keys) {
    for (std::size_t j = 0; j < keys; j += tile_width) {
      const std::size_t vectors = (std::min(tile_width, keys - j) + lanes - 1) / lanes;
      sum_tile_of(count_, vectors)(queries_, {keys_ + (first + j) * head_size, tile_width},
                                   head_size, {scores_ + j, keys_at_once});
    }
  }

  // An online softmax: turns the scores of a row into weights, powers of 2 relative to the largest
  // score so far. Where that has grown, what was summed before shrinks in proportion.
  // Padding has the score -1e30 and so the weight 2^-126 (power_of_two() clamps): fewer than
  // `lanes` of these beside a total of at least 1 are lost in rounding, and combine() reads real
  // keys only.
  void weigh(std::size_t r, bool first, std::size_t keys) {
    float* scores = scores_ + r * keys_at_once;
    const std::size_t padded = next_multiple(keys, lanes);
    std::fill(scores + keys, scores + padded, lowest);
    V most = hn::Load(d, scores);
    for (std::size_t j = lanes; j < padded; j += lanes)
      most = hn::Max(most, hn::Load(d, scores + j));
    most = hn::MaxOfLanes(d, most);
    if (!first) {
      const V before = hn::Set(d, largest_[r]);
      most = hn::Max(most, before);
      const V factor = power_of_two(hn::Sub(before, most));
      totals_[r] *= hn::GetLane(factor);
      for (std::size_t c = 0; c < head_size; c += lanes) {
        float* sum = sums_ + r * head_size + c;
        hn::Store(hn::Mul(factor, hn::Load(d, sum)), d, sum);
      }
    }
    V total = hn::Zero(d);
    for (std::size_t j = 0; j < padded; j += lanes) {
      const V weight = power_of_two(hn::Sub(hn::Load(d, scores + j), most));
      hn::Store(weight, d, scores + j);
      total = hn::Add(total, weight);
    }
    largest_[r] = hn::GetLane(most);
    totals_[r] = (first ? 0 : totals_[r]) + hn::GetLane(hn::SumOfLanes(d, total));
  }

  void combine(std::size_t first, std::size_t keys, bool alone) {
    HWY_ALIGN float part[tile_rows * head_size];
    constexpr std::size_t width = std::min(tile_width, head_size);
    for (std::size_t c = 0; c < head_size; c += width) {
      const Rows values{values_.from(first).data + c, values_.stride};
      sum_tile_of(count_, width / lanes)({scores_, keys_at_once}, values, keys,
                                         {(alone ? sums_ : part) + c, head_size});
    }
    if (alone) return;
    for (std::size_t i = 0; i < count_ * head_size; i += lanes)
      hn::Store(hn::Add(hn::Load(d, sums_ + i), hn::Load(d, part + i)), d, sums_ + i);
  }

  static constexpr float lowest = -1e30F;
  static constexpr D d{};

  const Attention& attention_;
  std::size_t count_;
  Rows queries_;
  const float* keys_;
  Rows values_;
  HWY_ALIGN float scores_[tile_rows * keys_at_once];
  HWY_ALIGN float sums_[tile_rows * head_size];
  float largest_[tile_rows], totals_[tile_rows];
};

// Queries `first` to first + count - 1, all heads side by side.
inline void attend(const Attention& attention, std::size_t first, std::size_t count, Sums out,
                   Pulse& pulse) {
  for (std::size_t head = 0; head < attention.heads; ++head) {
    each_run(count, tile_rows, [&](std::size_t from, std::size_t rows) {
      QueryTile(attention, head, first + from, rows)
          .attend({out.data + from * out.stride + head * head_size, out.stride});
      pulse.work(rows * attention.length);
    });
  }
}

}  // namespace tsmini::encode::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
