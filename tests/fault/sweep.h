// A program run again and again, with a fault at each of its calls in turn.
//
//   sweep({.name = "add", .words = {writer, "add", path}, .folder = folder,
//          .prepare = [&] { … }, .check = [&](const FaultyRun& run) { … }});
//
// runs it for every kind of fault with n rising until a run meets none, and prints how many points
// there were. With thousands of points only some are tried, evenly spread; TSMINI_FAULT_ALL=1 tries
// all of them, and more kinds.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "fault/plan.h"
#include "fault/power_cut.h"
#include "support/files.h"
#include "support/process.h"

namespace tsmini {

struct FaultyRun {
  ProcessResult result;
  fault::Fault fault = fault::Fault::none;
  bool met = false;          // the fault
  std::string where;         // it was met
  std::uint64_t count = 0;   // of calls
  std::uint64_t memory = 0;  // bytes that were refused

  bool killed() const;   // as the fault wants it
  bool crashed() const;  // for want of a little memory
  bool done() const { return result.status == 0; }
};

// Whether to try everything.
bool wants_all();

// Runs it once.
FaultyRun run_with_fault(const Words& words, const fault::Plan& plan);

// Runs it without a fault, to its end, and returns what it did to files below the folder.
std::vector<Happening> record(const Words& words, const std::filesystem::path& folder);

struct Sweep {
  std::string name;
  Words words;
  std::filesystem::path folder;   // whose files count
  std::function<void()> prepare;  // before each run: everything as it was
  std::function<void(const FaultyRun&)> check;
  std::uint64_t most = 60;     // points of a kind, unless all are wanted
  bool memory = true;          // allocations too
  bool brief = false;          // only a call that fails and being killed before it
  bool nameless_files = true;  // whether the file system knows O_TMPFILE
};

// Besides what `check` does: a program that was not killed ends by itself, with status 0 or with an
// error that it tells. It may crash where an allocation below 4 KiB fails: nlohmann-json allocates
// in a destructor and follows a null pointer, libstdc++ in noexcept functions of directory_iterator
// and glibc for thread_local variables, and nobody can catch that.
void sweep(const Sweep& sweep);

}  // namespace tsmini
