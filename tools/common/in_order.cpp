#include "common/in_order.h"

#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

namespace tsmini::cli {

void write_in_order(std::size_t count, const std::function<std::string(std::size_t)>& make,
                    const std::function<void(const std::string&)>& write) {
  if (count == 0) return;
  write(make(0));
  // So many wait for one that takes long before its cores have nothing to do.
  constexpr std::size_t texts_a_core = 16;
  const auto cores = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  std::size_t next = 1;
  tbb::parallel_pipeline(
      texts_a_core * cores,
      tbb::make_filter<void, std::size_t>(tbb::filter_mode::serial_in_order,
                                          [&](tbb::flow_control& flow) -> std::size_t {
                                            if (next == count) flow.stop();
                                            return next < count ? next++ : next;
                                          }) &
          tbb::make_filter<std::size_t, std::string>(tbb::filter_mode::parallel, make) &
          tbb::make_filter<std::string, void>(tbb::filter_mode::serial_in_order, write));
}

}  // namespace tsmini::cli
