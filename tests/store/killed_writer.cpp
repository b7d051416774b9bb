// A program that writes to a collection until it kills itself: killed_writer COLLECTION LOG KIND
// SEED
//
// It dies in the midst of a piece of work of that kind, at a moment drawn from the time that the
// last one took. A line "begin N 0" goes to the log before each piece and "done N MICROSECONDS"
// once it has returned. What piece N is follows from N alone, see crash_plan.h.
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <random>
#include <string>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

#include "tsmini/collection.h"

#include "store/crash_plan.h"

namespace {

using namespace tsmini;
using Clock = std::chrono::steady_clock;

void write_line(int log, const std::string& line) {
  if (::write(log, line.data(), line.size()) != static_cast<ssize_t>(line.size())) ::_exit(9);
}

// Kills the process after a while, unless it is called off before.
class Fuse {
 public:
  explicit Fuse(std::chrono::microseconds delay)
      : thread_([this, delay] {
          std::unique_lock lock(mutex_);
          if (!changed_.wait_for(lock, delay, [this] { return off_; })) ::raise(SIGKILL);
        }) {}
  Fuse(const Fuse&) = delete;
  Fuse& operator=(const Fuse&) = delete;
  ~Fuse() {
    {
      const std::lock_guard lock(mutex_);
      off_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool off_ = false;
  std::thread thread_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  Collection collection = Collection::open(argv[1]);
  const int log = ::open(argv[2], O_WRONLY | O_APPEND | O_CLOEXEC);
  if (log < 0) return 3;
  const auto kind = static_cast<Piece>(std::atoi(argv[3]));
  std::mt19937 random(static_cast<unsigned>(std::atoi(argv[4])));
  const CrashLog past = CrashLog::read(argv[2]);
  long took = past.microseconds[static_cast<std::size_t>(kind)];
  // A piece that was begun and not done is passed over: nobody knows whether it happened.
  for (std::size_t n = past.begun;; ++n) {
    write_line(log, "begin " + std::to_string(n) + " 0\n");
    const auto start = Clock::now();
    if (kind_of(n) == kind) {
      const Fuse fuse(std::chrono::microseconds(random() % static_cast<unsigned long>(took + 1)));
      do_piece(collection, n);
    } else {
      do_piece(collection, n);
    }
    const long now =
        std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start).count();
    if (kind_of(n) == kind) took = now;
    write_line(log, "done " + std::to_string(n) + " " + std::to_string(now) + "\n");
  }
}
