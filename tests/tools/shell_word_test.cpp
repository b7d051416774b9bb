#include "common/shell_word.h"

#include <string>

#include <gtest/gtest.h>

#include "common/pick_options.h"
#include "tools/program.h"

namespace tsmini::cli {
namespace {

TEST(ShellWord, PlainOnesStay) {
  for (const char* word :
       {"city.tsd", "../a/b-c_d.tsd", "taxi=17", "-8.7,41.1,-8.5,41.2", "Zürich"})
    EXPECT_EQ(shell_word(word), word);
  EXPECT_EQ(shell_word("my trips.tsd"), "\"my trips.tsd\"");
  EXPECT_EQ(shell_word("it's.tsd"), "\"it's.tsd\"");
  EXPECT_EQ(shell_word("a$b"), "'a$b'");
}

TEST(ShellWord, AShellReadsWhatWasMeant) {
  for (const std::string word : {"a b", "", "a'b", "$HOME", "a'$b`c`", "a\"b'c\\d", "*", "~", "a;b",
                                 "x>1", "#a", "(a)", "-", "a&b|c"}) {
    EXPECT_EQ(shell("printf '%s' " + shell_word(word)).output, word);
  }
}

TEST(PickOptions, AsTheyWereTyped) {
  EXPECT_EQ(typed_again({}), "");
  PickOptions options;
  options.ids = {"a", "b c"};
  options.ids_from = "my ids";
  options.part = "test";
  options.bbox = "-8.7,41.1,-8.5,41.2";
  options.where = {"taxi=17", "length>3"};
  options.limit = 9000;
  EXPECT_EQ(typed_again(options),
            " --id a --id \"b c\" --ids-from \"my ids\" --part test --bbox=-8.7,41.1,-8.5,41.2"
            " --where taxi=17 --where \"length>3\" --limit 9000");
}

}  // namespace
}  // namespace tsmini::cli
