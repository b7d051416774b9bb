#include "search/graph_builder.h"

// Leaves out what hnswlib writes by hand for some processors: distances come from our kernels, and
// its helpers would be defined in every file that includes them.
#define NO_MANUAL_VECTORIZATION
#include <algorithm>
#include <cstring>

#include <hnswlib/hnswlib.h>
#include <tbb/parallel_for.h>

namespace tsmini {
namespace {

// Elements are the numbers of rows, which stay where they are.
class RowSpace final : public hnswlib::SpaceInterface<float> {
 public:
  explicit RowSpace(const RowStore& rows) : rows_(rows), kernel_(distance_kernel(rows.layout())) {}

  std::size_t get_data_size() override { return sizeof(std::uint32_t); }
  hnswlib::DISTFUNC<float> get_dist_func() override { return &distance; }
  void* get_dist_func_param() override { return this; }

 private:
  static std::uint32_t number_at(const void* element) {
    std::uint32_t row = 0;
    std::memcpy(&row, element, sizeof row);
    return row;
  }
  static float distance(const void* a, const void* b, const void* space) {
    const auto& self = *static_cast<const RowSpace*>(space);
    const LaneLayout& layout = self.rows_.layout();
    const float* values = self.rows_.values().data();
    const std::uint32_t other = number_at(b);
    float result = 0;
    self.kernel_(layout, {values + number_at(a) * layout.width(), values, &other, 1, &result});
    return result;
  }

  const RowStore& rows_;
  DistanceKernel kernel_;
};

class Builder {
 public:
  Builder(const Graph& graph, const RowStore& rows, std::size_t ef_construction)
      : space_(rows), size_(rows.size()), built_(&space_, size_, graph.links, ef_construction) {
    take(graph);
  }

  void link(std::uint32_t row) { built_.addPoint(&row, row, -1); }

  Graph finish() const {
    Graph graph(built_.M_);
    graph.entry = row_of(built_.enterpoint_node_);
    graph.entry_levels = static_cast<std::uint32_t>(built_.maxlevel_);
    std::uint32_t* lowest = graph.lowest.grow(size_ * 2 * graph.links);
    std::uint32_t* starts = graph.starts.grow(size_);
    std::vector<hnswlib::tableint> element(size_);
    for (hnswlib::tableint e = 0; e < size_; ++e) element[row_of(e)] = e;
    std::uint32_t lists = 0;
    for (std::size_t row = 0; row < size_; ++row) {
      const hnswlib::tableint e = element[row];
      give(built_.get_linklist0(e), 2 * graph.links, lowest + row * 2 * graph.links);
      const auto levels = static_cast<std::uint32_t>(built_.element_levels_[e]);
      starts[row] = levels == 0 ? Graph::none : lists;
      for (std::uint32_t level = 1; level <= levels; ++level) {
        give(built_.get_linklist(e, static_cast<int>(level)), graph.links,
             graph.upper.grow(graph.links));
      }
      lists += levels;
    }
    return graph;
  }

 private:
  using List = hnswlib::linklistsizeint;

  std::uint32_t row_of(hnswlib::tableint element) const {
    return static_cast<std::uint32_t>(built_.getExternalLabel(element));
  }

  void give(List* list, std::size_t room, std::uint32_t* out) const {
    const std::size_t count = built_.getListCount(list);
    for (std::size_t i = 0; i < room; ++i) out[i] = i < count ? row_of(list[1 + i]) : Graph::none;
  }

  void take(std::span<const std::uint32_t> neighbours, List* list) {
    const auto end = std::find(neighbours.begin(), neighbours.end(), Graph::none);
    std::copy(neighbours.begin(), end, list + 1);
    built_.setListCount(list, static_cast<unsigned short>(end - neighbours.begin()));
  }

  // What is linked already; there rows and elements have the same numbers.
  void take(const Graph& graph) {
    if (graph.size() == 0) return;
    built_.cur_element_count = graph.size();
    built_.enterpoint_node_ = graph.entry;
    built_.maxlevel_ = static_cast<int>(graph.entry_levels);
    std::memset(built_.data_level0_memory_, 0, graph.size() * built_.size_data_per_element_);
    std::size_t next = graph.upper.size() / graph.links;  // list of the row behind
    for (std::size_t i = graph.size(); i-- > 0;) {
      const auto row = static_cast<std::uint32_t>(i);
      built_.label_lookup_[row] = row;
      built_.setExternalLabel(row, row);
      std::memcpy(built_.getDataByInternalId(row), &row, sizeof row);
      take(graph.neighbours(row), built_.get_linklist0(row));
      if (graph.starts[row] == Graph::none) continue;
      const std::size_t levels = next - graph.starts[row];
      next = graph.starts[row];
      built_.element_levels_[row] = static_cast<int>(levels);
      // hnswlib frees it.
      built_.linkLists_[row] =
          static_cast<char*>(std::calloc(levels, built_.size_links_per_element_));
      if (built_.linkLists_[row] == nullptr) throw std::bad_alloc();
      for (std::uint32_t level = 1; level <= levels; ++level) {
        take(graph.neighbours(row, level), built_.get_linklist(row, static_cast<int>(level)));
      }
    }
  }

  RowSpace space_;
  std::size_t size_;
  hnswlib::HierarchicalNSW<float> built_;
};

}  // namespace

Graph extended(const Graph& graph, const RowStore& rows, std::size_t ef_construction,
               const Progress& progress) {
  Builder builder(graph, rows, ef_construction);
  std::size_t done = graph.size();
  const std::size_t total = rows.size() - done;
  // The first alone: the others need something to begin with.
  if (done == 0 && total > 0) builder.link(static_cast<std::uint32_t>(done++));
  constexpr std::size_t batch = 10'000;  // between two calls of `progress`
  while (done < rows.size()) {
    const std::size_t end = std::min(done + batch, rows.size());
    tbb::parallel_for(done, end,
                      [&](std::size_t row) { builder.link(static_cast<std::uint32_t>(row)); });
    done = end;
    if (progress) progress({done - graph.size(), total});
  }
  return builder.finish();
}

}  // namespace tsmini
