#include "experiment/report.h"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "experiment/study.h"
#include "support/files.h"

namespace tsmini::experiment {
namespace {

TEST(Cells, AreShortForPeopleAndWholeForPrograms) {
  EXPECT_EQ(ratio(0.89449).text, ".894");
  EXPECT_EQ(ratio(1).text, "1.000");
  EXPECT_EQ(ratio(0.9996).text, "1.000");
  EXPECT_EQ(ratio(std::nan("")).text, "–");
  EXPECT_EQ(ratio(0.8944, 0.0021).text, ".894 ± .002");
  EXPECT_EQ(ratio(0.8944, 0.0021).value, 0.8944);
  EXPECT_EQ(count_of(12707).text, "12,707");
  EXPECT_EQ(seconds_of(0.354).text, "0.35 s");
  EXPECT_EQ(seconds_of(125.4).text, "2 min 05 s");
  EXPECT_EQ(seconds_of(std::nan("")).text, "–");
  EXPECT_EQ(rounded(6.3712, " km").text, "6.37 km");
}

TEST(Report, AsMarkdownAndJson) {
  Report report{"size", "What it weighs", {"Porto", "seed 1"}, {}, {"It is small."}, {}};
  report.tables.push_back({"Sizes", {"what", "HR@10"}, {{{"a|b"}, ratio(.5)}}, "Rounded."});
  EXPECT_EQ(report.markdown(),
            "## What it weighs\n\n"
            "Porto; seed 1.\n\n"
            "**Sizes**\n\n"
            "| what | HR@10 |\n"
            "|---|--:|\n"
            "| a\\|b | .500 |\n\n"
            "Rounded.\n\n"
            "- It is small.\n");
  const auto json = nlohmann::json::parse(report.json());
  EXPECT_EQ(json["tables"][0]["rows"][0]["HR@10"], .5);
  EXPECT_EQ(json["tables"][0]["rows"][0]["what"], "a|b");
  EXPECT_EQ(json["findings"][0], "It is small.");
}

TEST(Report, TogetherOnOnePage) {
  const TemporaryFolder folder;
  const std::vector<Report> reports{{"one", "First", {"Porto"}, {}, {}, {}},
                                    {"two", "Second", {"Porto"}, {}, {}, {}}};
  save_together(reports, folder.path());
  EXPECT_EQ(read_file(folder / "all.md"), "## First\n\nPorto.\n\n## Second\n\nPorto.\n");
  const auto json = nlohmann::json::parse(read_file(folder / "all.json"));
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[1]["experiment"], "two");
}

TEST(Spread, IsThatOfASample) {
  const Spread spread = spread_of({.5, .6, .7});
  EXPECT_DOUBLE_EQ(spread.mean, .6);
  EXPECT_NEAR(spread.deviation, .1, 1e-12);
  EXPECT_EQ(spread.cell().text, ".600 ± .100");
  EXPECT_EQ(spread_of({.5}).cell().text, ".500");
}

}  // namespace
}  // namespace tsmini::experiment
