#include <string>

#include <gtest/gtest.h>

#include "support/error_expectation.h"
#include "support/files.h"
#include "tools/program.h"

namespace tsmini {
namespace {

const Words verbs{"import",  "synth", "info",       "export",    "distance", "knn",    "train",
                  "join",    "find",  "duplicates", "cluster",   "outliers", "map",    "evaluate",
                  "embed",   "index", "search",     "model",     "add",      "remove", "verify",
                  "compact", "bench", "help",       "completion"};

TEST(Help, OfEveryVerb) {
  for (const std::string& verb : verbs) {
    const ProcessResult result = tsmini_program({verb, "--help"});
    EXPECT_EQ(result.status, 0) << verb;
    EXPECT_EQ(result.errors, "") << verb;
    EXPECT_TRUE(matches(result.output, "--help")) << verb;
    EXPECT_EQ(tsmini_program({"help", verb}).output, result.output);
  }
}

TEST(Help, OfTheProgramNamesEveryVerb) {
  const ProcessResult result = tsmini_program({"--help"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(tsmini_program({"help"}).output, result.output);
  for (const std::string& verb : verbs) EXPECT_TRUE(matches(result.output, "\n +" + verb + " "));
}

TEST(Help, UsageIsWhatIsTyped) {
  const auto expect = [](const char* verb, const std::string& usage) {
    const std::string help = tsmini_program({verb, "--help"}).output;
    EXPECT_TRUE(matches(help, "\nUsage: tsmini " + usage + "\n")) << help;
  };
  expect("index", "index \\[OPTIONS\\] \\[MODEL\\] DATA");
  expect("knn", "knn \\[OPTIONS\\] QUERIES BASE");
  expect("export", "export \\[OPTIONS\\] DATA");
  expect("model", "model \\[OPTIONS\\] add\\|remove\\|list COLLECTION \\[MODEL\\]");
  EXPECT_TRUE(matches(tsmini_program({"--help"}).output, "Usage: tsmini \\[OPTIONS\\] VERB\n"));
}

TEST(Help, WithoutAVerb) {
  const ProcessResult result = tsmini_program({});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.errors, "error: a verb is missing\n  hint: tsmini --help lists them\n");
}

TEST(Help, PageInTheDocumentsIsUpToDate) {
  const ProcessResult result = tsmini_program({"help", "--markdown"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output, read_file(TSMINI_SOURCE_DIR "/docs/cli.md"))
      << "make it again: tsmini help --markdown > docs/cli.md";
}

TEST(Help, OfThePresetsIsInTheDocuments) {
  const ProcessResult result = tsmini_program({"help", "presets"});
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(read_file(TSMINI_SOURCE_DIR "/docs/presets.md").find(result.output), std::string::npos)
      << "put it there again: tsmini help presets\n"
      << result.output;
  for (const char* row : {"net.metric +\\| A +\\| l2 +\\| l2 +\\| l1 ", "batch +\\| all +\\| 256 ",
                          "parameters\\) +\\| .* \\| 328,240 \\|", "- A: dtw, edwp, erp, sspd\n"}) {
    EXPECT_TRUE(matches(result.output, row)) << row;
  }
}

TEST(Help, LinesFitATerminal) {
  for (const std::string& verb : verbs) {
    const std::string text = tsmini_program({verb, "--help"}).output;
    std::size_t begin = 0;
    while (begin < text.size()) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      EXPECT_LE(end - begin, 140u) << text.substr(begin, end - begin);
      begin = end + 1;
    }
  }
}

TEST(Completion, IsValidForBash) {
  const TemporaryFolder folder;
  const ProcessResult result = tsmini_program({"completion", "bash"});
  EXPECT_EQ(result.status, 0);
  write_file(folder / "completion", result.output);
  EXPECT_EQ(run_command({"bash", "-n", (folder / "completion").string()}).status, 0);
}

TEST(Completion, KnowsVerbsAndOptions) {
  const std::string load = "source <(\"$TSMINI\" completion bash); ";
  const std::string ask = "_tsmini; echo \"${COMPREPLY[@]}\"";
  EXPECT_EQ(shell(load + "COMP_WORDS=(tsmini im) COMP_CWORD=1; " + ask).output, "import\n");
  EXPECT_EQ(shell(load + "COMP_WORDS=(tsmini import --swap) COMP_CWORD=2; " + ask).output,
            "--swap-lonlat\n");
  EXPECT_EQ(shell(load + "COMP_WORDS=(tsmini mo) COMP_CWORD=1; " + ask).output, "model\n");
  EXPECT_EQ(shell(load + "COMP_WORDS=(tsmini model add --na) COMP_CWORD=3; " + ask).output,
            "--name\n");
  EXPECT_EQ(shell(load + "COMP_WORDS=(tsmini search --eps) COMP_CWORD=2; " + ask).output,
            "--epsilon\n");
}

}  // namespace
}  // namespace tsmini
