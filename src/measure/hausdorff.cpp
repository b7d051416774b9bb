// hausdorff: every distance once, its minimum along the row and along the column.
#include "simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measure/hausdorff.cpp"
#include <limits>

#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "measure/kernels.h"
#include "measure/vector-inl.h"
#include "simd/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::HWY_NAMESPACE {

// Query points `first` to first + rows - 1 against all columns; lowers the columns' minima in the
// scratch and gives the greatest of the rows' minima.
template <std::size_t rows, class D>
hn::VFromD<D> farthest_of_rows(D d, const KernelCall<hn::TFromD<D>>& call, std::size_t first) {
  using T = hn::TFromD<D>;
  using V = hn::VFromD<D>;
  const std::size_t lanes = hn::Lanes(d);
  const T* HWY_RESTRICT xs = call.group.channel(0);
  const T* HWY_RESTRICT ys = call.group.channel(1);
  T* HWY_RESTRICT nearest_to_columns = call.scratch;

  V x[rows], y[rows], nearest[rows];
  HWY_UNROLL(8)
  for (std::size_t r = 0; r < rows; ++r) {
    x[r] = hn::Set(d, call.query.channel(0)[first + r]);
    y[r] = hn::Set(d, call.query.channel(1)[first + r]);
    nearest[r] = hn::Set(d, std::numeric_limits<T>::infinity());
  }
  for (std::size_t j = 0; j < call.group.length * lanes; j += lanes) {
    const V column_x = hn::Load(d, xs + j);
    const V column_y = hn::Load(d, ys + j);
    V column = hn::Load(d, nearest_to_columns + j);
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < rows; ++r) {
      const V dx = hn::Sub(column_x, x[r]);
      const V dy = hn::Sub(column_y, y[r]);
      const V squared = dot(dx, dy, dx, dy);
      nearest[r] = hn::Min(nearest[r], squared);
      column = hn::Min(column, squared);
    }
    hn::Store(column, d, nearest_to_columns + j);
  }
  V farthest = nearest[0];
  for (std::size_t r = 1; r < rows; ++r) farthest = hn::Max(farthest, nearest[r]);
  return farthest;
}

template <class T>
void hausdorff(const KernelCall<T>& call) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto infinity = hn::Set(d, std::numeric_limits<T>::infinity());
  for (std::size_t j = 0; j < call.group.length * lanes; j += lanes) {
    hn::Store(infinity, d, call.scratch + j);
  }
  constexpr std::size_t block = 4;
  auto farthest = hn::Zero(d);
  std::size_t i = 0;
  for (; i + block <= call.query.length; i += block) {
    farthest = hn::Max(farthest, farthest_of_rows<block>(d, call, i));
    call.pulse->work(block * call.group.length);
  }
  for (; i < call.query.length; ++i) {
    farthest = hn::Max(farthest, farthest_of_rows<1>(d, call, i));
  }
  for (std::size_t j = 0; j < call.group.length * lanes; j += lanes) {
    farthest = hn::Max(farthest, hn::Load(d, call.scratch + j));
  }
  hn::Store(hn::Sqrt(farthest), d, call.out);
}

Kernel<float> single_hausdorff() {
  return &hausdorff<float>;
}
Kernel<double> double_hausdorff() {
  return &hausdorff<double>;
}

}  // namespace tsmini::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsmini {

TSMINI_DISPATCH_PRECISIONS(Kernel, hausdorff_kernel, hausdorff)

}  // namespace tsmini
#endif
