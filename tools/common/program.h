// How a program of ours begins and ends: one way to parse, to complain and to exit.
//
//   int main(int argc, char** argv) {
//     return guarded([&] {
//       CLI::App app("…", "tsmini");
//       …
//       return parse_and_run(app, argc, argv);
//     });
//   }
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace tsmini::cli {

// Runs the verb that was chosen. What is wrong with the words becomes one line that names it, and
// what to do about it; a mistyped one gets a suggestion. Returns the exit status.
int parse_and_run(CLI::App& app, int argc, char** argv);

// Catches Ctrl-C, turns exceptions into messages, sees to it that all that was printed has arrived
// (a full disk is a failure, a reader that has gone is none), and returns the exit status.
int guarded(const std::function<int()>& work);

}  // namespace tsmini::cli
