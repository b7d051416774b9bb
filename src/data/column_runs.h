// The values of one column along points that come one after the other, as runs of equal ones.
//
// Columns that say something of a whole trip change seldom: a run costs 24 bytes and its text,
// whatever the number of points. A column with another value at nearly every point (a speed) is
// none that a trip could have as an attribute: it is given up for the rest of a track at the run
// that exceeds_limit(). The rule looks at the track alone, so what comes out does not depend on how
// a file was cut into batches; a track that is collected over many stops recording there.
//
//   ColumnRuns taxi;
//   taxi.add(0, "7");
//   taxi.add(1, "7");   // nothing happens
//   taxi.add(2, "8");
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tsmini {

// The run of this number in its track, from 0, begins at this point of the track: too early.
constexpr bool exceeds_limit(std::size_t run, std::size_t point) {
  return run > 64 + point / 8;
}

class ColumnRuns {
 public:
  std::size_t count() const { return runs_.size(); }
  std::size_t first_of(std::size_t run) const { return runs_[run].first; }
  std::string_view text_of(std::size_t run) const {
    return std::string_view(text_).substr(runs_[run].text_begin, runs_[run].text_size);
  }
  // The run that holds a point; there is one. Found at once where it is `near`, or one of the next.
  std::size_t run_of(std::size_t point, std::size_t near = 0) const;

  void clear() {  // keeps the memory
    runs_.clear();
    text_.clear();
  }
  // The value of a point behind all that have one; points between have the value before them.
  void add(std::size_t point, std::string_view value) {
    if (runs_.empty() || last_text() != value) begin_run(point, value);
  }
  // The values of the points [begin, end) of another column, as those of the points from `at` on.
  void append(const ColumnRuns& from, std::size_t begin, std::size_t end, std::size_t at);
  // The same for a track that begins at 0, up to the run that exceeds the limit.
  void append_within_limit(const ColumnRuns& from, std::size_t begin, std::size_t end,
                           std::size_t at);

 private:
  struct Run {
    std::size_t first = 0, text_begin = 0, text_size = 0;
  };

  std::string_view last_text() const {
    return {text_.data() + runs_.back().text_begin, runs_.back().text_size};
  }
  void begin_run(std::size_t point, std::string_view value);

  std::vector<Run> runs_;
  std::string text_;
};

}  // namespace tsmini
