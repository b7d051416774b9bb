#include <algorithm>

#include "learn/ops/ops.h"
#include "learn/ops/products.h"
#include "learn/ops/row_parts.h"
#include "measure/thread_memory.h"

namespace tsmini::learn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

// The first trajectory that begins at a row or after it.
std::int64_t trajectory_from(const Packing& packing, std::int64_t row) {
  std::int64_t low = 0, high = packing.count;
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (packing.first(middle) < row) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// A weight [outs, 3·ins] for the gradient by the rows: [3·outs, ins], the three places backwards.
at::Tensor turned(const at::Tensor& weight, std::int64_t ins) {
  return weight.view({weight.size(0), 3, ins}).permute({1, 0, 2}).flip(0).reshape({-1, ins});
}

// Three neighbouring rows are side by side in memory already: rows 3·ins long that begin ins apart.
struct Convolve : torch::autograd::Function<Convolve> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& weight, const Packing& packing) {
    const at::Tensor x = input.contiguous();
    const Packing after = packing.after(2);
    const std::int64_t ins = x.size(1), outs = weight.size(0);
    const at::Tensor y = at::empty({after.rows(), outs}, x.options());
    const Panels panels = Panels::of_transposed(weight);
    each_part(packing.count, [&](std::int64_t b) {
      const std::int64_t first = after.first(b);
      product_kernels().multiply(
          static_cast<std::size_t>(after.first(b + 1) - first),
          {x.data_ptr<float>() + packing.first(b) * ins, static_cast<std::size_t>(ins)},
          panels.view(), {y.data_ptr<float>() + first * outs, static_cast<std::size_t>(outs)},
          false);
    });
    context->save_for_backward({x, weight});
    packing.save(context);
    return y;
  }

  // Gradients are laid beside the rows they came from, two rows of zeros after each trajectory; so
  // all rows of a part are one product.
  static tensor_list backward(AutogradContext* context, const tensor_list& grads) {
    const Packing packing = Packing::restore(context), after = packing.after(2);
    const auto saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &weight = saved[1];
    const at::Tensor grad = grads[0].contiguous(), dx = at::empty_like(x);
    const std::int64_t ins = x.size(1), outs = weight.size(0);
    const Panels panels = Panels::of(turned(weight, ins));
    const ProductKernels products = product_kernels();
    const auto width = static_cast<std::size_t>(ins), wide = static_cast<std::size_t>(outs);
    PartSums sums(packing.first(packing.count), weight.numel(), x.options());
    each_part(sums.parts(), [&](std::int64_t part) {
      float* dweight = sums.start<float>(part);
      const std::int64_t begin = trajectory_from(packing, sums.first(part));
      const std::int64_t end = trajectory_from(packing, sums.first(part + 1));
      const std::int64_t first = packing.first(begin), rows = packing.first(end) - first;
      if (rows == 0) return;
      float* spread = thread_memory<Convolve, float>(static_cast<std::size_t>(rows + 2) * wide);
      float* to = std::fill_n(spread, 2 * outs, 0.0F);
      for (std::int64_t b = begin; b < end; ++b) {
        const std::int64_t row = after.first(b), count = after.first(b + 1) - row;
        to = std::copy_n(grad.data_ptr<float>() + row * outs, count * outs, to);
        to = std::fill_n(to, 2 * outs, 0.0F);
      }
      products.multiply(static_cast<std::size_t>(rows), {spread, wide}, panels.view(),
                        {dx.data_ptr<float>() + first * ins, width}, false);
      products.add_across(static_cast<std::size_t>(rows - 2), wide, 3 * width,
                          {spread + 2 * outs, wide}, {x.data_ptr<float>() + first * ins, width},
                          {dweight, 3 * width});
    });
    return {dx, sums.joined<float>().view_as(weight), {}};
  }
};

}  // namespace

at::Tensor convolve(const at::Tensor& x, const at::Tensor& weight, const Packing& packing) {
  if (has_own_products(x)) return Convolve::apply(x, weight, packing);
  return at::mm(windows(x, packing), weight.t());
}

}  // namespace tsmini::learn
