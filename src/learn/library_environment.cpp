#include "learn/library_environment.h"

#include <cstddef>
#include <cstdlib>
#include <thread>

#include <fmt/format.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tsmini/error.h"

namespace tsmini::learn {
namespace {

// Of a thread that waits for the next parallel loop, before it sleeps: less than 100 µs, longer
// than what stands between two loops of a step. Saves a twentieth of a step where the machine is
// ours alone, and costs as much or somewhat more where it is busy.
constexpr const char* spins = "2000";

bool set_default(const char* name, const char* value) {
  return value != nullptr && std::getenv(name) == nullptr && ::setenv(name, value, 1) == 0;
}

// OpenBLAS's name for the instructions that this machine has; none where its own guess is as good.
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

}  // namespace

void check_address_space() {
  // The libraries take 0.7 GB, OpenBLAS as much as this for each thread; the rest is for training.
  constexpr std::size_t all = std::size_t{3} << 29, a_thread = std::size_t{1} << 27;
  const std::size_t wanted = all + a_thread * std::thread::hardware_concurrency();
  void* room =
      ::mmap(nullptr, wanted, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED)
    throw Error(ErrorCode::failure,
                fmt::format("out of memory: training needs an address space of {:.1f} GB here",
                            static_cast<double>(wanted) / 1e9),
                "raise the limit, which ulimit -v shows in kB");
  ::munmap(room, wanted);
}

bool set_library_environment() {
  const bool waiting = set_default("OMP_WAIT_POLICY", "PASSIVE");
  if (waiting) set_default("GOMP_SPINCOUNT", spins);
  const bool core = set_default("OPENBLAS_CORETYPE", openblas_core());
  return waiting || core;
}

void settle_libraries(char** argv) {
  if (set_library_environment()) ::execv("/proc/self/exe", argv);
  constexpr int large = 256 << 20;
  ::mallopt(M_MMAP_THRESHOLD, large);
  ::mallopt(M_TRIM_THRESHOLD, 2 * large);
}

}  // namespace tsmini::learn
