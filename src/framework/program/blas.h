// Which BLAS the program found: Debian's reference one is twenty times slower than OpenBLAS.
#pragma once

#include <ATen/Context.h>
#include <dlfcn.h>

namespace tsmini::cli {

inline bool has_fast_blas() {
  return at::hasMKL() || ::dlsym(RTLD_DEFAULT, "openblas_get_config") != nullptr;
}

}  // namespace tsmini::cli
