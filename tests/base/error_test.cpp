#include "tsmini/error.h"

#include <string>

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace tsmini {
namespace {

std::string in_capitals(const Mention& mention) {
  if (mention.name == "unknown") return "";
  return mention.is_call         ? "RUN"
         : mention.value.empty() ? "SET"
                                 : "SET TO " + std::string(mention.value);
}

TEST(Error, TheFieldIsTheFirstSettingThatItNames) {
  const auto field = [](const std::string& message, const std::string& hint) {
    return std::string(Error(ErrorCode::usage, message, hint).field());
  };
  EXPECT_EQ(field("`min_points` is larger than `max_points`", "lower `thin`"), "min_points");
  EXPECT_EQ(field("trips.csv:3: no", "add `on_error=skip`"), "") << "a remedy is not at fault";
  EXPECT_EQ(field("`compact()` is needed", ""), "");
  EXPECT_EQ(field("it's ` alone", ""), "");
  EXPECT_EQ(field("", ""), "");
}

TEST(Error, BackticksOfOthersNameNothing) {
  const auto field = [](const std::string& message) {
    return std::string(Error(ErrorCode::usage, message).field());
  };
  EXPECT_EQ(field("a`b.csv: `bbox` is empty"), "bbox") << "the first two close nothing";
  EXPECT_EQ(field("a`b.csv and c`.csv: no"), "");
  EXPECT_EQ(field("`A`, ``, `=1`, `k=`, `k(x)` and `k 2`: `min_points`"), "min_points");
  EXPECT_EQ(field("`loss.k=A B` is no number"), "loss.k");
  const std::string id = printable("`threads`");
  EXPECT_EQ(field("trip '" + id + "' is too long"), "");
  EXPECT_EQ(with_names("trip '" + id + "': `a`", in_capitals), "trip ''threads'': SET");
  EXPECT_EQ(with_names("a`b.csv: `a`, `b c`a`", in_capitals), "a`b.csv: SET, `b cSET");
}

TEST(Error, AFieldThatIsGivenComesFirst) {
  EXPECT_EQ(Error(ErrorCode::usage, "k is 0", "or `within`", "k").field(), "k");
}

TEST(Error, OtherWordsKeepWhatItIs) {
  const Error error = Error(ErrorCode::usage, "`k` is 0", "raise it").with_message("query 3: no");
  EXPECT_EQ(error.code(), ErrorCode::usage);
  EXPECT_STREQ(error.what(), "query 3: no");
  EXPECT_EQ(error.hint(), "raise it");
  EXPECT_EQ(error.field(), "k");
}

TEST(Error, MentionsAreReplacedByWords) {
  EXPECT_EQ(with_names("add `a`, or `b=1,2=3` and `c()`", in_capitals),
            "add SET, or SET TO 1,2=3 and RUN");
  EXPECT_EQ(with_names("`a`", in_capitals), "SET");
}

TEST(Error, OtherBackticksStay) {
  for (const std::string text : {"", "`", "``", "a ` b", "`unknown`"}) {
    EXPECT_EQ(with_names(text, in_capitals), text);
  }
  EXPECT_EQ(with_names("`unknown`a`", in_capitals), "`unknownSET") << "what closes may open";
}

}  // namespace
}  // namespace tsmini
