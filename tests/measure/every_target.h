// Does something once for every SIMD target of this machine.
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tsmini/simd.h"

#include "support/with_target.h"

namespace tsmini {

template <class Use>
void on_every_target(const Use& use) {
  for (const std::string_view target : simd_targets()) {
    SCOPED_TRACE(std::string(target));
    const WithTarget guard(target);
    use();
  }
}

}  // namespace tsmini
