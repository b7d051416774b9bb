#include "tsmini/simd.h"

#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/datasets.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "tools/program.h"

namespace tsmini {
namespace {

ProcessResult on_target(const std::string& target, Words words) {
  words = program(words);
  words.insert(words.begin(), {"env", "TSMINI_SIMD=" + target});
  return run_command(words);
}

std::string target_in(const ProcessResult& result) {
  EXPECT_EQ(result.status, 0) << result.errors;
  return nlohmann::json::parse(result.output)["simd"];
}

TEST(SimdVariable, ForcesATarget) {
  for (const std::string_view target : simd_targets()) {
    EXPECT_EQ(target_in(on_target(std::string(target), {"info", "--json"})), target);
  }
  EXPECT_EQ(target_in(on_target("", {"info", "--json"})), simd_targets().front());
}

TEST(SimdVariable, ChangesNoDigitInDoublePrecision) {
  const TemporaryFolder folder;
  write_dataset(folder / "a.tsd", {{"p", {{10, 45}, {10.01, 45}, {10.02, 45.01}}, {}},
                                   {"q", {{10, 45.01}, {10.02, 45.02}}, {}},
                                   {"r", {{10.01, 45.02}, {10.03, 45}}, {}}});
  const std::string out = (folder / "d.npy").string();
  std::set<std::string> files;
  for (const std::string_view target : simd_targets()) {
    const ProcessResult result =
        on_target(std::string(target), {"distance", (folder / "a.tsd").string(), "--measure", "dtw",
                                        "--precision", "double", "-o", out, "--json"});
    EXPECT_EQ(target_in(result), target);
    files.insert(read_file(out));
  }
  EXPECT_EQ(files.size(), 1U);
}

TEST(SimdVariable, IsRefusedWhereItNamesNoTarget) {
  const ProcessResult result = on_target("AVX9", {"info"});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.output, "");
  EXPECT_TRUE(matches(result.errors, "^error: .*no SIMD target 'AVX9'")) << result.errors;
  EXPECT_TRUE(matches(result.errors, "hint: it has .*" + std::string(simd_targets().front())))
      << result.errors;
}

}  // namespace
}  // namespace tsmini
