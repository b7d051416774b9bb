// Things made on all cores, in any order, and used in theirs: answers to a million queries, of
// which only a few are in memory at a time.
//
//   in_order<std::string>(queries.size(), [&](std::size_t i) { return text_of(answer(queries[i]));
//   },
//                         [&](std::size_t i, const std::string& text) { writer.add(text); });
//
// `use` is called by one thread at a time. What either throws ends the whole.
#pragma once

#include <cstddef>
#include <utility>

#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

namespace tsmini {

// Those from `first` up to `count`.
template <class Made, class Make, class Use>
void in_order(std::size_t count, const Make& make, const Use& use, std::size_t first = 0) {
  // So many wait for one that takes long before its cores have nothing to do.
  constexpr std::size_t things_a_core = 16;
  const auto cores = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  using Numbered = std::pair<std::size_t, Made>;
  std::size_t next = first;
  const auto number = [&](tbb::flow_control& flow) -> std::size_t {
    if (next >= count) flow.stop();
    return next < count ? next++ : next;
  };
  tbb::parallel_pipeline(
      things_a_core * cores,
      tbb::make_filter<void, std::size_t>(tbb::filter_mode::serial_in_order, number) &
          tbb::make_filter<std::size_t, Numbered>(
              tbb::filter_mode::parallel, [&](std::size_t i) { return Numbered(i, make(i)); }) &
          tbb::make_filter<Numbered, void>(
              tbb::filter_mode::serial_in_order,
              [&](const Numbered& made) { use(made.first, made.second); }));
}

}  // namespace tsmini
