#include <cmath>

#include "learn/layers.h"

namespace tsmini::learn {

at::Tensor sinusoidal_positions(const Packing& packing, std::int64_t dimension,
                                const at::TensorOptions& options) {
  const at::TensorOptions whole = options.dtype(at::kLong);
  const at::Tensor trajectories = at::arange(packing.count + 1, whole);
  const at::Tensor starts = packing.starts.to(at::kLong) - trajectories * packing.lost;
  const at::Tensor rows = at::arange(packing.rows(), whole);
  const at::Tensor owner = at::searchsorted(starts, rows, false, true) - 1;
  const at::Tensor positions = (rows - starts.index_select(0, owner)).to(options.dtype());
  const at::Tensor rates = at::exp(at::arange(0, dimension, 2, options) *
                                   (-std::log(10000.0) / static_cast<double>(dimension)));
  const at::Tensor angles = positions.unsqueeze(1) * rates.unsqueeze(0);
  return at::stack({angles.sin(), angles.cos()}, 2).flatten(1);
}

at::Tensor rotary_table(std::int64_t positions, const at::TensorOptions& options) {
  const at::TensorOptions exact = at::TensorOptions().dtype(at::kDouble);
  const at::Tensor rates = at::pow(10000.0, -at::arange(16, exact) / 16.0);
  const at::Tensor angles = at::arange(positions, exact).unsqueeze(1) * rates.unsqueeze(0);
  return at::stack({angles.cos(), angles.sin()}, 2)
      .to(options.device(), options.dtype().toScalarType())
      .contiguous();
}

}  // namespace tsmini::learn
