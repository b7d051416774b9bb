#include "experiment/rival_program.h"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini::experiment {
namespace {

// A program that does what a line of the shell says.
class Script {
 public:
  explicit Script(const std::string& line) {
    write_file(path(), "#!/bin/sh\n" + line + "\n");
    std::filesystem::permissions(path(), std::filesystem::perms::owner_all);
  }

  std::filesystem::path path() const { return folder_ / "tsmini-rivals"; }
  std::filesystem::path operator/(const char* name) const { return folder_ / name; }

 private:
  TemporaryFolder folder_;
};

TEST(RivalProgram, TellsWhatItPrints) {
  const Script script(R"(printf '{"words": "%s"}' "$*")");
  const auto told = RivalProgram(script.path()).run({"train", "a b.tsd", "--quiet"}, {});
  EXPECT_EQ(told.at("words"), "train a b.tsd --quiet");
}

TEST(RivalProgram, NarratesAllButItsLastError) {
  const Script script("echo one >&2; echo two >&2; echo 'error: no' >&2; echo '{}'");
  std::vector<std::string> lines;
  RivalProgram(script.path()).run({}, {}, [&](std::string_view line) { lines.emplace_back(line); });
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "two"}));
}

TEST(RivalProgram, EndsAsItDoes) {
  const auto ending = [](const std::string& line) {
    const Script script(line);
    RivalProgram(script.path()).run({}, {});
  };
  const std::string words = "echo 'error: a.tsd: no split' >&2; echo '  hint: make one' >&2; ";
  for (const char* status : {"exit 1", "exit 2", "exit 3"}) {
    const ErrorCode code =
        status == std::string("exit 3") ? ErrorCode::bad_input : ErrorCode::failure;
    expect_error(code, "^a.tsd: no split$", "^make one$", [&] { ending(words + status); });
    EXPECT_THROW(ending(status), RivalFailed);
  }
  expect_error(ErrorCode::failure, "status 77", "", [&] { ending("exit 77"); });
  expect_error(ErrorCode::failure, "ended by signal 9", "", [&] { ending("kill -9 $$"); });
  expect_error(ErrorCode::interrupted, "", "", [&] { ending("exit 130"); });
  expect_error(ErrorCode::failure, "told no JSON", "same version", [&] { ending("echo hello"); });
  EXPECT_THROW(ending("echo hello"), RivalFailed);
}

TEST(RivalProgram, HearsWordsWithoutAnEndAndBytesThatAreNoText) {
  const Script script("printf 'error: caf\\351 \\033[2J' >&2; exit 1");
  try {
    RivalProgram(script.path()).run({}, {});
    FAIL();
  } catch (const RivalFailed& error) {
    const std::string words = error.what();
    EXPECT_TRUE(words.starts_with("caf")) << words;
    for (const char letter : words) EXPECT_TRUE(letter >= ' ' && letter <= '~') << words;
  }
}

// One that has closed its streams, and one whose child keeps them open.
TEST(RivalProgram, IsWaitedForByItself) {
  struct Stop {};
  const Script closed("exec >&- 2>&-; exec sleep 600");
  int calls = 0;
  const auto stop = [&](const ProgressState&) {
    if (++calls > 5) throw Stop();
  };
  EXPECT_THROW(RivalProgram(closed.path()).run({}, stop), Stop);
  const Script survived("sleep 60 & echo '{}'");
  EXPECT_TRUE(RivalProgram(survived.path()).run({}, {}).empty());
}

TEST(RivalProgram, TakesMoreThanAPipeHolds) {
  const Script script(
      "head -c 300000 /dev/zero | tr '\\0' 'x' >&2; echo >&2; printf '\"'; "
      "head -c 300000 /dev/zero | tr '\\0' 'y'; printf '\"'");
  std::size_t told = 0;
  const auto json =
      RivalProgram(script.path()).run({}, {}, [&](std::string_view line) { told += line.size(); });
  EXPECT_EQ(told, 300'000u);
  EXPECT_EQ(json.get<std::string>().size(), 300'000u);
}

TEST(RivalProgram, IsStoppedWithUs) {
  struct Stop {};
  const Script script("echo $$ > \"$1\"; exec sleep 600");
  const std::string file = (script / "id").string();
  const auto stop = [&](const ProgressState&) {
    if (std::filesystem::exists(file) && std::filesystem::file_size(file) > 1) throw Stop();
  };
  EXPECT_THROW(RivalProgram(script.path()).run({file}, stop), Stop);
  EXPECT_EQ(::kill(std::stoi(read_file(file)), 0), -1);
  EXPECT_EQ(errno, ESRCH) << "it still runs";
}

TEST(RivalProgram, IsFoundInTheFirstFolderThatHasIt) {
  const TemporaryFolder empty;
  const Script script("exit 0"), other("exit 0");
  EXPECT_EQ(found_program({empty.path(), script.path().parent_path(), other.path().parent_path()}),
            script.path());
  std::filesystem::permissions(script.path(), std::filesystem::perms::owner_read);
  EXPECT_THROW(found_program({script.path().parent_path()}), Error);
}

TEST(RivalProgram, IsSaidToBeMissing) {
  const TemporaryFolder empty;
  expect_error(ErrorCode::failure, "tsmini-rivals, which is neither in " + empty.path().string(),
               "beside this program, or on the PATH", [&] { found_program({empty.path()}); });
  EXPECT_THROW(RivalProgram(empty / "tsmini-rivals").run({}, {}), Error);
  EXPECT_FALSE(program_folders().empty());
}

}  // namespace
}  // namespace tsmini::experiment
