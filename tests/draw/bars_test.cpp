#include "draw/bars.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "draw/picture.h"

namespace tsmini {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

BarChart hit_ratios() {
  BarChart chart;
  chart.title = "city & suburbs";
  chart.y_title = "HR@10";
  chart.groups = {"frechet", "hausdorff"};
  chart.series = {{"ours", {0.894, 0.5}}, {"theirs", {0.802, none}}};
  chart.low = 0;
  chart.high = 1;
  return chart;
}

int bars_of(const Picture& picture) {
  const auto found = picture.elements.find("rect");
  return found == picture.elements.end() ? 0 : found->second;
}

TEST(BarChart, LabelsEverything) {
  const Picture picture = picture_of(svg_of(hit_ratios()));
  for (const char* text :
       {"HR@10", "frechet", "hausdorff", "ours", "theirs", ".894", ".500", ".802", "0.4"})
    EXPECT_TRUE(has(picture, text)) << text << " in " << picture.text;
}

TEST(BarChart, LeavesOutWhatIsNotFinite) {
  BarChart chart = hit_ratios();
  EXPECT_EQ(bars_of(picture_of(svg_of(chart))), 3);
  chart.series[1].values = {std::numeric_limits<double>::infinity()};
  EXPECT_EQ(bars_of(picture_of(svg_of(chart))), 2);
  chart.series[1].values = {0.1, 0.2, 0.3};
  EXPECT_EQ(bars_of(picture_of(svg_of(chart))), 4) << "there are two groups";
}

TEST(BarChart, PutsValuesWhereTheAxesSay) {
  BarChart chart = hit_ratios();
  chart.series = {{"", {0.5, 2}}};
  const std::string svg = svg_of(chart);
  EXPECT_NE(svg.find("y=\"200\" width=\"258.12\" height=\"130\""), std::string::npos) << svg;
  EXPECT_NE(svg.find("y=\"70\" width=\"258.12\" height=\"260\""), std::string::npos)
      << "beyond the axis a bar ends with it: " << svg;
  chart.low = -1;
  chart.series = {{"", {-0.5, none}}};
  EXPECT_NE(svg_of(chart).find("y=\"200\" width=\"258.12\" height=\"65\""), std::string::npos)
      << "hangs from zero: " << svg_of(chart);
}

TEST(BarChart, BarsBeginAtZero) {
  BarChart chart = hit_ratios();
  chart.low.reset();
  chart.high.reset();
  chart.series = {{"", {100, 101}}};
  EXPECT_TRUE(has(picture_of(svg_of(chart)), "0"));
}

TEST(BarChart, WritesValuesWhereThereIsRoom) {
  BarChart chart = hit_ratios();
  chart.series.assign(20, {"", {0.25, 0.25}});
  EXPECT_FALSE(has(picture_of(svg_of(chart)), ".250"));
}

TEST(BarChart, WrapsOrTurnsLongNames) {
  BarChart chart = hit_ratios();
  chart.groups.assign(8, "two words");
  EXPECT_TRUE(has(picture_of(svg_of(chart)), "two words"));
  chart.groups.assign(8, "several more words");
  const Picture lines = picture_of(svg_of(chart));
  EXPECT_TRUE(has(lines, "several")) << lines.text;
  EXPECT_TRUE(has(lines, "more words")) << lines.text;
  chart.groups.assign(8, "one-very-long-word");
  EXPECT_NE(svg_of(chart).find("rotate(-40"), std::string::npos);
  chart.groups.assign(8, std::string(40, 'x'));
  EXPECT_NE(svg_of(chart).find("rotate(-90 11"), std::string::npos) << svg_of(chart);
}

TEST(BarChart, WrapsALegendThatIsTooWide) {
  BarChart chart = hit_ratios();
  chart.series.assign(5, {std::string(30, 'x'), {}});
  EXPECT_NE(svg_of(chart).find("d=\"M72.0 80.0h18\""), std::string::npos) << svg_of(chart);
}

TEST(BarChart, OfHardlyAnything) {
  picture_of(svg_of(BarChart{}));
  BarChart chart = hit_ratios();
  chart.series = {{"nothing", {}}, {"zero", {0, 0}}};
  chart.low.reset();
  chart.high.reset();
  EXPECT_TRUE(has(picture_of(svg_of(chart)), "nothing"));
  chart.groups = {"", " ", "  a  b "};
  picture_of(svg_of(chart));
  chart.groups.clear();
  EXPECT_EQ(bars_of(picture_of(svg_of(chart))), 0);
  chart = hit_ratios();
  chart.low = chart.high = 5;
  picture_of(svg_of(chart));
}

TEST(BarChart, ShortNumbers) {
  EXPECT_EQ(short_number(0.8944), ".894");
  EXPECT_EQ(short_number(0.001), ".001");
  EXPECT_EQ(short_number(0.9994), ".999");
  EXPECT_EQ(short_number(0.9996), "1");
  EXPECT_EQ(short_number(1), "1");
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(0.00042), "0.00042");
  EXPECT_EQ(short_number(-0.5), "-0.5");
  EXPECT_EQ(short_number(12.345), "12.3");
  EXPECT_EQ(short_number(999.7), "1000");
  EXPECT_EQ(short_number(1234), "1230");
  EXPECT_EQ(short_number(-98765), "-98800");
  EXPECT_EQ(short_number(999'600), "1e+06");
  EXPECT_EQ(short_number(2.346e9), "2.35e+09");
}

}  // namespace
}  // namespace tsmini
