#include "common/sgemm.h"

#include <cstdlib>

#include <dlfcn.h>

namespace tsmini::cli {
namespace {

template <class Function>
Function symbol(void* library, const char* name) {
  return reinterpret_cast<Function>(::dlsym(library, name));
}

}  // namespace

const char* openblas_core() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
    return "SKYLAKEX";
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "HASWELL";
#endif
  return nullptr;
}

Sgemm::Sgemm(int size, int threads) : size_(size) {
  if (const char* core = openblas_core()) ::setenv("OPENBLAS_CORETYPE", core, 0);
  for (const char* name : {"libopenblas.so.0", "libblas.so.3"}) {
    void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    multiply_ = symbol<Multiply>(library, "cblas_sgemm");
    if (multiply_ == nullptr) continue;
    library_ = name;
    if (const auto set_threads = symbol<void (*)(int)>(library, "openblas_set_num_threads"))
      set_threads(threads);
    const auto numbers = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
    a_.assign(numbers, 0.5F);
    b_.assign(numbers, 0.25F);
    c_.assign(numbers, 0);
    return;
  }
}

double Sgemm::operations() const {
  return 2.0 * size_ * size_ * size_;
}

void Sgemm::run() {
  constexpr int row_major = 101, plain = 111;
  multiply_(row_major, plain, plain, size_, size_, size_, 1, a_.data(), size_, b_.data(), size_, 0,
            c_.data(), size_);
}

}  // namespace tsmini::cli
