#include <algorithm>
#include <cmath>
#include <vector>

#include "learn/ops/ops.h"
#include "learn/ops/row_kernels.h"
#include "learn/parallel.h"
#include "model/architecture.h"

namespace tsmini::learn {
namespace {

constexpr std::size_t chunks = 64;  // row ranges summed apart, in an order that never changes
constexpr std::size_t rows_at_once = 256;

// Two sums a channel over all rows, joined from what `sum` makes of chunks.
template <typename T, typename Sum>
std::vector<double> channel_sums(std::size_t rows, std::size_t channels, const Sum& sum) {
  std::vector<T> partial(chunks * 2 * channels);
  const std::size_t each = (rows + chunks - 1) / chunks;
  each_part(chunks, [&](std::size_t chunk) {
    T* sums = partial.data() + chunk * 2 * channels;
    const std::size_t first = std::min(chunk * each, rows), end = std::min(first + each, rows);
    sum(first, end - first, sums, sums + channels);
  });
  std::vector<double> sums(2 * channels);
  for (std::size_t i = 0; i < partial.size(); ++i)
    sums[i % sums.size()] += static_cast<double>(partial[i]);
  return sums;
}

// y = leaky(x · scale + offset).
template <typename T>
void scale_rows(const Array<T>& x, const T* scale, const T* offset, const Array<T>& y) {
  each_piece(x.rows, rows_at_once, [&](std::size_t first, std::size_t count) {
    row_kernels<T>().norm(count, x.columns, x.row(first), scale, offset, y.row(first));
  });
}

// Fills `statistics`, mean and 1 / deviation of every channel, and lets `running` follow.
template <typename T>
void measure(const Array<T>& x, const Array<T>& running, T* statistics) {
  const std::size_t channels = x.columns;
  const auto n = static_cast<double>(x.rows);
  // Twice, so that a mean far above the deviation does not eat the digits of the variance.
  std::fill_n(statistics, channels, T{0});
  const auto deviations = [&](std::size_t first, std::size_t count, T* sum, T* square) {
    row_kernels<T>().deviation_sums(count, channels, x.row(first), statistics, sum, square);
  };
  const auto means = channel_sums<T>(x.rows, channels, deviations);
  for (std::size_t c = 0; c < channels; ++c) statistics[c] = static_cast<T>(means[c] / n);
  const auto around = channel_sums<T>(x.rows, channels, deviations);
  T *mean = running.data, *variance = running.data + channels;
  for (std::size_t c = 0; c < channels; ++c) {
    const double squares = around[channels + c];
    statistics[channels + c] = static_cast<T>(1 / std::sqrt(squares / n + norm_epsilon));
    mean[c] += static_cast<T>(running_share) * (statistics[c] - mean[c]);
    variance[c] += static_cast<T>(
        running_share * (squares / std::max(n - 1, 1.0) - static_cast<double>(variance[c])));
  }
}

template <typename T>
void batch_norm_gradients(Tape<T>& tape, const Array<T>& x, const Array<T>& gain,
                          const Array<T>& shift, const T* statistics, const Array<T>& y) {
  const std::size_t channels = x.columns;
  const NormChannels<T> norm{statistics, statistics + channels, gain.data, shift.data};
  const RowKernels<T> kernels = row_kernels<T>();
  const T* grad = tape.gradient(y);
  const auto sums =
      channel_sums<T>(x.rows, channels, [&](std::size_t first, std::size_t count, T* sum, T* dot) {
        kernels.norm_gradient_sums(count, channels, norm, x.row(first), grad + first * channels,
                                   sum, dot);
      });
  T *dshift = tape.sole_target(shift), *dgain = tape.sole_target(gain);
  std::vector<T> mean_sum(channels), mean_dot(channels);
  const auto n = static_cast<double>(x.rows);
  for (std::size_t c = 0; c < channels; ++c) {
    dshift[c] = static_cast<T>(sums[c]);
    dgain[c] = static_cast<T>(sums[channels + c]);
    mean_sum[c] = static_cast<T>(sums[c] / n);
    mean_dot[c] = static_cast<T>(sums[channels + c] / n);
  }
  // The gradient by x takes the place of that by the result, a row after the other.
  each_piece(x.rows, rows_at_once, [&](std::size_t first, std::size_t count) {
    T* g = tape.gradient(y) + first * channels;
    kernels.norm_gradient(count, channels, norm, mean_sum.data(), mean_dot.data(), x.row(first), g,
                          g);
  });
  tape.pass_on(y, x);
}

}  // namespace

template <typename T>
Array<T> batch_norm(Tape<T>& tape, const Array<T>& x, const Array<T>& gain, const Array<T>& shift,
                    const Array<T>& running, const Packing&) {
  const std::size_t channels = x.columns;
  const Array<T> y = tape.array(x.rows, channels);
  T* statistics = tape.memory(2 * channels);
  if (tape.training()) {
    measure(x, running, statistics);
  } else {
    for (std::size_t c = 0; c < channels; ++c) {
      statistics[c] = running.data[c];
      statistics[channels + c] = static_cast<T>(
          1 / std::sqrt(static_cast<double>(running.data[channels + c]) + norm_epsilon));
    }
  }
  std::vector<T> scale(channels), offset(channels);
  for (std::size_t c = 0; c < channels; ++c) {
    scale[c] = gain.data[c] * statistics[channels + c];
    offset[c] = shift.data[c] - statistics[c] * scale[c];
  }
  scale_rows(x, scale.data(), offset.data(), y);
  tape.record([=, &tape] { batch_norm_gradients(tape, x, gain, shift, statistics, y); });
  return y;
}

template Array<float> batch_norm(Tape<float>&, const Array<float>&, const Array<float>&,
                                 const Array<float>&, const Array<float>&, const Packing&);
template Array<double> batch_norm(Tape<double>&, const Array<double>&, const Array<double>&,
                                  const Array<double>&, const Array<double>&, const Packing&);

}  // namespace tsmini::learn
