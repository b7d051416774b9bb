#include "rivals/core/ragged.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace tsmini::rivals {

using torch::indexing::Slice;

Ragged::Ragged(const Tensor& values, std::vector<std::int64_t> lengths, const torch::Device& device)
    : values_(values.to(device)), lengths_(std::move(lengths)) {
  starts_.resize(lengths_.size());
  std::exclusive_scan(lengths_.begin(), lengths_.end(), starts_.begin(), std::int64_t{0});
  device_lengths_ = torch::tensor(lengths_, torch::kLong).to(device);
  offsets_ = device_lengths_.cumsum(0) - device_lengths_;
}

Padded Ragged::padded(std::span<const std::int64_t> ids) const {
  Padded batch;
  for (const std::int64_t id : ids) batch.counted.push_back(length(id));
  const std::int64_t longest = *std::max_element(batch.counted.begin(), batch.counted.end());
  const Tensor chosen =
      torch::tensor(std::vector<std::int64_t>(ids.begin(), ids.end()), torch::kLong)
          .to(values_.device());
  const Tensor places = torch::arange(longest, chosen.options());
  batch.lengths = device_lengths_.index_select(0, chosen);
  batch.mask = places.unsqueeze(0) < batch.lengths.unsqueeze(1);
  const Tensor inside = torch::minimum(places.unsqueeze(0), batch.lengths.unsqueeze(1) - 1);
  const Tensor rows = offsets_.index_select(0, chosen).unsqueeze(1) + inside;
  batch.values = values_.index_select(0, rows.reshape({-1}))
                     .reshape({chosen.size(0), longest, values_.size(1)}) *
                 batch.mask.unsqueeze(2);
  return batch;
}

Tensor Ragged::joined(std::span<const std::int64_t> ids) const {
  std::vector<std::int64_t> rows;
  for (const std::int64_t id : ids)
    for (std::int64_t i = 0; i < length(id); ++i)
      rows.push_back(starts_[static_cast<std::size_t>(id)] + i);
  return values_.index_select(0, torch::tensor(rows, torch::kLong).to(values_.device()));
}

void RaggedBuilder::add(std::initializer_list<double> row) {
  assert(static_cast<std::int64_t>(row.size()) == width_);
  for (const double value : row) values_.push_back(static_cast<float>(value));
  ++rows_;
}

void RaggedBuilder::end_sequence() {
  assert(rows_ > ended_);
  lengths_.push_back(rows_ - ended_);
  ended_ = rows_;
}

Ragged RaggedBuilder::finish(const torch::Device& device) const {
  return {torch::tensor(values_).reshape({rows_, width_}), lengths_, device};
}

ByLength by_length(const Ragged& trips, std::span<const std::int64_t> ids) {
  std::vector<std::int64_t> order = all_ids(static_cast<std::int64_t>(ids.size()));
  const auto id_at = [&](std::int64_t place) { return ids[static_cast<std::size_t>(place)]; };
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return trips.length(id_at(a)) > trips.length(id_at(b));
  });
  ByLength sorted;
  std::vector<std::int64_t> back(ids.size());
  for (const std::int64_t place : order) {
    back[static_cast<std::size_t>(place)] = static_cast<std::int64_t>(sorted.ids.size());
    sorted.ids.push_back(id_at(place));
  }
  sorted.back = torch::tensor(back, torch::kLong).to(trips.values().device());
  return sorted;
}

std::vector<Stretch> stretches_of(const Padded& batch) {
  std::vector<Stretch> stretches;
  for (std::int64_t i = 0; i < batch.count(); ++i) {
    const std::int64_t length = batch.counted[static_cast<std::size_t>(i)];
    if (stretches.empty() || 2 * length < stretches.back().longest)
      stretches.push_back({i, 0, length});
    ++stretches.back().count;
  }
  return stretches;
}

Tensor last_of(const Tensor& values, const Padded& batch) {
  const Tensor place = (batch.lengths - 1).reshape({-1, 1, 1}).expand({-1, 1, values.size(2)});
  return values.gather(1, place).squeeze(1);
}

Tensor mean_of(const Tensor& values, const Tensor& mask) {
  const Tensor share = mask.to(values.dtype()).unsqueeze(2);
  return (values * share).sum(1) / share.sum(1).clamp_min(1);
}

std::vector<std::int64_t> all_ids(std::int64_t n) {
  std::vector<std::int64_t> ids(static_cast<std::size_t>(n));
  std::iota(ids.begin(), ids.end(), std::int64_t{0});
  return ids;
}

std::span<const std::int64_t> ids_of(const Tensor& ids) {
  return {ids.data_ptr<std::int64_t>(), static_cast<std::size_t>(ids.numel())};
}

Tensor draw(std::int64_t n, std::int64_t count) {
  return torch::randperm(n, torch::kLong).index({Slice(0, std::min(n, count))}).contiguous();
}

}  // namespace tsmini::rivals
