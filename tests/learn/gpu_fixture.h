// Tests that need a GPU: skipped where there is none; an emulator stands in for one in the builds
// that have it.
#pragma once

#include <gtest/gtest.h>

#include "gpu/device.h"

namespace tsmini {

class Gpu : public testing::Test {
 protected:
  void SetUp() override {
    if (gpu::gpu_name().empty()) GTEST_SKIP() << "there is no GPU here";
  }
};

}  // namespace tsmini
