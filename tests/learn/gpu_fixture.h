// Tests that need a GPU: skipped where there is none; an emulator stands in for one in the builds
// that have it.
#pragma once

#include <gtest/gtest.h>

#include "gpu/device.h"

namespace tsmini {

// How far a loss on a GPU may be from that of the same weights on the CPU, as a share: products are
// rounded to TF32 there, by a thousandth, and some of them follow each other.
inline constexpr double same_weights_error = 5e-3;
// The same where other products than those of attention have all their digits: of the losses of
// Gpu.TrainsAsTheCpuDoes the worst is off by 9e-5 in the emulator.
inline constexpr double attention_error = 3e-4;

class Gpu : public testing::Test {
 protected:
  void SetUp() override {
    if (gpu::gpu_name().empty()) GTEST_SKIP() << "there is no GPU here";
  }
};

}  // namespace tsmini
