#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/error_expectation.h"
#include "support/files.h"
#include "tools/program.h"

namespace tsmini {
namespace {

using Names = std::vector<std::string>;

class ExitStatus : public testing::Test {
 protected:
  ExitStatus() {
    write_file(folder_ / "good.tsv", "a\t\t1 2,3 4\n");
    write_file(folder_ / "bad.tsv", "a\t\t1 2,x\n");
  }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  void expect(int status, const Words& words, const std::string& message,
              const std::string& hint = "") const {
    expect_refusal(folder_, status, words, message, hint);
  }

  TemporaryFolder folder_;
};

TEST_F(ExitStatus, Ok) {
  const ProcessResult result = tsmini_program({"import", file("good.tsv"), "-o", file("x.tsd")});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(result.output, "");
  EXPECT_TRUE(matches(result.errors, "trajectories written +1"));
  EXPECT_EQ(tsmini_program({"info", file("x.tsd"), "--verify"}).status, 0);
  EXPECT_EQ(tsmini_program({"info"}).status, 0);
  EXPECT_EQ(tsmini_program({"--version"}).status, 0);
}

TEST_F(ExitStatus, Usage) {
  expect(2, {}, "", "tsmini --help");
  expect(2, {"fly"}, "", "tsmini --help");
  expect(2, {"--fly"}, "", "tsmini --help");
  expect(2, {"import"}, "", "tsmini import --help");
  expect(2, {"import", file("good.tsv")}, "--output", "tsmini import --help");
  expect(2, {"import", file("good.tsv"), "-o", file("x.tsd"), "--fly"}, "--fly",
         "tsmini import --help");
  expect(2, {"import", file("good.tsv"), "-o", file("x.tsd"), "--format", "shp"}, "'shp'",
         "auto, porto");
  expect(2, {"import", file("good.tsv"), "-o", file("x.tsd"), "--on-error", "panic"}, "panic");
  expect(2, {"import", file("good.tsv"), "-o", file("x.tsd"), "--min-points", "x"}, "x");
  expect(2, {"import", file("good.tsv"), "-o", file("x.tsd"), "--threads", "0"}, "threads");
  expect(2, {"info", "--verify"}, "--verify", "tsmini info --help");
  expect(2, {"export", file("x.tsd"), "-o", file("x.xlsx")}, "xlsx",
         "tsv, csv, geojson, .* and kepler");
  expect(2, {"help", "fly"}, "'fly' is not a verb", "tsmini help");
  expect(2, {"completion", "fish"}, "fish");
}

TEST_F(ExitStatus, UsageWithoutAHint) {
  for (const Words& more : std::vector<Words>{{"--bbox", "1,2,3"},
                                              {"--bbox=a,b,c,d"},
                                              {"--split", "1,2"},
                                              {"--split", "0.5,0.5,-1"},
                                              {"--cut-stay", "5"},
                                              {"--min-points", "9", "--max-points", "3"},
                                              {"--thin", "0"},
                                              {"--columns", "id"}}) {
    Words words{"import", file("good.tsv"), "-o", file("x.tsd")};
    words.insert(words.end(), more.begin(), more.end());
    if (more.front() == "--columns") words.insert(words.end(), {"--format", "csv"});
    const ProcessResult result = tsmini_program(words);
    EXPECT_EQ(result.status, 2) << result.errors;
    EXPECT_TRUE(matches(result.errors, "^error: .*--")) << result.errors;
    EXPECT_EQ(folder_.names(), (Names{"bad.tsv", "good.tsv"}));
  }
}

TEST_F(ExitStatus, BadInput) {
  expect(3, {"import", file("bad.tsv"), "-o", file("x.tsd")}, "bad.tsv:1: ", "--on-error skip");
  expect(3, {"import", file("none.tsv"), "-o", file("x.tsd")}, "none.tsv: there is no such file",
         "check the name");
  expect(3, {"import", folder_.path().string() + "/none/", "-o", file("x.tsd")},
         "there is no such file");
  expect(3, {"import", file(std::string(300, 'x')), "-o", file("x.tsd")},
         "cannot read: File name too long");
  expect(3, {"info", file(std::string(300, 'x'))}, "cannot read: File name too long",
         "a shorter name");
  expect(3, {"info", file("good.tsv/x")}, "cannot read: Not a directory", "check the name");
  expect(3, {"info", file("none.tsd")}, "none.tsd: cannot read", "check the name");
  expect(3, {"info", file("good.tsv")}, "good.tsv: is not a .tsd data set", "tsmini import");
  expect(3, {"export", file("good.tsv"), "-o", file("x.csv")}, "is not a .tsd", "tsmini import");
  expect(3, {"import", file("good.tsv"), "-o", file("x.tsd"), "--split", "5,5,5"},
         "the split wants");
  expect(3, {"import", file("good.tsv"), "-o", file("x.tsd"), "--min-points", "9"},
         "no trajectory is left", "loosen");
}

TEST_F(ExitStatus, Failure) {
  tsmini_program({"synth", "--count", "5", "-o", file("c.tsd"), "--quiet"});
  const std::string long_name = file(std::string(300, 'x'));
  expect(1, {"export", file("c.tsd"), "-o", long_name + ".csv"}, "cannot write: File name too long",
         "a shorter name");
  expect(1, {"distance", file("c.tsd"), "-o", long_name + ".npy"}, "File name too long",
         "a shorter name");
  expect(1, {"search", long_name, "--id", "a"}, "File name too long", "a shorter name");
  expect(1, {"info", file("c.tsd"), "--map", file("no/c.svg")}, "cannot write",
         "create the folder");
  std::filesystem::remove(folder_ / "c.tsd");
  expect(1, {"import", file("good.tsv"), "-o", file("no/x.tsd")}, "cannot write",
         "create the folder");
  expect(1, {"import", file("good.tsv"), "-o", "/dev/null"}, "/dev/null: cannot write", "a file");
  EXPECT_EQ(tsmini_program({"import", file("good.tsv"), "-o", folder_.path().string()}).status, 1);
  EXPECT_EQ(tsmini_program({"import", file("good.tsv"), "-o", "/proc/x.tsd"}).status, 1);
  tsmini_program({"import", file("good.tsv"), "-o", file("x.tsd")});
  expect(1, {"export", file("x.tsd"), "-o", file("no/x.csv")}, "cannot write", "create the folder");
  const ProcessResult full =
      shell("\"$TSMINI\" export " + file("x.tsd") + " --format csv -o - > /dev/full");
  EXPECT_EQ(full.status, 1);
  EXPECT_TRUE(matches(full.errors, "standard output: cannot write: No space left"));
}

}  // namespace
}  // namespace tsmini
