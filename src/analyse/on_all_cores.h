// Something for each of many, on all cores, with what the searches of each computed.
#pragma once

#include <cstddef>

#include <tbb/combinable.h>
#include <tbb/parallel_for.h>

#include "tsmini/exact_search.h"

namespace tsmini {

// Calls body(i, work) for every i below `count`.
template <class Body>
SearchWork on_all_cores(std::size_t count, const Body& body) {
  tbb::combinable<SearchWork> works;
  tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) { body(i, works.local()); });
  SearchWork all;
  works.combine_each([&](const SearchWork& work) { all += work; });
  return all;
}

}  // namespace tsmini
