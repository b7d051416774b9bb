// tsmini-rivals, run as a program of its own: it tells what it did as JSON on standard output, and
// how far it is on standard error.
//
//   const RivalProgram program(found_program(program_folders()));
//   nlohmann::ordered_json told = program.run({"train", "porto.tsd", "--rival", "trajcl", …}, {});
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "tsmini/error.h"
#include "tsmini/progress.h"

namespace tsmini::experiment {

// The folder of this program, then those of the PATH.
std::vector<std::filesystem::path> program_folders();
// The first in these folders. Throws Error(failure) that says where it has to be.
std::filesystem::path found_program(const std::vector<std::filesystem::path>& folders);

// The program did not do what it was asked: out of memory, say, or a trip that it does not take.
class RivalFailed : public Error {
 public:
  using Error::Error;
};

// Given each line of standard error, but for the error that ended it.
using Tell = std::function<void(std::string_view line)>;

class RivalProgram {
 public:
  explicit RivalProgram(std::filesystem::path path) : path_(std::move(path)) {}

  // Waits for its end. `progress` is called some ten times a second and may throw: the program is
  // then asked to stop, and waited for. Throws Error(interrupted) where it was interrupted itself,
  // RivalFailed with its own words where it ended otherwise than well, told no JSON or could not be
  // started; its code is bad_input where that was its reason.
  nlohmann::ordered_json run(std::vector<std::string> words, const Progress& progress,
                             const Tell& tell = {}) const;

 private:
  std::filesystem::path path_;
};

}  // namespace tsmini::experiment
