// How a kernel of the SIMD target in use is called: for sources that Highway compiles once for
// every target, after hwy/highway.h and within HWY_ONCE.
//
//   HWY_EXPORT(sum_in_lanes);
//   float sum(std::span<const float> numbers) { return TSMINI_DISPATCH(sum_in_lanes)(numbers); }
#pragma once

namespace tsmini {

// Takes the environment variable TSMINI_SIMD into account, once. Throws Error(usage) where it names
// a target that this machine does not have.
void choose_simd_target();

}  // namespace tsmini

// What HWY_EXPORT(kernel) names, of the target in use.
#define TSMINI_DISPATCH(kernel) (::tsmini::choose_simd_target(), HWY_DYNAMIC_DISPATCH(kernel))

// Defines function<float> and function<double>, which give the Result<float> of single_NAME and the
// Result<double> of double_NAME of the target in use. A last argument is the type of a parameter.
//
//   TSMINI_DISPATCH_PRECISIONS(Kernel, warping_kernel, warping, Measure)
#define TSMINI_DISPATCH_PRECISIONS(Result, function, name, ...)    \
  HWY_EXPORT(single_##name);                                       \
  HWY_EXPORT(double_##name);                                       \
  template <>                                                      \
  Result<float> function<float>(__VA_OPT__(__VA_ARGS__ given)) {   \
    return TSMINI_DISPATCH(single_##name)(__VA_OPT__(given));      \
  }                                                                \
  template <>                                                      \
  Result<double> function<double>(__VA_OPT__(__VA_ARGS__ given)) { \
    return TSMINI_DISPATCH(double_##name)(__VA_OPT__(given));      \
  }
