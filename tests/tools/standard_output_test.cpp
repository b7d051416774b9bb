// A result that standard output did not take is not a success.
#include <csignal>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/error_expectation.h"
#include "support/files.h"
#include "tools/small_city.h"

namespace tsmini {
namespace {

class StandardOutput : public SmallCity {};

// Every way to print a result.
const std::vector<std::string> printing{
    "--version",
    "--help",
    "knn --help",
    "help",
    "help knn",
    "help --markdown",
    "completion bash",
    "info",
    "info trips.tsd",
    "info trips.tsd --json",
    "info m.safetensors",
    "info city",
    "import trips.tsd -o again.tsd --planar --json",
    "synth --count 5 -o synth.tsd --json",
    "distance trips.tsd --pair 'trip 0,trip 1'",
    "distance trips.tsd --pair 'trip 0,trip 1' --path",
    "distance trips.tsd -o matrix.npy --json",
    "evaluate m.safetensors trips.tsd",
    "evaluate m.safetensors trips.tsd --json",
    "embed m.safetensors trips.tsd -o e.npy --json",
    "index m.safetensors trips.tsd -o new --json",
    "add city trips.tsd --duplicates skip --json",
    "remove city nosuch --on-error skip --json",
    "verify city --json",
    "compact city --json",
    "bench measures --points 5 --seconds 0.001",
    "bench measures --points 5 --seconds 0.001 --json",
    "bench encode m.safetensors trips.tsd --seconds 0.001",
};
// And those that write as they go.
const std::vector<std::string> streaming{
    "export trips.tsd --format csv -o -", "knn trips.tsd trips.tsd",
    "knn trips.tsd trips.tsd --json",     "search city trips.tsd",
    "search city trips.tsd --json",
};

TEST_F(StandardOutput, IsWrittenToTheEnd) {
  std::vector<std::string> all = printing;
  all.insert(all.end(), streaming.begin(), streaming.end());
  for (const std::string& words : all) {
    const ProcessResult full = run(words + " > /dev/full");
    EXPECT_EQ(full.status, 1) << words << "\n" << full.errors;
    EXPECT_TRUE(matches(full.errors, "error: .*standard output.*No space left on device"))
        << words << "\n"
        << full.errors;
  }
}

TEST_F(StandardOutput, AReaderMayHaveEnough) {
  for (const std::string& words : printing) {
    if (words.starts_with("index")) continue;  // makes its folder only once
    const ProcessResult piped = run(words + " | true; exit ${PIPESTATUS[0]}");
    // As any other program in a pipe, where the reader was gone before the end.
    EXPECT_TRUE(piped.status == 0 || piped.status == 128 + SIGPIPE) << words << piped.errors;
    EXPECT_FALSE(matches(piped.errors, "error:")) << words << piped.errors;
  }
}

TEST_F(StandardOutput, ClosedIsToldToo) {
  const ProcessResult closed = run("info trips.tsd >&-");
  EXPECT_EQ(closed.status, 1) << closed.errors;
  EXPECT_TRUE(matches(closed.errors, "standard output: Bad file descriptor")) << closed.errors;
  // Nothing is printed, so nothing is lost.
  EXPECT_EQ(run("synth --count 5 -o quiet.tsd --quiet >&-").status, 0);
  // What is printed does not end in the file that is written.
  EXPECT_EQ(run("synth --count 5 -o json.tsd --json >&-").status, 1);
  EXPECT_EQ(read_file(folder_ / "json.tsd"), read_file(folder_ / "quiet.tsd"));
}

TEST_F(StandardOutput, IsJsonWhateverFilesAreCalled) {
  ASSERT_EQ(run("info; cp m.safetensors $'m\\xff.safetensors'; cp -r city $'c\\xff'").status, 0);
  for (const char* words : {"synth --count 5 -o $'s\\xff.tsd' --json", "info $'s\\xff.tsd' --json",
                            "info $'m\\xff.safetensors' --json", "info $'c\\xff' --json"}) {
    const ProcessResult result = run(words);
    EXPECT_EQ(result.status, 0) << words << result.errors;
    EXPECT_TRUE(nlohmann::json::accept(result.output)) << words << result.output;
  }
}

}  // namespace
}  // namespace tsmini
