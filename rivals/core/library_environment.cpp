#include "rivals/core/library_environment.h"

#include <cstdlib>

#include <malloc.h>
#include <unistd.h>

#include "common/sgemm.h"

namespace tsmini::rivals {
namespace {

// The spins of a thread that waits for the next parallel loop, before it sleeps: less than 100 µs,
// longer than what stands between two loops of a step. Saves a twentieth of a step where the
// machine is ours alone, and costs as much or somewhat more where it is busy.
constexpr const char* spins = "2000";

bool set_default(const char* name, const char* value) {
  return value != nullptr && std::getenv(name) == nullptr && ::setenv(name, value, 1) == 0;
}

// True where something had to be set.
bool set_library_environment() {
  const bool waiting = set_default("OMP_WAIT_POLICY", "PASSIVE");
  if (waiting) set_default("GOMP_SPINCOUNT", spins);
  const bool core = set_default("OPENBLAS_CORETYPE", cli::openblas_core());
  return waiting || core;
}

}  // namespace

void settle_libraries(char** argv) {
  if (set_library_environment()) ::execv("/proc/self/exe", argv);
  constexpr int large = 256 << 20;
  ::mallopt(M_MMAP_THRESHOLD, large);
  ::mallopt(M_TRIM_THRESHOLD, 2 * large);
}

}  // namespace tsmini::rivals
