// How the programs talk: narration and progress to stderr, data to stdout.
//
//   Console console(quiet);
//   import_files(inputs, output, options, console.progress("importing", Unit::bytes));
//   console.say("wrote {}", path);
//
// On a terminal progress is a bar, with rate and time left as soon as they can be told (see
// pace.h); elsewhere a plain line every ten seconds; with --quiet there is none. Ctrl-C makes the
// progress function throw Error(interrupted).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tsmini/progress.h"

#include "base/amounts.h"  // the words for what is said

namespace tsmini::cli {

enum class Unit { bytes, trips, steps };

class Console {
 public:
  explicit Console(bool quiet);

  bool quiet() const { return quiet_; }

  template <class... Args>
  void say(fmt::format_string<Args...> format, Args&&... args) const {
    if (!quiet_) say_text(fmt::format(format, std::forward<Args>(args)...));
  }

  // `title` is a verb with -ing: "importing". `note`, if any, is asked for more whenever a line is
  // shown: "loss 0.31".
  using Note = std::function<std::string()>;
  Progress progress(std::string title, Unit unit, Note note = {}) const;

 private:
  static void say_text(const std::string& text);

  bool quiet_;
};

// Makes Ctrl-C (and a polite kill) end in Error(interrupted) at the next progress call, which comes
// within two seconds, and says so; a second one ends the program at once. What is then saved may
// take longer: of a training, a checkpoint and a model that is tried on a few trips.
void catch_interrupts();
void throw_if_interrupted();

// A table of two columns, the first padded.
class Table {
 public:
  void add(std::string name, std::string value) {
    rows_.emplace_back(std::move(name), std::move(value));
  }
  std::string text() const;

 private:
  std::vector<std::pair<std::string, std::string>> rows_;
};

}  // namespace tsmini::cli
