#include "learn/feature_store.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <mutex>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "learn/in_stretches.h"
#include "learn/parallel.h"
#include "model/net_features.h"

namespace tsmini::learn {

FeatureStore::FeatureStore(Dataset data, std::span<const std::size_t> indices, FeatureFrame frame,
                           NetSettings settings, const Progress& progress)
    : data_(std::move(data)),
      indices_(indices.begin(), indices.end()),
      frame_(std::move(frame)),
      settings_(std::move(settings)) {
  const auto offsets = data_.offsets();
  lengths_.reserve(indices.size());
  for (const std::size_t index : indices) {
    lengths_.push_back(feature_rows(offsets[index + 1] - offsets[index]));
    longest_ = std::max(longest_, lengths_.back());
  }
  in_stretches(data_, indices, progress,
               [&](std::size_t first, std::size_t last) { check_box(first, last); });
}

// Names the first that leaves the box: it is no composed one where a real one leaves it.
void FeatureStore::check_box(std::size_t first, std::size_t last) const {
  std::mutex mutex;
  std::size_t outside = last;
  std::exception_ptr error;
  each_piece(last - first, 64, [&](std::size_t from, std::size_t count) {
    std::vector<Planar> points;
    std::size_t i = first + from;
    try {
      for (; i < first + from + count; ++i) {
        const Trajectory trip = data_[indices_[i]];
        project_into(frame_, trip.points, trip.id, points);
      }
    } catch (const Error&) {
      const std::lock_guard lock(mutex);
      if (i >= outside) return;
      outside = i;
      error = std::current_exception();
    }
  });
  if (error) std::rethrow_exception(error);
}

void FeatureStore::fill_rows(std::size_t i, std::span<float> target) const {
  const Trajectory trip = data_[indices_[i]];
  std::vector<Planar> points;
  project_into(frame_, trip.points, trip.id, points);
  point_features(frame_, points, target.first(length(i) * feature_count));
}

std::vector<std::int64_t> FeatureStore::cells(const CellGrid& grid,
                                              const Progress& progress) const {
  std::unordered_set<std::int64_t> touched;
  std::vector<float> rows(longest_ * feature_count);
  in_stretches(data_, indices_, progress, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      fill_rows(i, rows);
      for (std::size_t r = 0; r < length(i); ++r) {
        const float* point = rows.data() + r * feature_count;
        touched.insert(grid.number_at(point[0], point[1]));
      }
    }
  });
  std::vector<std::int64_t> numbers(touched.begin(), touched.end());
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

void FeatureStore::starts_of(std::span<const int> ids, std::span<int> starts) const {
  std::size_t points = 0;
  for (std::size_t b = 0; b < ids.size(); ++b) {
    starts[b] = static_cast<int>(points);
    points += length(static_cast<std::size_t>(ids[b]));
    if (points > std::numeric_limits<int>::max())
      throw Error(ErrorCode::failure,
                  fmt::format("a batch of {} trips has too many points", ids.size()),
                  "use a smaller `batch` or shorter trips");
  }
  starts[ids.size()] = static_cast<int>(points);
}

Points<float> FeatureStore::batch(std::span<const int> ids, Arena& arena) const {
  int* starts = arena.take<int>(ids.size() + 1);
  starts_of(ids, {starts, ids.size() + 1});
  const Packing packing{starts, ids.size(), static_cast<std::size_t>(starts[ids.size()]), 0};
  const std::size_t columns = feature_columns(settings_);
  const Array<float> rows{arena.take<float>(packing.rows() * columns), packing.rows(), columns,
                          nullptr};
  each_piece(ids.size(), 8, [&](std::size_t from, std::size_t count) {
    for (std::size_t b = from; b < from + count; ++b) {
      const std::span<float> target(rows.row(packing.first(b)), packing.length(b) * columns);
      fill_rows(static_cast<std::size_t>(ids[b]), target);
      add_waves(settings_, packing.length(b), target);
    }
  });
  return {rows, packing};
}

}  // namespace tsmini::learn
