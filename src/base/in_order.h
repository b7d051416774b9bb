// Makes things on all cores, in any order, and uses them one by one in the order of their numbers:
// answers to a million queries, of which only a few are in memory at a time.
//
//   in_order<std::string>(
//       queries.size(), [&](std::size_t i) { return text_of(answer(queries[i])); },
//       [&](std::size_t i, const std::string& text) { writer.add(text); });
//
// `use` is called by one thread at a time. What either throws ends the whole.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

namespace tsmini {

// The things `first` to `count` - 1.
template <class Made, class Make, class Use>
void in_order(std::size_t count, const Make& make, const Use& use, std::size_t first = 0) {
  // While one thing takes long, so many others for each core are made before the cores wait for it.
  constexpr std::size_t things_a_core = 16;
  const auto cores = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  const std::size_t most = things_a_core * cores;
  // What is made and not used yet. They are kept here, since oneTBB forgets what is on its way
  // where something throws; as they are used in order, those on their way never share a place.
  std::vector<std::optional<Made>> made(most);
  std::size_t next = first;
  const auto number = [&](tbb::flow_control& flow) -> std::size_t {
    if (next >= count) flow.stop();
    return next < count ? next++ : next;
  };
  const auto make_one = [&](std::size_t i) {
    made[i % most].emplace(make(i));
    return i;
  };
  const auto use_one = [&](std::size_t i) {
    use(i, std::as_const(*made[i % most]));
    made[i % most].reset();
  };
  tbb::parallel_pipeline(
      most, tbb::make_filter<void, std::size_t>(tbb::filter_mode::serial_in_order, number) &
                tbb::make_filter<std::size_t, std::size_t>(tbb::filter_mode::parallel, make_one) &
                tbb::make_filter<std::size_t, void>(tbb::filter_mode::serial_in_order, use_one));
}

}  // namespace tsmini
