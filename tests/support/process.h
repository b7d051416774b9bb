// Other programs, run from tests.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "support/files.h"

namespace tsmini {

struct ProcessResult {
  int status = -1;  // of exit; 128 + the signal where one ended it
  bool signalled = false;
  std::string output, errors;
  long peak_kilobytes = 0;  // of resident memory
};

using Words = std::vector<std::string>;

// Runs it to its end. `input` is its standard input.
ProcessResult run_command(const Words& words, const std::string& input = {});

// The command refuses: this status, no signal, nothing on standard output, an error and a hint that
// match, and the folder as it was.
void expect_refusal(const TemporaryFolder& folder, const Words& command, int status,
                    const std::string& message, const std::string& hint);

// A program that is running, with a pipe to its standard input; killed and reaped at the end.
class RunningProcess {
 public:
  explicit RunningProcess(const Words& words);
  RunningProcess(const RunningProcess&) = delete;
  RunningProcess& operator=(const RunningProcess&) = delete;
  ~RunningProcess();

  pid_t id() const { return id_; }
  void feed(const std::string& text) const;  // to its standard input, which stays open
  void signal(int number) const;
  ProcessResult wait();  // without its standard output

 private:
  TemporaryFolder folder_;  // for what it says on standard error
  pid_t id_ = -1;
  int input_ = -1;
};

}  // namespace tsmini
