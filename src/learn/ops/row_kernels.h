// The inner loops of norms, gates, pools and embedding distances on the CPU, in vector lanes. T
// is float or double. Constants are those of model/architecture.h.
#pragma once

#include <cstddef>

namespace tsmini::learn {

// Batch norm's backward pass. Of a row: hat = (x - mean) · inverse; the gradient passes the leaky
// ReLU where gain · hat + shift > 0, and with slope `leak` elsewhere.
template <typename T>
struct NormChannels {
  const T* mean;
  const T* inverse;
  const T* gain;
  const T* shift;
};

template <typename T>
struct RowKernels {
  // y = leaky(x · scale + offset) over rows of `channels`, leaky with slope `leak`.
  void (*norm)(std::size_t rows, std::size_t channels, const T* x, const T* scale, const T* offset,
               T* y);
  // For each channel the sum of x - mean and that of its square.
  void (*deviation_sums)(std::size_t rows, std::size_t channels, const T* x, const T* mean, T* sums,
                         T* squares);
  // For each channel the sum of the gradient and that of gradient · hat.
  void (*norm_gradient_sums)(std::size_t rows, std::size_t channels, const NormChannels<T>& norm,
                             const T* x, const T* grad, T* sums, T* dots);
  // dx = gain · inverse · (gradient - mean_sum - hat · mean_dot).
  void (*norm_gradient)(std::size_t rows, std::size_t channels, const NormChannels<T>& norm,
                        const T* mean_sum, const T* mean_dot, const T* x, const T* grad, T* dx);

  // y = x · inverse · gain, a row's inverse = 1 / sqrt(mean of x² + norm_epsilon).
  void (*rms_norm)(std::size_t rows, std::size_t channels, const T* x, const T* gain, T* y,
                   T* inverse);
  // Adds to dx and to dgain.
  void (*rms_norm_backward)(std::size_t rows, std::size_t channels, const T* x, const T* gain,
                            const T* inverse, const T* grad, T* dx, T* dgain);

  // out = silu(h[:half]) · h[half:] over rows of 2·half.
  void (*gate)(std::size_t rows, std::size_t half, const T* h, T* out);
  // Gives `out` again.
  void (*gate_backward)(std::size_t rows, std::size_t half, const T* h, const T* grad, T* dh,
                        T* out);

  // y = x + relu(branch), over `size` numbers.
  void (*add_relu)(std::size_t size, const T* x, const T* branch, T* y);
  // dbranch = grad where branch > 0, else 0, which is added to dbias too; `grad` may be `dbranch`.
  void (*relu_backward)(std::size_t rows, std::size_t channels, const T* branch, const T* grad,
                        T* dbranch, T* dbias);

  // For each channel the sum of all rows, the largest and the first row where it stands.
  void (*pool)(std::size_t rows, std::size_t channels, const T* x, T* sum, T* most, T* place);

  // Distances of one embedding to `count` others. group: 0 is l2, 1 is l1, else the sum over groups
  // of the largest absolute difference.
  void (*distances)(std::size_t count, std::size_t dimension, std::size_t group, const T* one,
                    const T* others, T* out);
  // Adds the gradient by `one`; `pulls`: what each distance is weighted with.
  void (*distances_backward)(std::size_t count, std::size_t dimension, std::size_t group,
                             const T* one, const T* others, const T* lengths, const T* pulls,
                             T* done);
};

// The kernels of the SIMD target in use (tsmini/simd.h).
template <typename T>
RowKernels<T> row_kernels();

}  // namespace tsmini::learn
