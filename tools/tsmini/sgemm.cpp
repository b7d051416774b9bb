#include "sgemm.h"

#include <vector>

#include <dlfcn.h>

#include "base/timing.h"
#include "learn/library_environment.h"

namespace tsmini::cli {
namespace {

using Sgemm = void (*)(int order, int transpose_a, int transpose_b, int m, int n, int k,
                       float alpha, const float* a, int a_stride, const float* b, int b_stride,
                       float beta, float* c, int c_stride);
using SetThreads = void (*)(int);

template <class Function>
Function symbol(void* library, const char* name) {
  return reinterpret_cast<Function>(::dlsym(library, name));
}

}  // namespace

std::optional<SgemmRate> sgemm_rate(double seconds) {
  learn::set_library_environment();  // which instructions OpenBLAS may use
  for (const char* name : {"libopenblas.so.0", "libblas.so.3"}) {
    void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    const auto sgemm = symbol<Sgemm>(library, "cblas_sgemm");
    if (sgemm == nullptr) continue;
    if (const auto set_threads = symbol<SetThreads>(library, "openblas_set_num_threads"))
      set_threads(1);
    constexpr int size = 768, row_major = 101, plain = 111;
    constexpr std::size_t numbers = std::size_t{size} * size;
    const std::vector<float> a(numbers, 0.5F), b(numbers, 0.25F);
    std::vector<float> c(numbers);
    const double best = best_seconds(seconds, [&] {
      sgemm(row_major, plain, plain, size, size, size, 1, a.data(), size, b.data(), size, 0,
            c.data(), size);
    });
    return SgemmRate{name, 2e-9 * size * static_cast<double>(numbers) / best};
  }
  return {};
}

}  // namespace tsmini::cli
