#include "experiment/rival_program.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/system_reason.h"
#include "base/utf8.h"

namespace tsmini::experiment {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr const char* program_name = "tsmini-rivals";

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
      throw Error(ErrorCode::failure, fmt::format("no pipe: {}", reason_of(errno)));
    reading = FileHandle(ends[0]);
    writing = FileHandle(ends[1]);
  }

  FileHandle reading, writing;
};

// Lines of standard error. From "error: " on they are what it ended with.
class Complaints {
 public:
  void add(std::string_view text, const Tell& tell) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n'), room = longest - rest_.size();
      const std::size_t size = std::min({end, room, text.size()});
      rest_ += text.substr(0, size);
      const bool ended = size == end;
      if (ended || size == room) take_rest(tell);
      text.remove_prefix(size + (ended ? 1 : 0));
    }
  }
  // Takes what is left, a line without an end.
  void finish(const Tell& tell) {
    if (!rest_.empty()) take_rest(tell);
  }

  const std::string& message() const { return message_; }
  const std::string& hint() const { return hint_; }

 private:
  void take_rest(const Tell& tell) {
    take(printable(rest_, longest), tell);
    rest_.clear();
  }

  void take(const std::string& line, const Tell& tell) {
    constexpr std::string_view error = "error: ", hint = "  hint: ";
    if (line.starts_with(error))
      message_ = line.substr(error.size());
    else if (line.starts_with(hint) && !message_.empty())
      hint_ = line.substr(hint.size());
    else if (tell)
      tell(line);
  }

  static constexpr std::size_t longest = 4096;  // line

  std::string rest_, message_, hint_;
};

class Child {
 public:
  Child(const std::filesystem::path& path, std::vector<std::string> words) {
    words.insert(words.begin(), program_name);
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    Pipe output, errors;
    ::posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, output.writing.get(), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, errors.writing.get(), STDERR_FILENO);
    // The child ends with this process (rivals/program/main.cpp).
    std::string parent = fmt::format("TSMINI_PARENT={}", ::getpid());
    std::vector<char*> variables;
    for (char** variable = ::environ; *variable != nullptr; ++variable)
      variables.push_back(*variable);
    variables.insert(variables.end(), {parent.data(), nullptr});
    const int reason =
        ::posix_spawn(&id_, path.c_str(), &actions, nullptr, argv.data(), variables.data());
    ::posix_spawn_file_actions_destroy(&actions);
    if (reason != 0)
      throw RivalFailed(ErrorCode::failure,
                        fmt::format("{}: cannot start it: {}", path.string(), reason_of(reason)),
                        "put one that was built for this machine there");
    output_ = std::move(output.reading);
    errors_ = std::move(errors.reading);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { stop(); }

  // Listens until it has ended. What it has started itself may go on, and keep its streams open.
  void listen(std::string& output, Complaints& complaints, const Progress& progress,
              const Tell& tell) {
    std::array<pollfd, 2> ends{{{output_.get(), POLLIN, 0}, {errors_.get(), POLLIN, 0}}};
    for (bool ended = false; !ended;) {
      look(WNOHANG);
      ended = status_.has_value();  // what is there now is all
      for (int ready = 1; ready > 0;) {
        ready = ::poll(ends.data(), ends.size(), ended ? 0 : 100);
        if (progress) progress({});
        if (ready > 0 && !take_from(ends, output, complaints, tell)) break;
        if (!ended) break;
      }
    }
    complaints.finish(tell);
  }

  // The status that waitpid() gives.
  int status() const { return *status_; }

 private:
  // False where both are closed.
  static bool take_from(std::array<pollfd, 2>& ends, std::string& output, Complaints& complaints,
                        const Tell& tell) {
    constexpr std::size_t most = 64 << 20;  // bytes of an answer
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      std::array<char, 65536> buffer;
      const ssize_t size = ::read(ends[i].fd, buffer.data(), buffer.size());
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) {
        ends[i].fd = -1;
        continue;
      }
      const std::string_view text(buffer.data(), static_cast<std::size_t>(size));
      if (i == 1)
        complaints.add(text, tell);
      else if (output.size() < most)
        output += text;
    }
    return ends[0].fd >= 0 || ends[1].fd >= 0;
  }

  void look(int flags) {
    int status = 0;
    const pid_t ended = ::waitpid(id_, &status, flags);
    if (ended == id_) status_ = status;
    if (ended < 0 && errno != EINTR) status_ = 1 << 8;  // taken by somebody else: it failed
  }

  bool ends_within(std::chrono::milliseconds time) {
    for (const auto start = Clock::now(); !status_ && Clock::now() - start < time;) {
      look(WNOHANG);
      if (!status_) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return status_.has_value();
  }

  // Ctrl-C has reached it, too, and a second signal would end it at once: it is asked only where it
  // does not end by itself.
  void stop() {
    output_ = {};
    errors_ = {};
    if (ends_within(std::chrono::seconds(3))) return;
    ::kill(id_, SIGTERM);
    if (ends_within(std::chrono::seconds(10))) return;
    ::kill(id_, SIGKILL);
    while (!status_) look(0);
  }

  pid_t id_ = -1;
  std::optional<int> status_;
  FileHandle output_, errors_;
};

[[noreturn]] void complain(int status, const Complaints& complaints) {
  const std::string message =
      !complaints.message().empty() ? complaints.message()
      : WIFSIGNALED(status)
          ? fmt::format("{} was ended by signal {}", program_name, WTERMSIG(status))
          : fmt::format("{} ended with status {}", program_name, WEXITSTATUS(status));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 130) throw Error(ErrorCode::interrupted, message);
  const bool refused = WIFEXITED(status) && WEXITSTATUS(status) == 3;
  throw RivalFailed(refused ? ErrorCode::bad_input : ErrorCode::failure, message,
                    complaints.hint());
}

}  // namespace

std::vector<std::filesystem::path> program_folders() {
  std::error_code unknown;
  std::vector<std::filesystem::path> folders;
  const auto own = std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
  if (!own.empty()) folders.push_back(own);
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) folders.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return folders;
}

std::filesystem::path found_program(const std::vector<std::filesystem::path>& folders) {
  for (const std::filesystem::path& folder : folders) {
    std::filesystem::path path = folder / program_name;
    if (::access(path.c_str(), X_OK) == 0) return path;
  }
  throw Error(ErrorCode::failure,
              fmt::format("rivals need the program {}, which is neither in {} nor on the PATH",
                          program_name,
                          folders.empty() ? "the folder of this one" : folders.front().string()),
              "put tsmini-rivals beside this program, or on the PATH");
}

Json RivalProgram::run(std::vector<std::string> words, const Progress& progress,
                       const Tell& tell) const {
  std::string output;
  Complaints complaints;
  Child child(path_, std::move(words));
  child.listen(output, complaints, progress, tell);
  if (child.status() != 0) complain(child.status(), complaints);
  try {
    return Json::parse(output);
  } catch (const Json::exception&) {
    throw RivalFailed(ErrorCode::failure, fmt::format("{} told no JSON", path_.string()),
                      "use one of the same version as tsmini");
  }
}

}  // namespace tsmini::experiment
