// Runs kernels: the threads of a block take turns where they wait for each other.
//
// A fiber takes one thread of the block after the other; where a thread must wait, the fiber keeps
// it and another fiber goes on with the next. So a kernel whose threads never wait needs one fiber,
// and no switches.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "context.h"

constinit thread_local uint3 threadIdx{};
constinit thread_local uint3 blockIdx{};
constinit thread_local dim3 blockDim{};
constinit thread_local dim3 gridDim{};

namespace gpu_emulator {
namespace {

constexpr std::size_t warp_lanes = 32;
constexpr unsigned most_threads = 1024;                     // of a block
constexpr unsigned most_blocks = 65535;                     // along y and z
constexpr std::size_t most_shared = std::size_t{48} << 10;  // bytes of a block

struct Fiber;

struct Thread {
  enum class State { unstarted, ready, at_barrier, at_warp, ended };

  uint3 place{};
  State state = State::unstarted;
  WarpCall call;            // that it waits in; of a barrier the site alone
  bool has_waited = false;  // for the kernel before
  Fiber* fiber = nullptr;
};

void work_through_block();

struct Fiber {
  Context context{&work_through_block};
};

// What one thread of the machine runs kernels with.
class Machine {
 public:
  void run(const cudaLaunchConfig_t& configuration, const std::function<void()>& body);
  void work(Fiber& fiber);
  Fiber& newest_fiber() { return *running_; }
  void wait_for_block(const Site& site);
  void wait_for_kernel() { threads_[current_].has_waited = true; }
  std::uint64_t meet_warp(const WarpCall& call);
  std::size_t current() const { return current_; }
  void* shared() { return shared_.get(); }

 private:
  void run_block(const std::function<void()>& body);
  void wait();
  void go_on(Context& from);
  Context& next_context();
  void release_block();
  void release_warp(std::size_t first, std::size_t caller);
  void release_others(std::size_t ended);
  [[noreturn]] void report_standstill() const;

  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> idle_;
  Context outside_;
  Fiber* running_ = nullptr;

  // What belongs to the block.
  const std::function<void()>* body_ = nullptr;
  bool starts_early_ = false;  // before the kernel before has ended
  std::vector<Thread> threads_;
  std::size_t started_ = 0, ended_ = 0, at_barrier_ = 0;
  std::size_t current_ = 0;  // the thread that runs
  std::unique_ptr<unsigned char[]> shared_;
};

thread_local Machine machine;

void work_through_block() {
  Context::arrive();
  machine.work(machine.newest_fiber());
}

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "GPU emulator: block (%u, %u, %u): %s\n", blockIdx.x, blockIdx.y, blockIdx.z,
               what.c_str());
  std::abort();
}

std::string text_of(const Site& site) {
  return std::string(site.file) + ":" + std::to_string(site.line);
}

void Machine::run(const cudaLaunchConfig_t& configuration, const std::function<void()>& body) {
  gridDim = configuration.gridDim;
  blockDim = configuration.blockDim;
  starts_early_ = configuration.numAttrs > 0;
  for (unsigned z = 0; z < gridDim.z; ++z) {
    for (unsigned y = 0; y < gridDim.y; ++y) {
      for (unsigned x = 0; x < gridDim.x; ++x) {
        blockIdx = {x, y, z};
        // Anew for every block: what one leaves there is nonsense to the next.
        const std::size_t bytes = configuration.dynamicSmemBytes;
        shared_ = std::make_unique_for_overwrite<unsigned char[]>(bytes);
        std::memset(shared_.get(), 0xFF, bytes);
        run_block(body);
      }
    }
  }
}

void Machine::run_block(const std::function<void()>& body) {
  body_ = &body;
  threads_.assign(std::size_t{blockDim.x} * blockDim.y * blockDim.z, {});
  std::size_t at = 0;
  for (unsigned z = 0; z < blockDim.z; ++z) {
    for (unsigned y = 0; y < blockDim.y; ++y) {
      for (unsigned x = 0; x < blockDim.x; ++x) threads_[at++].place = {x, y, z};
    }
  }
  started_ = ended_ = at_barrier_ = 0;
  go_on(outside_);
}

void Machine::work(Fiber& fiber) {
  for (;;) {
    while (started_ < threads_.size()) {
      current_ = started_++;
      Thread& thread = threads_[current_];
      thread.fiber = &fiber;
      thread.state = Thread::State::ready;
      threadIdx = thread.place;
      const std::size_t mine = current_;
      (*body_)();
      if (starts_early_ && !threads_[mine].has_waited)
        fail("the kernel does not wait for the one before it: it never calls await_previous()");
      threads_[mine].state = Thread::State::ended;
      ++ended_;
      release_others(mine);
    }
    idle_.push_back(&fiber);
    go_on(fiber.context);
  }
}

// The thread that runs waits until its state is `ready`.
void Machine::wait() {
  const std::size_t mine = current_;
  if (threads_[mine].state != Thread::State::ready) go_on(threads_[mine].fiber->context);
  current_ = mine;
  threadIdx = threads_[mine].place;
}

void Machine::go_on(Context& from) {
  from.switch_to(next_context());
}

Context& Machine::next_context() {
  if (started_ < threads_.size()) {
    if (idle_.empty()) {
      fibers_.push_back(std::make_unique<Fiber>());
      idle_.push_back(fibers_.back().get());
    }
    running_ = idle_.back();
    idle_.pop_back();
    return running_->context;
  }
  if (ended_ == threads_.size()) return outside_;
  for (std::size_t step = 1; step <= threads_.size(); ++step) {
    const Thread& thread = threads_[(current_ + step) % threads_.size()];
    if (thread.state == Thread::State::ready) return thread.fiber->context;
  }
  report_standstill();
}

void Machine::wait_for_block(const Site& site) {
  Thread& thread = threads_[current_];
  thread.call = {};
  thread.call.site = site;
  thread.state = Thread::State::at_barrier;
  ++at_barrier_;
  release_block();
  wait();
}

void Machine::release_block() {
  if (at_barrier_ == 0 || at_barrier_ + ended_ < threads_.size()) return;
  const Site* site = nullptr;
  for (const Thread& thread : threads_) {
    if (thread.state != Thread::State::at_barrier) continue;
    if (site != nullptr && *site != thread.call.site) return;  // not the same barrier
    site = &thread.call.site;
  }
  for (Thread& thread : threads_) {
    if (thread.state == Thread::State::at_barrier) thread.state = Thread::State::ready;
  }
  at_barrier_ = 0;
}

std::uint64_t Machine::meet_warp(const WarpCall& call) {
  Thread& thread = threads_[current_];
  if ((call.mask >> (current_ % warp_lanes) & 1U) == 0)
    fail("thread " + std::to_string(current_) + " is not in its own mask at " + text_of(call.site));
  thread.call = call;
  thread.state = Thread::State::at_warp;
  const std::size_t mine = current_;
  release_warp(mine / warp_lanes * warp_lanes, mine % warp_lanes);
  wait();
  return threads_[mine].call.value;
}

// sum += a · b by all lanes, from where each holds its share (gpu/mma.cuh says what that is). A
// product of two numbers is exact; how a sum of them is rounded no one says.
void multiply_together(const std::uint64_t (&places)[warp_lanes]) {
  const auto digits = [](float value) {
    const unsigned bits = std::bit_cast<unsigned>(value) & ~tf32_dropped;
    return static_cast<double>(std::bit_cast<float>(bits));
  };
  double a[16][8], b[8][8];
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
    const auto& share = *reinterpret_cast<const ProductShare*>(places[lane]);
    const std::size_t g = lane / 4, t = lane % 4;
    for (std::size_t i = 0; i < 4; ++i) a[g + i % 2 * 8][t + i / 2 * 4] = digits(share.a[i]);
    for (std::size_t i = 0; i < 2; ++i) b[t + i * 4][g] = digits(share.b[i]);
  }
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
    const auto& share = *reinterpret_cast<const ProductShare*>(places[lane]);
    const std::size_t g = lane / 4, t = lane % 4;
    for (std::size_t i = 0; i < 4; ++i) {
      double sum = static_cast<double>(share.sum[i]);
      for (std::size_t k = 0; k < 8; ++k) sum += a[g + i / 2 * 8][k] * b[k][2 * t + i % 2];
      share.sum[i] = static_cast<float>(sum);
    }
  }
}

// Lets a lane and those that it waits for go on, where all have come to the same call.
void Machine::release_warp(std::size_t first, std::size_t caller) {
  const std::size_t lanes = std::min(warp_lanes, threads_.size() - first);
  Thread* warp = threads_.data() + first;
  const WarpCall call = warp[caller].call;
  unsigned present = 0;
  std::uint64_t values[warp_lanes] = {}, ballot = 0;
  for (std::size_t i = 0; i < lanes; ++i) {
    if ((call.mask >> i & 1U) == 0 || warp[i].state == Thread::State::ended) continue;
    if (warp[i].state != Thread::State::at_warp || warp[i].call.site != call.site ||
        warp[i].call.kind != call.kind || warp[i].call.mask != call.mask)
      return;
    present |= 1U << i;
    values[i] = warp[i].call.value;
    if (call.kind == WarpCall::Kind::ballot) ballot |= values[i] << i;
  }
  if (call.kind == WarpCall::Kind::product) {
    if (present != ~0U)
      fail("lanes are missing from the product of a whole warp at " + text_of(call.site));
    multiply_together(values);
  }
  for (std::size_t i = 0; i < lanes; ++i) {
    if ((present >> i & 1U) == 0) continue;
    const auto source = static_cast<std::size_t>(warp[i].call.source);
    if (call.kind == WarpCall::Kind::shuffle &&
        (source >= warp_lanes || (present >> source & 1U) == 0))
      fail("thread " + std::to_string(first + i) + " reads from lane " + std::to_string(source) +
           ", which does not take part, at " + text_of(call.site));
    warp[i].call.value = call.kind == WarpCall::Kind::ballot ? ballot : values[source];
    warp[i].state = Thread::State::ready;
  }
}

// After a thread has ended: some may have waited for this one alone.
void Machine::release_others(std::size_t ended) {
  release_block();
  const std::size_t first = ended / warp_lanes * warp_lanes;
  for (std::size_t i = first; i < std::min(first + warp_lanes, threads_.size()); ++i) {
    if (threads_[i].state == Thread::State::at_warp) release_warp(first, i - first);
  }
}

void Machine::report_standstill() const {
  std::string what = "no thread can go on";
  for (std::size_t i = 0; i < threads_.size();) {
    const Thread& thread = threads_[i];
    std::size_t end = i + 1;
    while (end < threads_.size() && threads_[end].state == thread.state &&
           threads_[end].call.site == thread.call.site)
      ++end;
    what += "\n  threads " + std::to_string(i) + " to " + std::to_string(end - 1);
    if (thread.state == Thread::State::ended) {
      what += " have ended";
    } else {
      what += thread.state == Thread::State::at_barrier ? " wait for the block at "
                                                        : " wait for their warp at ";
      what += text_of(thread.call.site);
    }
    i = end;
  }
  fail(what);
}

}  // namespace

void* dynamic_shared_memory() {
  return machine.shared();
}

void wait_for_kernel() {
  machine.wait_for_kernel();
}

void wait_for_block(const Site& site) {
  machine.wait_for_block(site);
}

std::uint64_t meet_warp(const WarpCall& call) {
  return machine.meet_warp(call);
}

int lane() {
  return static_cast<int>(machine.current() % warp_lanes);
}

cudaError_t launch(const cudaLaunchConfig_t& configuration, std::function<void()> body) {
  const dim3 &grid = configuration.gridDim, &block = configuration.blockDim;
  const unsigned long long threads = static_cast<unsigned long long>(block.x) * block.y * block.z;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 0x7fffffffU || grid.y > most_blocks ||
      grid.z > most_blocks || threads == 0 || threads > most_threads)
    return cudaErrorInvalidConfiguration;
  if (configuration.dynamicSmemBytes > most_shared) return cudaErrorInvalidValue;
  cudaLaunchConfig_t kept = configuration;
  kept.attrs = nullptr;  // which may be gone when a graph is launched
  return submit(configuration.stream, [kept, body = std::move(body)] { machine.run(kept, body); });
}

}  // namespace gpu_emulator
