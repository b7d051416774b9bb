#include "tsmini/heartbeat.h"

#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <utility>

#include <tbb/task_arena.h>

namespace tsmini {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Clock::duration pause = std::chrono::milliseconds(50);

}  // namespace

class Heartbeat::Shared {
 public:
  Shared(Progress progress, std::uint64_t total) : progress_(std::move(progress)), total_(total) {}

  void advance(std::uint64_t count) {
    done_ += count;
    const std::lock_guard lock(calling_);
    throw_if_stopped();
    call();
  }

  void beat() {
    throw_if_stopped();
    if (Clock::now() < next_.load(std::memory_order_relaxed)) return;
    const std::unique_lock lock(calling_, std::try_to_lock);
    if (!lock) return;
    throw_if_stopped();
    call();
  }

 private:
  void throw_if_stopped() const {
    if (stopped_.load(std::memory_order_acquire)) std::rethrow_exception(reason_);
  }

  // To be called under the lock. Where the Progress waits for parallel work of its own, this thread
  // takes up none of that which it was called within: another pair would use the same scratch.
  void call() {
    try {
      tbb::this_task_arena::isolate([this] { progress_({done_, total_}); });
      next_.store(Clock::now() + pause, std::memory_order_relaxed);
    } catch (...) {
      reason_ = std::current_exception();
      stopped_.store(true, std::memory_order_release);
      throw;
    }
  }

  Progress progress_;
  std::uint64_t total_;
  std::atomic<std::uint64_t> done_ = 0;
  std::mutex calling_;
  std::atomic<Clock::time_point> next_{Clock::time_point()};
  std::atomic<bool> stopped_ = false;
  std::exception_ptr reason_;  // set before stopped_
};

Heartbeat::Heartbeat(Progress progress, std::uint64_t total)
    : shared_(progress ? std::make_shared<Shared>(std::move(progress), total) : nullptr) {}

void Heartbeat::advance(std::uint64_t count) const {
  if (shared_) shared_->advance(count);
}

void Heartbeat::beat() const {
  if (shared_) shared_->beat();
}

}  // namespace tsmini
