// Work on rows in parallel, on the CPU, with results that are the same for any number of threads.
//
// Threads are those of the oneTBB arena that the caller is in.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <initializer_list>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "learn/arena.h"
#include "model/architecture.h"

namespace tsmini::learn {

// As many threads as are asked for, or all, of those that the process allows. (oneTBB says on
// standard error that an arena is larger than that.)
inline std::size_t allowed_threads(std::size_t asked) {
  const std::size_t all =
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return asked == 0 ? all : std::min(asked, all);
}

// Calls visit(part) for parts 0 to count - 1. A thread that is done takes the next part, so that
// none waits long for one that was held up. Visits must not wait for parallel work of their own.
template <class Visit>
void each_part(std::size_t count, const Visit& visit) {
  const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  const std::size_t workers = std::min(count, threads);
  if (workers <= 1) {
    for (std::size_t part = 0; part < count; ++part) visit(part);
    return;
  }
  std::atomic<std::size_t> next{0};
  tbb::parallel_for(
      std::size_t{0}, workers,
      [&](std::size_t) {
        try {
          for (std::size_t part = next++; part < count; part = next++) visit(part);
        } catch (...) {
          next = count;  // nobody goes on
          throw;
        }
      },
      tbb::static_partitioner());
}

// Calls visit(first, size) for runs of `size` things each, but for the last.
template <class Visit>
void each_piece(std::size_t count, std::size_t size, const Visit& visit) {
  each_part((count + size - 1) / size,
            [&](std::size_t part) { visit(part * size, std::min(size, count - part * size)); });
}

// Calls visit(first, count) for blocks of rows.
template <class Visit>
void each_block(std::size_t rows, const Visit& visit) {
  each_piece(rows, block_rows, visit);
}

// Sums over all rows, of `size` numbers. Rows are cut into parts by their number alone; each part
// is summed apart, and the parts are joined in their order. Parts have six blocks or more, so that
// joining them is little work, and are a power of two, so that threads get as much each.
template <typename T>
class PartSums {
 public:
  PartSums(Arena& arena, std::size_t rows, std::size_t size)
      : rows_(rows),
        size_(size),
        parts_(std::bit_floor(std::clamp<std::size_t>(rows / (6 * block_rows), 1, 16))),
        sums_(arena.take<T>(parts_ * size)) {}

  std::size_t parts() const { return parts_; }
  // The first row of a part, part up to parts(); parts are whole blocks.
  std::size_t first(std::size_t part) const {
    const std::size_t blocks = (rows_ + block_rows - 1) / block_rows;
    return std::min(blocks * part / parts_ * block_rows, rows_);
  }

  // The sums of a part, zero.
  T* start(std::size_t part) {
    T* sums = sums_ + part * size_;
    std::fill_n(sums, size_, T{0});
    return sums;
  }

  // Calls visit(first, count, sums) for the blocks of all parts.
  template <class Visit>
  void each_block(const Visit& visit) {
    each_part(parts_, [&](std::size_t part) {
      T* sums = start(part);
      const std::size_t end = first(part + 1);
      for (std::size_t row = first(part); row < end; row += block_rows)
        visit(row, std::min(block_rows, end - row), sums);
    });
  }

  // Writes the sums over all parts, the first `count` numbers to the first place, and so on. A
  // place may be null.
  struct Place {
    T* data;
    std::size_t count;
  };
  void join(std::initializer_list<Place> places) {
    constexpr std::size_t piece = 1 << 12;
    std::size_t at = 0;
    for (const Place& place : places) {
      const T* first = sums_ + at;
      at += place.count;
      if (place.data == nullptr) continue;
      each_piece(place.count, piece, [&](std::size_t from, std::size_t count) {
        T* to = std::copy_n(first + from, count, place.data + from) - count;
        for (std::size_t p = 1; p < parts_; ++p) {
          const T* more = first + p * size_ + from;
          for (std::size_t i = 0; i < count; ++i) to[i] += more[i];
        }
      });
    }
  }

 private:
  std::size_t rows_, size_, parts_;
  T* sums_;
};

}  // namespace tsmini::learn
