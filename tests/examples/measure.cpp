// The examples of public headers about distances, and what is found by them.
#include "tsmini/measure.h"

#include <iostream>
#include <vector>

#include <tbb/parallel_for.h>

#include "tsmini/clusters.h"
#include "tsmini/cuda_matrix.h"
#include "tsmini/cuda_pairs.h"
#include "tsmini/density_clusters.h"
#include "tsmini/duplicates.h"
#include "tsmini/exact_search.h"
#include "tsmini/find.h"
#include "tsmini/heartbeat.h"
#include "tsmini/join.h"
#include "tsmini/matrix.h"
#include "tsmini/medoids.h"
#include "tsmini/neighbour_graph.h"
#include "tsmini/neighbour_search.h"
#include "tsmini/outliers.h"
#include "tsmini/pair_engine.h"
#include "tsmini/planar_set.h"
#include "tsmini/radius.h"
#include "tsmini/simd.h"

#include "examples/stand_ins.h"

namespace tsmini::examples {

using Points = std::span<const Planar>;

void clusters_example(const NeighbourSearch& search) {
#include "examples/tsmini/clusters.inc"
}

void cuda_matrix_example(const PlanarSet& trips) {
#include "examples/tsmini/cuda_matrix.inc"
}

void cuda_pairs_example(const PlanarSet& trips, std::size_t n) {
#include "examples/tsmini/cuda_pairs.inc"
}

void density_clusters_example(const NeighbourSearch& search, const Progress& progress) {
#include "examples/tsmini/density_clusters.inc"
}

void duplicates_example(const NeighbourSearch& search) {
#include "examples/tsmini/duplicates.inc"
}

void exact_search_example(const PlanarSet& base, Points query, std::span<const std::size_t> guess) {
#include "examples/tsmini/exact_search.inc"
}

void find_example(const PlanarSet& trips, Points piece) {
#include "examples/tsmini/find.inc"
}

void heartbeat_example(const ExactSearch& search, const PlanarSet& queries,
                       std::vector<std::vector<Neighbour>>& answers, const Progress& progress) {
#include "examples/tsmini/heartbeat.inc"
}

void join_example(const PlanarSet& a, const PlanarSet& b) {
#include "examples/tsmini/join.inc"
}

void matrix_example(const PlanarSet& trips) {
#include "examples/tsmini/matrix.inc"
}

void measure_example(Points a, Points b) {
#include "examples/tsmini/measure.inc"
}

void medoids_example(const NeighbourSearch& search, const Progress& progress) {
#include "examples/tsmini/medoids.inc"
}

void neighbour_graph_example(const NeighbourSearch& search, const Progress& progress) {
#include "examples/tsmini/neighbour_graph.inc"
}

void neighbour_search_example(const PlanarSet& trips) {
#include "examples/tsmini/neighbour_search.inc"
}

void outliers_example(const NeighbourSearch& search, const Progress& progress) {
#include "examples/tsmini/outliers.inc"
}

void pair_engine_example(const PlanarSet& base, Points query) {
#include "examples/tsmini/pair_engine.inc"
}

void planar_set_example(const Dataset& dataset) {
#include "examples/tsmini/planar_set.inc"
}

void radius_example(const NeighbourSearch& search) {
#include "examples/tsmini/radius.inc"
}

void simd_example() {
#include "examples/tsmini/simd.inc"
}

}  // namespace tsmini::examples
