// Work on a given number of threads.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace tsmini {

// More threads than cores are real ones here, too.
template <class Work>
auto with_threads(int count, const Work& work) {
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(count));
  tbb::task_arena arena(count);
  return arena.execute(work);
}

}  // namespace tsmini
