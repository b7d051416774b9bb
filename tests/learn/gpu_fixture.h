// Tests that need a GPU: skipped where there is none; an emulator stands in for one in the builds
// that have it.
#pragma once

#include <gtest/gtest.h>

#include "gpu/device.h"

namespace tsmini {

// How far a loss on a GPU may be from that of the same weights on the CPU, as a share: products are
// rounded to TF32 there, by a thousandth, and some of them follow each other.
inline constexpr double same_weights_error = 5e-3;

class Gpu : public testing::Test {
 protected:
  void SetUp() override {
    if (gpu::gpu_name().empty()) GTEST_SKIP() << "there is no GPU here";
  }
};

}  // namespace tsmini
