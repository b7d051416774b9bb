#include "learn/feature_store.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include <ATen/Parallel.h>

#include "model/net_features.h"

namespace tsmini::learn {
namespace {

void fill_rows(const Trajectory& trajectory, const FeatureFrame& frame, const NetSettings& settings,
               float* target) {
  std::vector<Planar> points;
  project_into(frame, trajectory.points, trajectory.id, points);
  net_features(frame, settings, points,
               {target, feature_rows(points.size()) * feature_columns(settings)});
}

}  // namespace

FeatureStore::FeatureStore(const Dataset& data, std::span<const std::size_t> indices,
                           const FeatureFrame& frame, const NetSettings& settings,
                           const at::Device& device) {
  starts_.push_back(0);
  for (const std::size_t index : indices) {
    const auto rows = static_cast<std::int64_t>(feature_rows(data[index].points.size()));
    longest_ = std::max(longest_, rows);
    starts_.push_back(starts_.back() + rows);
  }
  const std::size_t columns = feature_columns(settings);
  at::Tensor rows = at::empty({starts_.back(), static_cast<std::int64_t>(columns)});
  at::parallel_for(
      0, static_cast<std::int64_t>(indices.size()), 256, [&](std::int64_t from, std::int64_t to) {
        for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i) {
          fill_rows(data[indices[i]], frame, settings,
                    rows.data_ptr<float>() + starts_[i] * static_cast<std::int64_t>(columns));
        }
      });
  rows_ = rows.to(device);
  device_starts_ = at::empty({static_cast<std::int64_t>(starts_.size())}, at::kLong);
  std::memcpy(device_starts_.data_ptr<std::int64_t>(), starts_.data(),
              starts_.size() * sizeof(std::int64_t));
  device_starts_ = device_starts_.to(device);
}

Packed FeatureStore::batch(std::span<const int> ids) const {
  const auto count = static_cast<std::int64_t>(ids.size());
  at::Tensor starts = at::zeros({count + 1}, at::kInt);
  int* start = starts.data_ptr<int>();
  for (std::int64_t b = 0; b < count; ++b)
    start[b + 1] =
        start[b] +
        static_cast<int>(length(static_cast<std::size_t>(ids[static_cast<std::size_t>(b)])));
  Packing packing{starts.to(rows_.device()), count, start[count], 0};
  const at::Tensor rows = at::empty({packing.capacity, rows_.size(1)}, rows_.options());
  if (rows.is_cuda()) {
    if constexpr (with_cuda) {
      const at::Tensor device_ids =
          at::from_blob(const_cast<int*>(ids.data()), {count}, at::kInt).to(rows_.device());
      gpu::gather_rows(current_stream(), packing.on_gpu(), device_ids.data_ptr<int>(),
                       rows_.data_ptr<float>(), device_starts_.data_ptr<std::int64_t>(),
                       static_cast<int>(rows_.size(1)), rows.data_ptr<float>());
    }
    return {rows, packing};
  }
  const std::int64_t columns = rows_.size(1);
  for (std::int64_t b = 0; b < count; ++b) {
    const auto id = static_cast<std::size_t>(ids[static_cast<std::size_t>(b)]);
    std::copy_n(rows_.data_ptr<float>() + starts_[id] * columns, length(id) * columns,
                rows.data_ptr<float>() + start[b] * columns);
  }
  return {rows, packing};
}

at::Tensor embed_all(const Net& net, const FeatureStore& store) {
  const at::NoGradGuard no_grad;
  constexpr std::int64_t rows_at_once = 1 << 15;
  std::vector<int> order(store.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return store.length(static_cast<std::size_t>(a)) < store.length(static_cast<std::size_t>(b));
  });
  const auto dimension = static_cast<std::int64_t>(net.settings().dimension);
  at::Tensor embeddings = at::empty({static_cast<std::int64_t>(store.size()), dimension});
  for (std::size_t from = 0; from < order.size();) {
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
