
#include "tsmini/line_chart.h"

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "draw/picture.h"

namespace tsmini {
namespace {

LineChart learning_curve() {
  LineChart chart;
  chart.title = "city & suburbs";
  chart.x_title = "step";
  chart.panels = {
      {"hit ratio", {{"HR@10", {{100, 0.2}, {200, 0.5}}}, {"HR@50", {{100, 0.4}}}}, 0, 1},
      {"time [s]", {{"", {{100, 3}, {400, 9}}}}, {}, {}}};
  return chart;
}

TEST(LineChart, LabelsEverything) {
  const Picture picture = picture_of(svg_of(learning_curve()));
  for (const char* text : {"step", "hit ratio", "time [s]", "HR@10", "HR@50", "0.4", "200", "400"})
    EXPECT_TRUE(has(picture, text)) << text << " in " << picture.text;
  EXPECT_NE(picture.text.find("suburbs"), std::string::npos);
}

TEST(LineChart, DrawsALineAndItsLegendInOneColour) {
  const Picture picture = picture_of(svg_of(learning_curve()));
  EXPECT_EQ(picture.paths.at("#2f81f7"), 3) << "two lines, one of them with a legend";
  EXPECT_EQ(picture.paths.at("#d9730d"), 2);
  EXPECT_EQ(picture.elements.at("circle"), 5) << "a dot on each point";
}

TEST(LineChart, PutsValuesWhereTheAxesSay) {
  LineChart chart = learning_curve();
  chart.panels.resize(1);
  chart.panels[0].lines = {{"", {{0, 0}, {10, 1}}}};
  EXPECT_NE(svg_of(chart).find("d=\"M72.0 290.0L740.0 60.0\""), std::string::npos) << svg_of(chart);
  chart.x_low = -10;
  EXPECT_NE(svg_of(chart).find("d=\"M406.0 290.0L740.0 60.0\""), std::string::npos);
}

TEST(LineChart, LeavesOutWhatIsNotFinite) {
  LineChart chart = learning_curve();
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  chart.panels[1].lines = {{"a", {{1, 2}, {2, none}, {3, 4}, {4, 5}, {none, 1}}}};
  EXPECT_EQ(picture_of(svg_of(chart)).elements.at("circle"), 6);
}

TEST(LineChart, MarksTheSinglePointsOfALongLine) {
  LineChart chart;
  ChartLine line{"long", {}};
  for (int i = 0; i < 21; ++i) line.points.push_back({i * 1.0, i * 1.0});
  chart.panels = {{"", {line}, {}, {}}};
  EXPECT_EQ(picture_of(svg_of(chart)).elements.count("circle"), 0u);
  chart.panels[0].lines[0].points[1].y = std::numeric_limits<double>::infinity();
  EXPECT_EQ(picture_of(svg_of(chart)).elements.at("circle"), 1) << "the first stands alone now";
}

TEST(LineChart, TicksOfALogarithmicAxisAreThoseOfTheData) {
  LineChart chart;
  chart.log_x = true;
  chart.panels = {{"", {{"", {{32, 0}, {64, 0}, {128, 1}, {512, 0}}}}, 0, 1}};
  const Picture picture = picture_of(svg_of(chart));
  for (const char* label : {"32", "64", "128", "512"}) EXPECT_TRUE(has(picture, label)) << label;
  EXPECT_FALSE(has(picture, "256"));
  EXPECT_FALSE(has(picture, "100"));
  EXPECT_NE(svg_of(chart).find("d=\"M72.0 290.0L239.0 290.0L406.0 60.0L740.0 290.0\""),
            std::string::npos)
      << "twice as much is a quarter of the axis: " << svg_of(chart);
}

TEST(LineChart, HasNoPlaceForTheLogarithmOfZero) {
  LineChart chart;
  chart.log_x = true;
  chart.x_low = 0;
  chart.panels = {{"", {{"", {{0, 1}, {-3, 1}, {1, 1}, {10, 1}}}}, {}, {}}};
  EXPECT_EQ(picture_of(svg_of(chart)).elements.at("circle"), 2);
  chart.panels[0].lines.clear();
  picture_of(svg_of(chart));
}

TEST(LineChart, NumbersOfTicksDoNotTouch) {
  LineChart chart;
  chart.log_x = true;
  chart.panels = {{"", {{"", {{1000, 0.3}, {1001, 0.3}, {2000, 0.3}}}}, {}, {}}};
  const Picture picture = picture_of(svg_of(chart));
  EXPECT_TRUE(has(picture, "1000"));
  EXPECT_FALSE(has(picture, "1001"));
}

TEST(LineChart, WrapsALegendThatIsTooWide) {
  LineChart chart = learning_curve();
  chart.panels.resize(1);
  const std::string one_row = svg_of(chart);
  chart.panels[0].lines.assign(5, {std::string(30, 'x'), {}});
  const std::string rows = svg_of(chart);
  EXPECT_NE(one_row.find("height=\"340\""), std::string::npos);
  EXPECT_NE(rows.find("height=\"376\""), std::string::npos) << "two of these names fit a row";
  EXPECT_NE(rows.find("d=\"M72.0 62.0h18\""), std::string::npos) << rows;
  EXPECT_NE(rows.find("d=\"M72.0 80.0h18\""), std::string::npos) << rows;
}

TEST(LineChart, OfHardlyAnything) {
  picture_of(svg_of({}));
  LineChart chart = learning_curve();
  chart.panels = {{"nothing", {}, {}, {}},
                  {"no point", {{"a", {}}}, {}, {}},
                  {"constant", {{"b", {{5, 7}, {5, 7}}}}, {}, {}},
                  {"huge", {{"c", {{-1e300, 1e300}, {1e300, -1e300}}}}, {}, {}}};
  EXPECT_TRUE(has(picture_of(svg_of(chart)), "no point"));
}

}  // namespace
}  // namespace tsmini
