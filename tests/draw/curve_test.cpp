#include "draw/curve.h"

#include <cmath>
#include <limits>
#include <map>
#include <string>

#include <expat.h>
#include <gtest/gtest.h>

namespace tsmini {
namespace {

struct Picture {
  std::map<std::string, int> elements;
  std::map<std::string, int> paths;  // by colour
  std::string text;
};

// Fails the test where the file is not well-formed.
Picture parsed(const std::string& svg) {
  Picture picture;
  XML_Parser parser = XML_ParserCreate(nullptr);
  XML_SetUserData(parser, &picture);
  XML_SetStartElementHandler(parser, [](void* data, const char* name, const char** attributes) {
    auto& self = *static_cast<Picture*>(data);
    ++self.elements[name];
    for (; *attributes != nullptr; attributes += 2) {
      if (std::string("stroke") == attributes[0]) ++self.paths[attributes[1]];
    }
  });
  XML_SetCharacterDataHandler(parser, [](void* data, const char* text, int size) {
    static_cast<Picture*>(data)->text.append(text, static_cast<std::size_t>(size)) += '|';
  });
  EXPECT_EQ(XML_Parse(parser, svg.data(), static_cast<int>(svg.size()), 1), XML_STATUS_OK);
  XML_ParserFree(parser);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  return picture;
}

bool has(const Picture& picture, const std::string& text) {
  return picture.text.find(text + "|") != std::string::npos;
}

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
  const Picture picture = parsed(svg_of(learning_curve()));
  for (const char* text : {"step", "hit ratio", "time [s]", "HR@10", "HR@50", "0.4", "200", "400"})
    EXPECT_TRUE(has(picture, text)) << text << " in " << picture.text;
  EXPECT_NE(picture.text.find("suburbs"), std::string::npos);
}

TEST(LineChart, DrawsALineAndItsLegendInOneColour) {
  const Picture picture = parsed(svg_of(learning_curve()));
  EXPECT_EQ(picture.paths.at("#2f81f7"), 3) << "two lines, one of them with a legend";
  EXPECT_EQ(picture.paths.at("#d9730d"), 2);
  EXPECT_EQ(picture.elements.at("circle"), 1) << "a single point is a dot";
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
  EXPECT_EQ(parsed(svg_of(chart)).elements.at("circle"), 2);
}

TEST(LineChart, OfHardlyAnything) {
  parsed(svg_of({}));
  LineChart chart = learning_curve();
  chart.panels = {{"nothing", {}, {}, {}},
                  {"no point", {{"a", {}}}, {}, {}},
                  {"constant", {{"b", {{5, 7}, {5, 7}}}}, {}, {}},
                  {"huge", {{"c", {{-1e300, 1e300}, {1e300, -1e300}}}}, {}, {}}};
  EXPECT_TRUE(has(parsed(svg_of(chart)), "no point"));
}

}  // namespace
}  // namespace tsmini
