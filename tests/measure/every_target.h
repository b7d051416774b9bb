// Does something once for every SIMD target of this machine.
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tsmini/simd.h"

namespace tsmini {

template <class Use>
void on_every_target(const Use& use) {
  const std::string before(simd_target());
  for (const std::string_view target : simd_targets()) {
    SCOPED_TRACE(std::string(target));
    force_simd_target(target);
    use();
  }
  force_simd_target(before);
}

}  // namespace tsmini
