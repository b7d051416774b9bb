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

#include "fault/plan.h"
#include "support/files.h"
#include "support/process.h"

namespace tsmini {

struct FaultyRun {
  ProcessResult result;
  fault::Fault fault = fault::Fault::none;
  bool met = false;         // the fault
  std::string where;        // it was met
  std::uint64_t count = 0;  // of calls

  bool killed() const;  // as the fault wants it
  bool done() const { return result.status == 0; }
};

// Whether to try everything.
bool wants_all();

// Runs it once.
FaultyRun run_with_fault(const Words& words, const fault::Plan& plan);

struct Sweep {
  std::string name;
  Words words;
  std::filesystem::path folder;    // whose files count
  std::function<void()> prepare;   // before each run: everything as it was
  std::function<void(const FaultyRun&)> check;
  std::uint64_t most = 100;  // points of a kind, unless all are wanted
  bool memory = true;        // allocations too
};

// Besides what `check` does: a program that was not killed ends by itself, with status 0 or with an
// error that it tells.
void sweep(const Sweep& sweep);

}  // namespace tsmini
