#include "common/console.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>

#include <sys/types.h>
#include <unistd.h>

#include "tsmini/error.h"

#include "base/text.h"

namespace tsmini::cli {
namespace {

std::atomic<bool> interrupted{false};
std::atomic<bool> bar_on_screen{false};
std::atomic<bool> silent{false};

void write_plainly(std::string_view text) {
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
}

// Does only what a signal handler may. The next signal has its usual effect.
void on_signal(int) {
  interrupted.store(true);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  if (silent.load()) return;
  if (bar_on_screen.exchange(false)) write_plainly("\r\033[K");
  write_plainly("stopping; again to stop at once\n");
}

using Clock = std::chrono::steady_clock;

void clear_bar() {
  if (bar_on_screen) std::fputs("\r\033[K", stderr);
  bar_on_screen = false;
}

class ProgressLine {
 public:
  ProgressLine(std::string title, Unit unit, Console::Note note)
      : title_(std::move(title)), unit_(unit), note_(std::move(note)) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear_bar(); }

  void update(const ProgressState& state) {
    throw_if_interrupted();
    if (unit_ == Unit::steps && !begun_) first_ = state.done;
    begun_ = true;
    const auto now = Clock::now();
    const auto pause = terminal_ ? std::chrono::milliseconds(100) : std::chrono::seconds(10);
    if (now - last_ < pause) return;
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double rate = static_cast<double>(state.done - first_) / std::max(seconds, 1e-9);
    std::string line = fmt::format("{} {} {}", title_, bar(state), amounts(state, rate));
    if (note_) line += note_();
    if (state.total > state.done && rate > 0) {
      line += fmt::format(", {} left",
                          human_seconds(static_cast<double>(state.total - state.done) / rate));
    }
    clear_bar();
    std::fputs((terminal_ ? line : line + "\n").c_str(), stderr);
    std::fflush(stderr);
    bar_on_screen = terminal_;
  }

 private:
  std::string amounts(const ProgressState& state, double rate) const {
    if (unit_ == Unit::bytes) {
      return fmt::format("{} of {}, {}/s", human_bytes(static_cast<double>(state.done)),
                         human_bytes(static_cast<double>(state.total)), human_bytes(rate));
    }
    const std::string counts =
        fmt::format("{} of {}", with_thousands(state.done), with_thousands(state.total));
    if (unit_ == Unit::steps) return fmt::format("{}, {:.3g} steps/s", counts, rate);
    return fmt::format("{}, {}/s", counts, with_thousands(static_cast<std::uint64_t>(rate)));
  }

  std::string bar(const ProgressState& state) const {
    const double share =
        state.total == 0 ? 0 : static_cast<double>(state.done) / static_cast<double>(state.total);
    if (!terminal_) return fmt::format("{:3.0f} %", 100 * share);
    constexpr std::size_t width = 24;
    const auto full = static_cast<std::size_t>(share * width);
    return fmt::format("[{}{}] {:3.0f} %", std::string(full, '='), std::string(width - full, ' '),
                       100 * share);
  }

  std::string title_;
  Unit unit_;
  Console::Note note_;
  bool terminal_ = ::isatty(STDERR_FILENO) == 1;
  bool begun_ = false;
  std::uint64_t first_ = 0;  // done when it began
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

}  // namespace

Console::Console(bool quiet) : quiet_(quiet) {
  silent.store(quiet);
}

void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

void throw_if_interrupted() {
  if (interrupted.load()) throw Error(ErrorCode::interrupted, "interrupted; nothing was written");
}

Progress Console::progress(std::string title, Unit unit, Note note) const {
  if (quiet_) return [](const ProgressState&) { throw_if_interrupted(); };
  auto line = std::make_shared<ProgressLine>(std::move(title), unit, std::move(note));
  return [line](const ProgressState& state) { line->update(state); };
}

void Console::say_text(const std::string& text) {
  clear_bar();
  std::fflush(stdout);  // where both go to one place, in the order they were said
  std::fputs((text + "\n").c_str(), stderr);
}

std::string Table::text() const {
  std::size_t width = 0;
  for (const auto& [name, value] : rows_) width = std::max(width, name.size());
  std::string result;
  for (const auto& [name, value] : rows_) result += fmt::format("{:<{}}  {}\n", name, width, value);
  return result;
}

std::string human_bytes(double bytes) {
  constexpr std::array<std::string_view, 5> units{"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  const int decimals = unit == 0 || bytes >= 100 ? 0 : 1;
  return fmt::format("{:.{}f} {}", bytes, decimals, units[unit]);
}

}  // namespace tsmini::cli
