// The built program, run as a user runs it.
#pragma once

#include <string>

#include "support/error_expectation.h"
#include "support/files.h"
#include "support/process.h"

namespace tsmini {

inline Words program(Words words) {
  words.insert(words.begin(), TSMINI_PROGRAM);
  return words;
}

inline ProcessResult tsmini_program(const Words& words, const std::string& input = {}) {
  return run_command(program(words), input);
}

// A line of the shell, with the program as $TSMINI.
inline ProcessResult shell(const std::string& line) {
  return run_command({"bash", "-c", "TSMINI='" TSMINI_PROGRAM "'; " + line});
}

// As in support/process.h, of the program with these words.
inline void expect_refusal(const TemporaryFolder& folder, int status, const Words& words,
                           const std::string& message, const std::string& hint) {
  expect_refusal(folder, program(words), status, message, hint);
}

}  // namespace tsmini
