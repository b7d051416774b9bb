#include "simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measure/kernels.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "measure/kernels.h"
#include "simd/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::HWY_NAMESPACE {

std::size_t single_lanes() {
  return hwy::HWY_NAMESPACE::Lanes(hwy::HWY_NAMESPACE::ScalableTag<float>());
}
std::size_t double_lanes() {
  return hwy::HWY_NAMESPACE::Lanes(hwy::HWY_NAMESPACE::ScalableTag<double>());
}

}  // namespace tsmini::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsmini {

HWY_EXPORT(single_lanes);
HWY_EXPORT(double_lanes);

template <>
std::size_t kernel_lanes<float>() {
  return TSMINI_DISPATCH(single_lanes)();
}
template <>
std::size_t kernel_lanes<double>() {
  return TSMINI_DISPATCH(double_lanes)();
}

template <class T>
Kernel<T> kernel_for(Measure measure) {
  switch (measure) {
    case Measure::dtw:
    case Measure::frechet:
    case Measure::erp:
    case Measure::edr:
    case Measure::lcss: return warping_kernel<T>(measure);
    case Measure::hausdorff: return hausdorff_kernel<T>();
    case Measure::hausdorff_segment:
    case Measure::sspd:
    case Measure::frechet_continuous: return segment_kernel<T>(measure);
    case Measure::edwp: return edwp_kernel<T>();
  }
  return nullptr;
}

template Kernel<float> kernel_for<float>(Measure);
template Kernel<double> kernel_for<double>(Measure);

}  // namespace tsmini
#endif
