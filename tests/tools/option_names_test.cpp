#include "common/option_names.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace tsmini::cli {
namespace {

TEST(OptionNames, SettingsBecomeOptions) {
  EXPECT_EQ(in_options("`min_points` is larger than `max_points`"),
            "--min-points is larger than --max-points");
  EXPECT_EQ(in_options("search with `mode=exact`, or"), "search with --mode exact, or");
  EXPECT_EQ(in_options("the CPU (`device=cpu`)"), "the CPU (--device cpu)");
  EXPECT_EQ(in_options("leave them out: `skip_impossible`"), "leave them out: --on-error skip");
  EXPECT_EQ(in_options("`columns=id=taxi,lon=x`"), "--columns id=taxi,lon=x");
  EXPECT_EQ(in_options("`bbox=-8.7,41.1,-8.5,41.2`"), "--bbox=-8.7,41.1,-8.5,41.2");
}

TEST(OptionNames, SettingsOfRecipesAreSet) {
  EXPECT_EQ(in_options("`batch=8` and `loss.k=4`"), "--batch 8 and --set loss.k=4");
  EXPECT_EQ(in_options("lower `loss.k`, `rate=0.0005`"), "lower --set loss.k, --set rate=0.0005");
}

TEST(OptionNames, CallsBecomeCommands) {
  EXPECT_EQ(in_options("make it anew with `compact()`"), "make it anew with 'tsmini compact'");
  EXPECT_EQ(in_options("`add_model()`"), "'tsmini model add'");
  EXPECT_EQ(in_options("`remove_model()`"), "'tsmini model remove'");
}

TEST(OptionNames, NamesOfOthersStay) {
  EXPECT_EQ(in_options("trip '" + printable("`threads`") + "' is long: raise `max_points`"),
            "trip ''threads'' is long: raise --max-points");
  EXPECT_EQ(in_options("a`b.csv: `on_error=skip`"), "a`b.csv: --on-error skip");
  EXPECT_EQ(in_options("a`2.5 km`.csv and b`, c`.csv"), "a`2.5 km`.csv and b`, c`.csv")
      << "a point makes no setting of a recipe";
}

TEST(OptionNames, OtherNamesStay) {
  EXPECT_EQ(in_options("`tsmini` `quit()` 'a`b'"), "`tsmini` `quit()` 'a`b'");
}

}  // namespace
}  // namespace tsmini::cli
