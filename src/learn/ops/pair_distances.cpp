#include <algorithm>

#include "learn/metric_group.h"
#include "learn/ops/ops.h"
#include "learn/ops/row_kernels.h"
#include "learn/parallel.h"
#include "simd/thread_memory.h"

namespace tsmini::learn {
namespace {

struct Pulls;

template <typename T>
void distance_gradients(Tape<T>& tape, const Array<T>& e, std::size_t group,
                        const Array<T>& distances) {
  const T* g = tape.gradient(distances);
  T* de = tape.sole_target(e);
  each_part(e.rows, [&](std::size_t i) {
    T* pulls = thread_memory<Pulls, T>(e.rows);
    for (std::size_t j = 0; j < e.rows; ++j)
      pulls[j] = j == i ? T{0} : g[i * e.rows + j] + g[j * e.rows + i];
    T* to = std::fill_n(de + i * e.columns, e.columns, T{0}) - e.columns;
    row_kernels<T>().distances_backward(e.rows, e.columns, group, e.row(i), e.data,
                                        distances.row(i), pulls, to);
  });
}

}  // namespace

template <typename T>
Array<T> pair_distances(Tape<T>& tape, const Array<T>& embeddings, const EmbeddingMetric& metric) {
  const Array<T>& e = embeddings;
  const std::size_t group = group_size(metric, e.columns);
  const Array<T> distances = tape.array(e.rows, e.rows);
  each_part(e.rows, [&](std::size_t i) {
    row_kernels<T>().distances(e.rows, e.columns, group, e.row(i), e.data, distances.row(i));
  });
  tape.record([=, &tape] { distance_gradients(tape, e, group, distances); });
  return distances;
}

template Array<float> pair_distances(Tape<float>&, const Array<float>&, const EmbeddingMetric&);
template Array<double> pair_distances(Tape<double>&, const Array<double>&, const EmbeddingMetric&);

}  // namespace tsmini::learn
