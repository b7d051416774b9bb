// Sequences of vectors, one a trip, of different lengths, in one tensor; and some of them padded to
// the longest, as networks take them.
//
//   RaggedBuilder builder(2);
//   builder.add({x, y});  // and more rows, then
//   builder.end_sequence();
//   Ragged points = builder.finish(device);
//   Padded batch = points.padded(ids);     // values [3, 57, 2], zero behind the end of a trip
//   Tensor last = last_of(lstm(batch.values), batch);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rivals/core/tensors.h"

namespace tsmini::rivals {

struct Padded {
  Tensor values;                      // [count, longest, width], 0 behind the end
  Tensor mask;                        // [count, longest], bool: true within the sequence
  Tensor lengths;                     // [count], int64
  std::vector<std::int64_t> counted;  // the same, on the CPU

  std::int64_t count() const { return values.size(0); }
  std::int64_t longest() const { return values.size(1); }
};

class Ragged {
 public:
  Ragged() = default;
  // `values` is [sum of lengths, width]. No sequence is empty.
  Ragged(const Tensor& values, std::vector<std::int64_t> lengths, const torch::Device& device);

  std::int64_t size() const { return static_cast<std::int64_t>(lengths_.size()); }
  std::int64_t length(std::int64_t id) const { return lengths_[static_cast<std::size_t>(id)]; }
  const Tensor& values() const { return values_; }

  // The sequences of `ids`, in that order. Whole numbers (cells, say) come as floats: exact below
  // 2^24.
  Padded padded(std::span<const std::int64_t> ids) const;
  // The same sequences without padding, one after the other: [sum of lengths, width].
  Tensor joined(std::span<const std::int64_t> ids) const;

 private:
  Tensor values_, offsets_, device_lengths_;
  std::vector<std::int64_t> lengths_, starts_;
};

// Gathers rows on the CPU, then becomes a Ragged.
class RaggedBuilder {
 public:
  explicit RaggedBuilder(std::int64_t width) : width_(width) {}

  // The next row of the current sequence: `width` numbers.
  void add(std::initializer_list<double> row);
  void end_sequence();
  Ragged finish(const torch::Device& device) const;

 private:
  std::int64_t width_, rows_ = 0, ended_ = 0;
  std::vector<float> values_;
  std::vector<std::int64_t> lengths_;
};

// Ids by falling length, and what puts rows of that order back: rows.index_select(0, back).
struct ByLength {
  std::vector<std::int64_t> ids;
  Tensor back;  // int64, on the device
};
ByLength by_length(const Ragged& trips, std::span<const std::int64_t> ids);

// Sequences of a batch that are of similar length: none is less than half as long as the first.
struct Stretch {
  std::int64_t from, count, longest;

  // [count, longest, …] of a tensor [batch, longest of all, …].
  Tensor of(const Tensor& padded) const {
    return padded.narrow(0, from, count).narrow(1, 0, longest);
  }
};
// The stretches of a batch by falling length: what costs the square of a length is done for each by
// itself, so that one long trip does not make all others as expensive.
std::vector<Stretch> stretches_of(const Padded& batch);

// The last vector within each sequence of a tensor [count, longest, width]: [count, width].
Tensor last_of(const Tensor& values, const Padded& batch);
// The mean of those within each sequence, [count, width].
Tensor mean_of(const Tensor& values, const Tensor& mask);

// 0, 1, …, n - 1.
std::vector<std::int64_t> all_ids(std::int64_t n);
std::span<const std::int64_t> ids_of(const Tensor& ids);  // of an int64 tensor on the CPU
// `count` different numbers below n, from torch's generator; an int64 tensor on the CPU.
Tensor draw(std::int64_t n, std::int64_t count);

}  // namespace tsmini::rivals
