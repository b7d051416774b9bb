// A result that standard output did not take is not a success.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "encode/random_model.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "tools/program.h"

namespace tsmini {
namespace {

class StandardOutput : public testing::Test {
 protected:
  StandardOutput() {
    write_dataset("trips.tsd", random_trips(std::vector<std::size_t>(12, 20), 1));
    write_dataset("more.tsd", random_trips({20}, 2), "other ");
    NetSettings settings;
    settings.dimension = 32;
    settings.hidden = 32;
    random_model(settings).save(folder_ / "m.safetensors");
    EXPECT_EQ(in_folder("index m.safetensors trips.tsd -o city --quiet").status, 0);
  }

  void write_dataset(const std::string& name, const Dataset& data, const std::string& prefix = "") {
    DatasetWriter writer(folder_ / name, Coordinates::planar);
    for (std::size_t i = 0; i < data.size(); ++i) {
      const std::string id = prefix + std::string(data[i].id);
      writer.add({id, data[i].points, {}});
    }
    writer.finish();
  }

  // The program with these words, and more of a line of the shell.
  ProcessResult in_folder(const std::string& words, const std::string& more = "") const {
    return shell("cd '" + folder_.path().string() + "'; \"$TSMINI\" " + words + " " + more);
  }

  TemporaryFolder folder_;
};

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
    "add city more.tsd --duplicates skip --json",
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
    const ProcessResult full = in_folder(words, "> /dev/full");
    EXPECT_EQ(full.status, 1) << words << "\n" << full.errors;
    EXPECT_TRUE(matches(full.errors, "error: .*standard output.*No space left on device"))
        << words << "\n"
        << full.errors;
  }
}

TEST_F(StandardOutput, AReaderMayHaveEnough) {
  for (const std::string& words : printing) {
    if (words.starts_with("index")) continue;  // makes its folder only once
    const ProcessResult piped = in_folder(words, "| true; exit ${PIPESTATUS[0]}");
    EXPECT_EQ(piped.status, 0) << words << piped.errors;
    EXPECT_FALSE(matches(piped.errors, "error:")) << words << piped.errors;
  }
}

TEST_F(StandardOutput, ClosedIsToldToo) {
  const ProcessResult closed = in_folder("info trips.tsd", ">&-");
  EXPECT_EQ(closed.status, 1) << closed.errors;
  EXPECT_TRUE(matches(closed.errors, "standard output: Bad file descriptor")) << closed.errors;
  // Nothing is printed, so nothing is lost.
  EXPECT_EQ(in_folder("synth --count 5 -o quiet.tsd --quiet", ">&-").status, 0);
  // What is printed does not end in the file that is written.
  EXPECT_EQ(in_folder("synth --count 5 -o json.tsd --json", ">&-").status, 1);
  EXPECT_EQ(read_file(folder_ / "json.tsd"), read_file(folder_ / "quiet.tsd"));
}

}  // namespace
}  // namespace tsmini
