// The machine's own rate of multiplying matrices, by the BLAS that is installed: what other figures
// are measured against.
#pragma once

#include <optional>
#include <string>

namespace tsmini::cli {

struct SgemmRate {
  std::string library;
  double gigaflops = 0;  // on one core
};

// Nothing where no BLAS is found. `seconds` to spend.
std::optional<SgemmRate> sgemm_rate(double seconds);

}  // namespace tsmini::cli
