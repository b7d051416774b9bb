// The SIMD target of a while.
//
//   for (const std::string_view target : simd_targets()) {
//     const WithTarget guard(target);
#pragma once

#include <string_view>

#include "tsmini/simd.h"

namespace tsmini {

class WithTarget {
 public:
  explicit WithTarget(std::string_view name) : before_(simd_target()) { force_simd_target(name); }
  WithTarget(const WithTarget&) = delete;
  WithTarget& operator=(const WithTarget&) = delete;
  ~WithTarget() { force_simd_target(before_); }

 private:
  std::string_view before_;
};

}  // namespace tsmini
