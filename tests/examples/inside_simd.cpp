// The example of simd/dispatch.h, which stands where a kernel does: of one target here.
#define HWY_COMPILE_ONLY_STATIC
#include <span>

#include <hwy/highway.h>

#include "simd/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::examples::HWY_NAMESPACE {

float sum_in_lanes(std::span<const float> numbers);

}  // namespace tsmini::examples::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

namespace tsmini::examples {

#include "examples/simd/dispatch.inc"

}  // namespace tsmini::examples
