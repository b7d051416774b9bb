#include "learn/feature_store.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <unordered_set>

#include <ATen/Parallel.h>

#include "learn/stretches.h"
#include "model/net_features.h"

namespace tsmini::learn {
namespace {

constexpr auto features = static_cast<std::int64_t>(feature_count);

}  // namespace

FeatureStore::FeatureStore(const Dataset& data, std::span<const std::size_t> indices,
                           const FeatureFrame& frame, const NetSettings& settings,
                           const at::Device& device, const Progress& progress)
    : data_(data),
      indices_(indices.begin(), indices.end()),
      frame_(frame),
      settings_(settings),
      device_(device) {
  const auto offsets = data.offsets();
  starts_.reserve(indices.size() + 1);
  starts_.push_back(0);
  for (const std::size_t index : indices) {
    const auto rows = static_cast<std::int64_t>(feature_rows(offsets[index + 1] - offsets[index]));
    longest_ = std::max(longest_, rows);
    starts_.push_back(starts_.back() + rows);
  }
  at::Tensor rows;
  if (device.is_cuda()) rows = at::empty({starts_.back(), features});
  in_stretches(data, indices, progress, [&](std::size_t first, std::size_t last) {
    at::parallel_for(static_cast<std::int64_t>(first), static_cast<std::int64_t>(last), 64,
                     [&](std::int64_t from, std::int64_t to) {
                       std::vector<Planar> points;
                       for (auto i = static_cast<std::size_t>(from);
                            i < static_cast<std::size_t>(to); ++i) {
                         if (rows.defined()) {
                           fill_rows(i, rows.data_ptr<float>() + starts_[i] * features);
                         } else {
                           const Trajectory trip = data_[indices_[i]];
                           project_into(frame_, trip.points, trip.id, points);
                         }
                       }
                     });
  });
  if (!rows.defined()) return;
  rows_ = rows.to(device);
  device_starts_ = at::empty({static_cast<std::int64_t>(starts_.size())}, at::kLong);
  std::memcpy(device_starts_.data_ptr<std::int64_t>(), starts_.data(),
              starts_.size() * sizeof(std::int64_t));
  device_starts_ = device_starts_.to(device);
}

void FeatureStore::fill_rows(std::size_t i, float* target) const {
  const Trajectory trip = data_[indices_[i]];
  std::vector<Planar> points;
  project_into(frame_, trip.points, trip.id, points);
  point_features(frame_, points, {target, feature_rows(points.size()) * feature_count});
}

std::vector<std::int64_t> FeatureStore::cells(const CellGrid& grid,
                                              const Progress& progress) const {
  std::unordered_set<std::int64_t> touched;
  std::vector<float> rows(static_cast<std::size_t>(longest_ * features));
  in_stretches(data_, indices_, progress, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      fill_rows(i, rows.data());
      for (std::int64_t r = 0; r < length(i); ++r) {
        const float* point = rows.data() + r * features;
        touched.insert(grid.number_at(point[0], point[1]));
      }
    }
  });
  std::vector<std::int64_t> numbers(touched.begin(), touched.end());
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

Packed FeatureStore::batch(std::span<const int> ids) const {
  const auto count = static_cast<std::int64_t>(ids.size());
  at::Tensor starts = at::zeros({count + 1}, at::kInt);
  int* start = starts.data_ptr<int>();
  for (std::int64_t b = 0; b < count; ++b)
    start[b + 1] =
        start[b] +
        static_cast<int>(length(static_cast<std::size_t>(ids[static_cast<std::size_t>(b)])));
  Packing packing{starts.to(device_), count, start[count], 0};
  if (rows_.defined()) {
    const at::Tensor there =
        at::from_blob(const_cast<int*>(ids.data()), {count}, at::kInt).to(device_);
    return {gather(there, packing), packing};
  }
  const auto columns = static_cast<std::int64_t>(feature_columns(settings_));
  const at::Tensor rows = at::empty({packing.capacity, columns});
  at::parallel_for(0, count, 8, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t b = from; b < to; ++b) {
      const auto id = static_cast<std::size_t>(ids[static_cast<std::size_t>(b)]);
      const std::int64_t points = length(id);
      float* target = rows.data_ptr<float>() + start[b] * columns;
      fill_rows(id, target);
      add_waves(settings_, static_cast<std::size_t>(points),
                {target, static_cast<std::size_t>(points * columns)});
    }
  });
  return {rows, packing};
}

at::Tensor FeatureStore::gather(const at::Tensor& ids, const Packing& packing) const {
  at::Tensor rows = at::empty(
      {packing.capacity, static_cast<std::int64_t>(feature_columns(settings_))}, rows_.options());
  if constexpr (with_cuda)
    gpu::gather_rows(current_stream(), packing.on_gpu(), ids.data_ptr<int>(),
                     rows_.data_ptr<float>(), device_starts_.data_ptr<std::int64_t>(),
                     static_cast<int>(settings_.fourier_octaves), rows.data_ptr<float>());
  return rows;
}

at::Tensor embed_all(const Net& net, const FeatureStore& store, const Progress& progress) {
  const at::NoGradGuard no_grad;
  constexpr std::int64_t rows_at_once = 1 << 13;  // a tenth of a second on two cores
  std::vector<int> order(store.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return store.length(static_cast<std::size_t>(a)) < store.length(static_cast<std::size_t>(b));
  });
  const auto dimension = static_cast<std::int64_t>(net.settings().dimension);
  at::Tensor embeddings = at::empty({static_cast<std::int64_t>(store.size()), dimension});
  for (std::size_t from = 0; from < order.size();) {
    if (progress) progress({from, order.size()});
    std::size_t to = from;
    for (std::int64_t rows = 0; to < order.size() && (to == from || rows < rows_at_once); ++to)
      rows += store.length(static_cast<std::size_t>(order[to]));
    const std::span<const int> ids(order.data() + from, to - from);
    const at::Tensor part = net.embed(store.batch(ids), Pass{}).to(at::kCPU);
    for (std::size_t i = 0; i < ids.size(); ++i)
      std::copy_n(part.data_ptr<float>() + static_cast<std::int64_t>(i) * dimension, dimension,
                  embeddings.data_ptr<float>() + ids[i] * dimension);
    from = to;
  }
  return embeddings;
}

}  // namespace tsmini::learn
