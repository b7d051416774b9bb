#include "common/option_checks.h"

#include <array>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "common/suggest.h"
#include "support/error_expectation.h"
#include "tools/program.h"

namespace tsmini::cli {
namespace {

// A verb with an option of each kind of number, as our verbs declare them.
struct Numbers {
  CLI::App app{"", "program"};
  double real = 0;
  std::optional<double> maybe;
  std::optional<std::size_t> count, few;
  std::int64_t whole = 0;
  static constexpr std::array<std::string_view, 2> modes{"fast", "exact"};
  std::string mode;
  bool flag = false;
  std::optional<bool> perhaps;

  Numbers() {
    CLI::App& verb = *app.add_subcommand("verb", "");
    verb.add_option("--real", real, "");
    verb.add_option("--maybe", maybe, "")->check(at_least(0));
    verb.add_option("--count", count, "")->check(at_least(0));
    verb.add_option("--few", few, "")->check(between(2, 40'000));
    verb.add_option("--whole", whole, "");
    add_choice(verb, "--mode", mode, modes, "");
    add_choice(verb, "--flag", flag, modes, "");
    add_choice(verb, "--perhaps", perhaps, modes, "");
    check_numbers(app);
  }

  // What is said of it; empty where it is taken.
  std::string said(const std::string& option, const std::string& word) {
    try {
      app.parse("verb " + option + "=" + word);
      return {};
    } catch (const CLI::ParseError& error) {
      return error.what();
    }
  }
};

TEST(OptionChecks, OnlyNumbersAreNumbers) {
  Numbers n;
  for (const char* option : {"--real", "--maybe"}) {
    for (const char* bad : {"nan", "-nan", "inf", "-inf", "1e999", "45kmh", "1,5", "0x10", "x"}) {
      EXPECT_EQ(n.said(option, bad), fmt::format("{}: '{}' is not a number", option, bad));
    }
    for (const char* good : {"0", "2.5", "1e3"}) EXPECT_EQ(n.said(option, good), "") << option;
  }
  EXPECT_EQ(n.said("--maybe", "-1"), "--maybe: -1 is not at least 0");
  EXPECT_EQ(n.said("--real", "-1"), "");
}

TEST(OptionChecks, CountsAreWholeAndDoNotWrap) {
  Numbers n;
  EXPECT_EQ(n.said("--count", "-1"), "--count: '-1' is not a whole number from 0 up");
  EXPECT_EQ(n.said("--count", "99999999999999999999"),
            "--count: '99999999999999999999' is too large");
  for (const char* bad : {"1.5", "1e3", "many", "nan"}) {
    EXPECT_EQ(n.said("--count", bad), fmt::format("--count: '{}' is not a whole number", bad));
    EXPECT_EQ(n.said("--whole", bad), fmt::format("--whole: '{}' is not a whole number", bad));
  }
  EXPECT_EQ(n.said("--count", "12"), "");
  EXPECT_EQ(n.count, 12u);
  EXPECT_EQ(n.said("--few", "50000"), "--few: 50000 is not from 2 to 40000");
  EXPECT_EQ(n.said("--few", "1"), "--few: 1 is not from 2 to 40000");
  EXPECT_EQ(n.said("--few", "x"), "--few: 'x' is not a whole number");
  EXPECT_EQ(n.said("--few", "40000"), "");
  EXPECT_EQ(n.said("--whole", "-12"), "");
  EXPECT_EQ(n.whole, -12);
}

TEST(OptionChecks, NamesInEitherCase) {
  Numbers n;
  EXPECT_EQ(n.said("--mode", "EXACT"), "");
  EXPECT_EQ(n.mode, "exact");
  EXPECT_EQ(n.said("--flag", "Exact"), "");
  EXPECT_TRUE(n.flag);
  EXPECT_EQ(n.perhaps, std::nullopt);
  EXPECT_EQ(n.said("--perhaps", "fast"), "");
  EXPECT_EQ(n.perhaps, false);
  EXPECT_EQ(n.said("--mode", "slow"), "--mode: 'slow' is not one of fast, exact");
}

TEST(OptionChecks, HoldForEveryVerb) {
  for (const Words& words :
       {Words{"synth", "-o", "x.tsd", "--seed", "-1"},
        Words{"synth", "-o", "x.tsd", "--count", "x"},
        Words{"bench", "measures", "--seconds", "nan"}, Words{"bench", "measures", "-k", "1.5"},
        Words{"train", "x.tsd", "-o", "m.safetensors", "--time-budget", "nan"},
        Words{"evaluate", "m.safetensors", "x.tsd", "--seed", "-1"}}) {
    const ProcessResult result = tsmini_program(words);
    EXPECT_EQ(result.status, 2) << result.errors;
    EXPECT_TRUE(matches(result.errors, "^error: -.*: '.*' is not a (whole )?number"))
        << result.errors;
  }
}

TEST(Suggestions, AreNearlyTheWord) {
  const std::vector<std::string> options{"--gap", "--json", "--measure", "--skip-self"};
  EXPECT_EQ(closest("--gpa", options), "--gap");
  EXPECT_EQ(closest("--map", options), "");
  EXPECT_EQ(closest("json", options), "--json");
  EXPECT_EQ(closest("--mesaure", options), "--measure");
  EXPECT_EQ(closest("--skipself", options), "--skip-self");
}

TEST(Suggestions, NameTheVerbsThatHaveTheOption) {
  const ProcessResult result = tsmini_program({"knn", "a.tsd", "b.tsd", "--recall", "0.9"});
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(matches(result.errors,
                      "'--recall' is not an option that knn knows\n"
                      "  hint: it belongs to search; tsmini knn --help"))
      << result.errors;
}

}  // namespace
}  // namespace tsmini::cli
