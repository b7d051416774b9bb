// LibTorch on a given number of threads, for a while.
#pragma once

#include <ATen/Parallel.h>

namespace tsmini {

class WithThreads {
 public:
  explicit WithThreads(int count) : before_(at::get_num_threads()) { at::set_num_threads(count); }
  WithThreads(const WithThreads&) = delete;
  WithThreads& operator=(const WithThreads&) = delete;
  ~WithThreads() { at::set_num_threads(before_); }

 private:
  int before_;
};

}  // namespace tsmini
