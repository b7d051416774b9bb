// Embeddings side by side, laid out for the distance kernels.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/array.h"
#include "search/distance_kernels.h"
#include "search/lane_layout.h"

namespace tsmini {

// A query in the layout of the rows.
class PlacedQuery {
 public:
  PlacedQuery(const LaneLayout& layout, std::span<const float> values);
  const float* data() const { return values_.data(); }

 private:
  std::vector<float> values_;
};

class RowStore {
 public:
  RowStore(const EmbeddingMetric& metric, std::size_t dimension)
      : layout_(metric, dimension, row_lanes) {}
  RowStore(const EmbeddingMetric& metric, std::size_t dimension, Array<float> values)
      : layout_(metric, dimension, row_lanes), values_(std::move(values)) {}

  const LaneLayout& layout() const { return layout_; }
  std::size_t size() const { return values_.size() / layout_.width(); }
  std::span<const float> values() const { return values_.values(); }

  // Rows side by side, in the usual order of dimensions.
  void append(std::span<const float> rows);
  void drop_behind(std::size_t size) { values_.shrink(size * layout_.width()); }
  std::vector<float> row(std::size_t number) const;

  // Distances of a query to `count` rows from `first` on, or to some.
  void measure(const PlacedQuery& query, std::size_t first, std::size_t count,
               float* distances) const;
  void measure(const PlacedQuery& query, std::span<const std::uint32_t> rows,
               float* distances) const;

 private:
  LaneLayout layout_;
  Array<float> values_;
};

}  // namespace tsmini
