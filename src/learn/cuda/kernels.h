// The kernels of training on a GPU, over packed trajectories.
//
// Everything is float32, row-major, in device memory, asynchronous on a stream, and the same from
// run to run: sums have an order that never changes, or are of whole numbers. Sizes are capacities
// that a captured graph keeps; the real sizes are read on the device. Rows past the real ones come
// out as zeros where a kernel knows where trajectories lie (Rows). Widths of rows are multiples of
// 32 (of windows and batch norm: of 16), at most 512, but where something else is said.
#pragma once

#include <cstdint>

#include "tsmini/embedding.h"
#include "tsmini/recipe.h"

#include "learn/ops/dropout.h"
#include "learn/row_widths.h"

struct CUstream_st;

namespace tsmini::gpu {

using Stream = CUstream_st*;

// Where each trajectory's rows lie. A layer without padding loses rows at the end of each
// trajectory: trajectory b has rows starts[b] - lost·b up to starts[b + 1] - lost·(b + 1).
struct Rows {
  const int* starts = nullptr;  // count + 1, on the device
  int count = 0;
  int capacity = 0;  // rows at lost = 0
  int lost = 0;

  Rows after(int more) const { return {starts, count, capacity, lost + more}; }
  int size() const { return capacity - lost * count; }
};

// Collects the rows of the trajectories `ids` (count of them) from a resident store of seven
// features a point, and puts the waves of x and y behind them.
void gather_rows(Stream stream, Rows rows, const int* ids, const float* store,
                 const std::int64_t* store_starts, int octaves, float* out);
// labels[a·count + b] = matrix[ids[a]·n + ids[b]].
void gather_labels(Stream stream, const int* ids, int count, const float* matrix, std::int64_t n,
                   float* labels);

// Three neighbouring rows side by side: what a convolution of width 3 multiplies.
void windows(Stream stream, Rows in, int channels, const float* x, float* out);
void windows_backward(Stream stream, Rows in, int channels, const float* grad, float* dx);

// Floats that a sum over rows needs on its way, for rows of so many.
int sums_scratch(int channels);

// Batch norm over the real rows, then a leaky ReLU. `partial`: 2·sums_scratch(channels) floats.
// `statistics`: mean and 1/deviation, 2·channels. `running`: mean and variance, moved by momentum.
void batch_norm(Stream stream, Rows rows, int channels, const float* x, const float* gain,
                const float* shift, float* running, float momentum, float epsilon, float slope,
                float* partial, float* statistics, float* y);
void batch_norm_backward(Stream stream, Rows rows, int channels, const float* x, const float* gain,
                         const float* shift, const float* statistics, float slope,
                         const float* grad, float* partial, float* dx, float* dgain, float* dshift);
// The same without a batch to measure: by the running mean and variance.
void running_norm(Stream stream, Rows rows, int channels, const float* x, const float* gain,
                  const float* shift, const float* running, float epsilon, float slope, float* y);

// Root-mean-square norm of rows. `copy`: where not nullptr, x goes there too.
void rms_norm(Stream stream, int rows, int channels, const float* x, const float* gain,
              float epsilon, float* y, float* inverse, float* copy);
// `partial`: sums_scratch(channels) floats. `add`: to what is in dx.
void rms_norm_backward(Stream stream, int rows, int channels, const float* x, const float* gain,
                       const float* inverse, const float* grad, float* partial, float* dx, bool add,
                       float* dgain);

// Norm of rows by their mean and deviation. `moments`: mean and 1/deviation, 2 a row. Rows past the
// real ones come out as `shift` and pass no gradient on where theirs is 0.
void layer_norm(Stream stream, int rows, int channels, const float* x, const float* gain,
                const float* shift, float epsilon, float* y, float* moments);
// `partial`: 2·sums_scratch(channels) floats.
void layer_norm_backward(Stream stream, int rows, int channels, const float* x, const float* gain,
                         const float* moments, const float* grad, float* partial, float* dx,
                         float* dgain, float* dshift);

// Rows of Euclidean length 1; no length counts as less than `least`.
void unit_norm(Stream stream, int rows, int channels, float least, const float* x, float* y);
void unit_norm_backward(Stream stream, int rows, int channels, float least, const float* x,
                        const float* y, const float* grad, float* dx);

// max(x, 0), of any number of numbers.
void relu(Stream stream, std::int64_t size, const float* x, float* y);
void relu_backward(Stream stream, std::int64_t size, const float* x, const float* grad, float* dx);

// to += from, of any number of numbers.
void add(Stream stream, std::int64_t size, const float* from, float* to);
// y += bias in every row. Any width.
void add_bias(Stream stream, int rows, int channels, const float* bias, float* y);
// Sums of columns over all rows. `partial`: sums_scratch(channels) floats. Any width.
void column_sums(Stream stream, int rows, int channels, const float* x, float* partial,
                 float* sums);

// Sine and cosine of turns of the rows' positions in their trajectories, added to the real rows;
// computed in double precision. The turn of pair i is slowest^(-2i / channels) a position.
void add_positions(Stream stream, Rows rows, int channels, double slowest, float* x);

// The row of the table for the cell of each real point (the first two of `columns` numbers are its
// shares of the frame's width and height): its place among the `known` cells from 1 on, 0 where it
// is none of them (model/cell_grid.h). places: a number a row, -1 past the real rows.
struct Cells {
  std::int64_t columns = 1, rows = 1;   // of the grid
  const std::int64_t* known = nullptr;  // rising, on the device
  int count = 0;
};
void find_cells(Stream stream, Rows rows, int columns, const float* points, Cells cells,
                int* places);
// out = table[places], 0 where there is none. Any width.
void look_up(Stream stream, int rows, int channels, const int* places, const float* table,
             float* out);
// The gradient by the table, of `table_rows`; any width. Numbers are added as whole ones, so that
// their order does not matter: scaled by a power of two, so that the sum of all rows fits 62 bits.
// Where one is not finite, none of the table's is a number. `sums`: look_up_scratch(table_rows,
// channels) numbers of 64 bits.
std::int64_t look_up_scratch(int table_rows, int channels);
void look_up_backward(Stream stream, int rows, int channels, const int* places, const float* grad,
                      int table_rows, std::int64_t* sums, float* dtable);

// silu(h[:, :hidden]) · h[:, hidden:]. Any width.
void gate(Stream stream, int rows, int hidden, const float* h, float* out);
void gate_backward(Stream stream, int rows, int hidden, const float* h, const float* grad,
                   float* dh);

// Self-attention within each trajectory; heads of head_size numbers. qkv: heads queries, key_heads
// keys, key_heads values. `rotary`: cosine and sine of head_size / 2 angles a position, or nullptr.
// `key`: one number that dropout draws from, with `salt`.
struct AttentionShape {
  int heads;
  int key_heads;
  float dropout;
  std::uint32_t salt;
};
void attention(Stream stream, Rows rows, AttentionShape shape, const float* qkv,
               const float* rotary, const std::int64_t* key, float* out, float* log_sums);
void attention_backward(Stream stream, Rows rows, AttentionShape shape, const float* qkv,
                        const float* rotary, const std::int64_t* key, const float* out,
                        const float* log_sums, const float* grad, float* dqkv);

// branch += bias in every row; y = x + dropout(relu(branch)).
void residual_relu(Stream stream, int rows, int channels, const float* x, const float* bias,
                   const learn::Dropout& dropout, float* branch, float* y);
void residual_relu_backward(Stream stream, std::int64_t size, const float* branch,
                            const learn::Dropout& dropout, const float* grad, float* dbranch);

// Mean, max, sum / sum_divisor, first and last of a trajectory's rows, those of the bits of `pools`
// in this order, side by side. `places`: the row of each maximum, count·channels.
void pool(Stream stream, Rows rows, int channels, unsigned pools, const float* x, float* out,
          int* places);
void pool_backward(Stream stream, Rows rows, int channels, unsigned pools, const int* places,
                   const float* grad, float* dx);

// Distances among `count` embeddings; dimension a multiple of 32, at most 512.
void pair_distances(Stream stream, int count, int dimension, EmbeddingMetric metric,
                    const float* embeddings, float* distances);
void pair_distances_backward(Stream stream, int count, int dimension, EmbeddingMetric metric,
                             const float* embeddings, const float* distances, const float* grad,
                             float* dembeddings);

// Adds the loss to *loss_sum and writes its gradient by every predicted distance. `largest`: what
// labels are divided by. `scratch`: 5·count floats. `count`: 2 to 1,024.
void similarity_loss(Stream stream, int count, const LossSettings& settings, const float* predicted,
                     const float* labels, float largest, float* scratch, double* loss_sum,
                     float* gradient);

// One step of Adam on all parameters at once, and their moving average. Nothing changes once
// *loss_sum is not finite.
// schedule: rate, 1 - beta1^t, 1 - beta2^t, share of the average that stays; on the device.
struct AdamSettings {
  float beta1, beta2, epsilon;
  float decay;  // of the weights, coupled
};
void adam(Stream stream, std::int64_t size, AdamSettings settings, const float* schedule,
          const double* loss_sum, const float* grad, float* weights, float* first, float* second,
          float* average);
// average += (1 - share that stays) · (values - average), under the same condition.
void follow(Stream stream, std::int64_t size, const float* schedule, const double* loss_sum,
            const float* values, float* average);

}  // namespace tsmini::gpu
