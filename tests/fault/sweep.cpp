#include "fault/sweep.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/error_expectation.h"

namespace tsmini {
namespace {

using fault::Counted;
using fault::Fault;
using fault::Plan;
using fault::Session;

struct Kind {
  const char* name;
  Counted counted;
  Fault fault;
  bool only_when_all = false;
};

constexpr Kind kinds[] = {
    {"a call that fails", Counted::calls, Fault::error},
    {"a full disk", Counted::calls, Fault::full_disk},
    {"a half write", Counted::writes, Fault::half_write},
    {"killed before a call", Counted::calls, Fault::kill_before},
    {"killed within a write", Counted::writes, Fault::kill_within},
    {"killed after a call", Counted::calls, Fault::kill_after, true},
    {"an input/output error", Counted::calls, Fault::io_error, true},
    {"no memory", Counted::memory, Fault::error},
};

// In a file that a program maps too.
class SharedSession {
 public:
  SharedSession(const std::filesystem::path& file, const Plan& plan) {
    write_file(file, std::string(sizeof(Session), '\0'));
    const int fd = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
    void* address = ::mmap(nullptr, sizeof(Session), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    ::close(fd);
    if (address == MAP_FAILED) throw std::bad_alloc();
    session_ = new (address) Session;
    session_->plan = plan;
  }
  SharedSession(const SharedSession&) = delete;
  SharedSession& operator=(const SharedSession&) = delete;
  ~SharedSession() { ::munmap(session_, sizeof(Session)); }

  const fault::Report& report() const { return session_->report; }

 private:
  Session* session_ = nullptr;
};

// The next programs to be started meet the plan.
class Preloaded {
 public:
  explicit Preloaded(const std::filesystem::path& plan) {
    ::setenv("LD_PRELOAD", TSMINI_FAULT_LIBRARY, 1);
    ::setenv("TSMINI_FAULTS", plan.c_str(), 1);
  }
  Preloaded(const Preloaded&) = delete;
  Preloaded& operator=(const Preloaded&) = delete;
  ~Preloaded() {
    ::unsetenv("LD_PRELOAD");
    ::unsetenv("TSMINI_FAULTS");
  }
};

void expect_honest_end(const FaultyRun& run) {
  if (run.killed()) {
    EXPECT_EQ(run.result.status, 128 + SIGKILL) << run.result.errors;
    return;
  }
  if (run.crashed()) return;
  EXPECT_FALSE(run.result.signalled) << "ended by signal " << run.result.status - 128;
  const bool tells = matches(run.result.errors, "error: .");
  EXPECT_TRUE(run.done() || tells) << "it does not say why: '" << run.result.errors << "'";
}

// Without a fault.
Plan plan_for(const std::filesystem::path& folder, Counted counted) {
  Plan plan;
  folder.string().copy(plan.folder, sizeof plan.folder - 1);
  plan.counted = counted;
  return plan;
}

// With the files of the session in a folder.
FaultyRun run_in(const TemporaryFolder& folder, const Words& words, const Plan& plan) {
  const SharedSession session(folder / "plan", plan);
  FaultyRun run;
  run.fault = plan.fault;
  {
    const Preloaded preloaded(folder / "plan");
    run.result = run_command(words);
  }
  run.met = session.report().met;
  run.where = session.report().where;
  run.count = session.report().count;
  run.memory = session.report().memory;
  return run;
}

}  // namespace

bool FaultyRun::killed() const {
  return met &&
         (fault == Fault::kill_before || fault == Fault::kill_within || fault == Fault::kill_after);
}

bool FaultyRun::crashed() const {
  return memory > 0 && memory < 4096 &&
         (result.status == 128 + SIGABRT || result.status == 128 + SIGSEGV);
}

bool wants_all() {
  const char* value = std::getenv("TSMINI_FAULT_ALL");
  return value && std::string_view(value) == "1";
}

FaultyRun run_with_fault(const Words& words, const Plan& plan) {
  const TemporaryFolder folder;
  return run_in(folder, words, plan);
}

std::vector<Happening> record(const Words& words, const std::filesystem::path& below) {
  const TemporaryFolder folder;
  Plan plan = plan_for(below, Counted::calls);
  plan.recorded = true;
  const FaultyRun run = run_in(folder, words, plan);
  EXPECT_EQ(run.result.status, 0) << run.result.errors;
  return read_log(folder / "plan.log");
}
void sweep(const Sweep& sweep) {
  for (const Kind& kind : kinds) {
    if (kind.only_when_all && !wants_all()) continue;
    const bool is_basic = kind.counted == Counted::calls &&
                          (kind.fault == Fault::error || kind.fault == Fault::kill_before);
    if (sweep.brief && !is_basic && !wants_all()) continue;
    if (kind.counted == Counted::memory && !sweep.memory) continue;
    Plan plan = plan_for(sweep.folder, kind.counted);
    plan.nameless_files = sweep.nameless_files;
    sweep.prepare();
    const FaultyRun whole = run_with_fault(sweep.words, plan);
    ASSERT_EQ(whole.result.status, 0) << whole.result.errors;
    ASSERT_GT(whole.count, 0U) << "it touched nothing below " << sweep.folder;
    const std::uint64_t most = wants_all() ? whole.count : sweep.most;
    const std::uint64_t stride = (whole.count + most - 1) / most;
    std::uint64_t tried = 0, told = 0, crashed = 0;
    for (std::uint64_t n = 1;; n += stride) {
      sweep.prepare();
      plan.fault = kind.fault;
      plan.at = n;
      const FaultyRun run = run_with_fault(sweep.words, plan);
      SCOPED_TRACE(fmt::format("{}: {} at {} of {} ({}); status {}, {}", sweep.name, kind.name, n,
                               whole.count, run.where, run.result.status, run.result.errors));
      expect_honest_end(run);
      sweep.check(run);
      if (testing::Test::HasFatalFailure()) return;
      if (!run.met) {
        EXPECT_TRUE(run.done());
        break;
      }
      ++tried;
      if (run.crashed()) ++crashed;
      if (!run.done() && !run.result.signalled) ++told;
    }
    fmt::print("{}: {} at {} of {} points: {} errors, {} crashed\n", sweep.name, kind.name, tried,
               whole.count, told, crashed);
  }
}

}  // namespace tsmini
