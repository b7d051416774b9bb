#include "rivals/core/cell_vectors.h"

#include "rivals/core/node2vec.h"

namespace tsmini::rivals {

void add_cell_vectors(Ground& ground, const City&, const Settings& settings,
                      const Progress& progress) {
  Graph graph;
  for (const auto& neighbours : ground.cells.neighbours()) {
    auto& node = graph.emplace_back();
    for (const std::int64_t place : neighbours)
      if (place >= 0) node.push_back(place);
  }
  ground.tensors["vectors"] =
      node2vec(graph, dimension, {.seconds = settings.cell_seconds}, settings.device, progress);
}

}  // namespace tsmini::rivals
