// Attention of one head within one trajectory, on the CPU, in vector lanes.
//
// Memory is linear in the length: weights live only while their few queries are worked on, and the
// backward pass makes them anew from the log-sum-exp of each query's scores.
#pragma once

#include <cstddef>

#include "tsmini/heartbeat.h"

#include "learn/ops/dropout.h"
#include "model/architecture.h"

namespace tsmini::learn {

template <typename T>
struct HeadCall {
  std::size_t length = 0;      // rows of the trajectory
  std::size_t stride = 0;      // numbers from one row of queries, keys and values to the next
  const T* queries = nullptr;  // of the first row
  const T* keys = nullptr;
  const T* values = nullptr;
  const T* rotary = nullptr;   // 16 pairs (cosine, sine) a position, or none
  std::size_t out_stride = 0;  // numbers from one row of results to the next
  std::size_t log_stride = 0;  // and of logarithms
  Dropout dropout;             // of weights
  std::size_t head = 0;
  std::size_t first_row = 0;             // of the trajectory, among all rows of the batch
  const Heartbeat* heartbeat = nullptr;  // not null: the work grows with the square of the length
};

template <typename T>
struct HeadKernels {
  void (*attend)(const HeadCall<T>& call, T* out, T* log_sums);
  // Writes the gradient by the queries, adds those by keys and values; strides as in the call.
  void (*attend_backward)(const HeadCall<T>& call, const T* out, const T* log_sums, const T* grad,
                          T* dqueries, T* dkeys, T* dvalues);
};
// Those of the SIMD target in use.
template <typename T>
HeadKernels<T> head_kernels();

}  // namespace tsmini::learn
