#include "support/process.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

[[noreturn]] void become(const Words& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments.front(), arguments.data());
  ::_exit(127);
}

void redirect(int from, const std::filesystem::path& to, int flags) {
  const int fd = ::open(to.c_str(), flags, 0600);
  if (fd < 0 || ::dup2(fd, from) < 0) ::_exit(126);
  ::close(fd);
}

ProcessResult reap(pid_t id) {
  ProcessResult result;
  int status = 0;
  rusage usage{};
  while (::wait4(id, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  result.signalled = WIFSIGNALED(status);
  result.status = result.signalled ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  result.peak_kilobytes = usage.ru_maxrss;
  return result;
}

}  // namespace

ProcessResult run_command(const Words& words, const std::string& input) {
  const TemporaryFolder folder;
  write_file(folder / "in", input);
  const pid_t id = ::fork();
  if (id < 0) throw std::runtime_error("cannot fork");
  if (id == 0) {
    redirect(STDIN_FILENO, folder / "in", O_RDONLY);
    redirect(STDOUT_FILENO, folder / "out", O_WRONLY | O_CREAT);
    redirect(STDERR_FILENO, folder / "err", O_WRONLY | O_CREAT);
    become(words);
  }
  ProcessResult result = reap(id);
  result.output = read_file(folder / "out");
  result.errors = read_file(folder / "err");
  return result;
}

void expect_refusal(const TemporaryFolder& folder, const Words& command, int status,
                    const std::string& message, const std::string& hint) {
  const auto before = folder.names();
  const ProcessResult result = run_command(command);
  EXPECT_EQ(result.status, status) << result.errors;
  EXPECT_FALSE(result.signalled);
  EXPECT_EQ(result.output, "");
  EXPECT_TRUE(matches(result.errors, "^error: .*" + message)) << result.errors;
  EXPECT_TRUE(matches(result.errors, "hint: .*" + hint)) << result.errors;
  EXPECT_EQ(folder.names(), before) << "something was left behind";
}

RunningProcess::RunningProcess(const Words& words) {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  id_ = ::fork();
  if (id_ < 0) throw std::runtime_error("cannot fork");
  if (id_ == 0) {
    if (::dup2(ends[0], STDIN_FILENO) < 0) ::_exit(126);
    redirect(STDOUT_FILENO, "/dev/null", O_WRONLY);
    redirect(STDERR_FILENO, folder_ / "err", O_WRONLY | O_CREAT);
    become(words);
  }
  ::close(ends[0]);
  input_ = ends[1];
}

RunningProcess::~RunningProcess() {
  ::close(input_);
  if (id_ < 0) return;
  ::kill(id_, SIGKILL);
  reap(id_);
}

void RunningProcess::feed(const std::string& text) const {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t now = ::write(input_, text.data() + done, text.size() - done);
    if (now < 0 && errno != EINTR) throw std::runtime_error("the program stopped reading");
    if (now > 0) done += static_cast<std::size_t>(now);
  }
}

void RunningProcess::signal(int number) const {
  ::kill(id_, number);
}

ProcessResult RunningProcess::wait() {
  ProcessResult result = reap(std::exchange(id_, -1));
  result.errors = read_file(folder_ / "err");
  return result;
}

}  // namespace tsmini
