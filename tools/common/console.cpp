#include "common/console.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <memory>

#include <sys/types.h>
#include <unistd.h>

#include "tsmini/error.h"

#include "base/amounts.h"
#include "base/stopwatch.h"
#include "base/utf8.h"
#include "common/option_names.h"
#include "common/pace.h"
#include "common/shown.h"

namespace tsmini::cli {
namespace {

std::atomic<bool> interrupted{false};
std::atomic<bool> bar_on_screen{false};
std::atomic<bool> silent{false};

// A key, another program, a terminal that is gone.
constexpr int stopping[] = {SIGINT, SIGTERM, SIGHUP};

void write_plainly(std::string_view text) {
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
}

// Does only what a signal handler may. The next signal has its usual effect.
void on_signal(int) {
  const int before = errno;
  interrupted.store(true);
  for (const int stop : stopping) std::signal(stop, SIG_DFL);
  if (!silent.load()) {
    if (bar_on_screen.exchange(false)) write_plainly("\r\033[K");
    write_plainly("stopping; again to stop at once\n");
  }
  errno = before;
}

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
    const double now = watch_.seconds();
    pace_.add(now, state.done);
    const double pause = terminal_ ? 0.1 : 10;
    if (now - last_ < pause) return;
    last_ = now;
    std::string line = fmt::format("{} {}{}", title_, bar(state), amount(state));
    if (const auto rate = pace_.rate()) line += fmt::format(", {}", speed(*rate));
    if (note_) line += note_();
    if (const auto left = pace_.seconds_left(state.total)) {
      line += fmt::format(", about {} left", human_seconds(*left));
    }
    clear_bar();
    std::fputs((terminal_ ? line : line + "\n").c_str(), stderr);
    std::fflush(stderr);
    bar_on_screen = terminal_;
  }

 private:
  std::string number(std::uint64_t count) const {
    return unit_ == Unit::bytes ? human_bytes(static_cast<double>(count)) : with_thousands(count);
  }

  std::string amount(const ProgressState& state) const {
    if (state.total == 0) return number(state.done);
    return fmt::format("{} of {}", number(state.done), number(state.total));
  }

  std::string speed(double rate) const {
    if (unit_ == Unit::bytes) return fmt::format("{}/s", human_bytes(rate));
    return fmt::format("{}{}/s", human_number(rate), unit_ == Unit::steps ? " steps" : "");
  }

  // Nothing where it is not known how much there is to do.
  std::string bar(const ProgressState& state) const {
    if (state.total == 0) return "";
    const double share =
        std::min(1.0, static_cast<double>(state.done) / static_cast<double>(state.total));
    // Whole per cent, rounded down, so that the line keeps its place and 100 % is the end.
    std::string percent = fmt::format("{:3} % ", static_cast<int>(100 * share));
    if (!terminal_) return percent;
    constexpr std::size_t width = 24;
    const auto full = static_cast<std::size_t>(share * width);
    return fmt::format("[{}{}] {}", std::string(full, '='), std::string(width - full, ' '),
                       percent);
  }

  std::string title_;
  Unit unit_;
  Console::Note note_;
  bool terminal_ = ::isatty(STDERR_FILENO) == 1;
  Pace pace_;
  Stopwatch watch_;
  double last_ = 0;  // when it was shown, by the watch
};

}  // namespace

Console::Console(bool quiet) : quiet_(quiet) {
  silent.store(quiet);
}

void catch_interrupts() {
  for (const int stop : stopping) {
    const auto before = std::signal(stop, on_signal);
    if (stop == SIGHUP && before == SIG_IGN) std::signal(stop, SIG_IGN);  // as nohup wants it
  }
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
  std::fputs((shown_lines(in_options(text)) + "\n").c_str(), stderr);
}

std::string Table::text() const {
  std::size_t width = 0;
  for (const auto& [name, value] : rows_) width = std::max(width, text_width(name));
  std::string result;
  for (const auto& [name, value] : rows_) result += to_the_left(name, width) + "  " + value + "\n";
  return result;
}

}  // namespace tsmini::cli
