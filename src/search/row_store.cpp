#include "search/row_store.h"

namespace tsmini {
namespace {

void place(const LaneLayout& layout, const float* values, float* placed) {
  for (std::size_t i = 0; i < layout.dimension(); ++i) placed[layout.place(i)] = values[i];
}

}  // namespace

PlacedQuery::PlacedQuery(const LaneLayout& layout, std::span<const float> values)
    : values_(layout.width()) {
  place(layout, values.data(), values_.data());
}

void RowStore::append(std::span<const float> rows) {
  const std::size_t count = rows.size() / layout_.dimension();
  float* placed = values_.grow(count * layout_.width());
  for (std::size_t i = 0; i < count; ++i) {
    place(layout_, rows.data() + i * layout_.dimension(), placed + i * layout_.width());
  }
}

std::vector<float> RowStore::row(std::size_t number) const {
  std::vector<float> values(layout_.dimension());
  const auto placed = values_.part(number * layout_.width(), layout_.width());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = placed[layout_.place(i)];
  return values;
}

void RowStore::measure(const PlacedQuery& query, std::size_t first, std::size_t count,
                       float* distances) const {
  const std::size_t width = layout_.width();
  const float* rows = values_.part(first * width, count * width).data();
  distance_kernel(layout_)(layout_, {query.data(), rows, nullptr, count, distances});
}

void RowStore::measure(const PlacedQuery& query, std::span<const std::uint32_t> rows,
                       float* distances) const {
  for (const std::uint32_t row : rows) values_.need(row * layout_.width(), layout_.width());
  distance_kernel(layout_)(layout_,
                           {query.data(), values_.data(), rows.data(), rows.size(), distances});
}

}  // namespace tsmini
