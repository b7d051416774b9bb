// The built program, run as a user runs it.
#pragma once

#include <string>

#include <gtest/gtest.h>

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

// The program refuses: this status, nothing on standard output, an error and a hint that match, and
// the folder as it was.
inline void expect_refusal(const TemporaryFolder& folder, int status, const Words& words,
                           const std::string& message, const std::string& hint) {
  const auto before = folder.names();
  const ProcessResult result = tsmini_program(words);
  EXPECT_EQ(result.status, status) << result.errors;
  EXPECT_EQ(result.output, "");
  EXPECT_TRUE(matches(result.errors, "^error: .*" + message)) << result.errors;
  EXPECT_TRUE(matches(result.errors, "hint: .*" + hint)) << result.errors;
  EXPECT_EQ(folder.names(), before) << "something was left behind";
}

}  // namespace tsmini
