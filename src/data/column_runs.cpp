#include "data/column_runs.h"

#include <algorithm>

namespace tsmini {

std::size_t ColumnRuns::run_of(std::size_t point, std::size_t near) const {
  constexpr int next_ones = 2;
  for (int i = 0; i <= next_ones && near < runs_.size() && runs_[near].first <= point; ++i) {
    if (++near == runs_.size() || runs_[near].first > point) return near - 1;
  }
  const auto behind =
      std::upper_bound(runs_.begin(), runs_.end(), point,
                       [](std::size_t wanted, const Run& run) { return wanted < run.first; });
  return static_cast<std::size_t>(behind - runs_.begin()) - 1;
}

void ColumnRuns::begin_run(std::size_t point, std::string_view value) {
  runs_.push_back({point, text_.size(), value.size()});
  text_ += value;
}

void ColumnRuns::append(const ColumnRuns& from, std::size_t begin, std::size_t end,
                        std::size_t at) {
  for (std::size_t r = from.run_of(begin); r < from.count() && from.first_of(r) < end; ++r) {
    add(at + std::max(from.first_of(r), begin) - begin, from.text_of(r));
  }
}

void ColumnRuns::append_within_limit(const ColumnRuns& from, std::size_t begin, std::size_t end,
                                     std::size_t at) {
  for (std::size_t r = from.run_of(begin); r < from.count() && from.first_of(r) < end; ++r) {
    if (!runs_.empty() && exceeds_limit(runs_.size() - 1, runs_.back().first)) return;
    add(at + std::max(from.first_of(r), begin) - begin, from.text_of(r));
  }
}

}  // namespace tsmini
