#include "draw/svg.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "draw/axis.h"

namespace tsmini {
namespace {

TEST(Svg, EscapesAndFormats) {
  Svg svg(10, 20.5);
  svg.open("g", {{"title", "a\"b"}});
  svg.leaf("rect", {{"x", -0.001}, {"y", 1.0 / 3}, {"width", 1200}});
  svg.text(1, 2, "<&>\x01\x7f é", {});
  EXPECT_EQ(std::move(svg).finish(),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"20.5\" "
            "viewBox=\"0 0 10 20.5\">\n"
            "<g title=\"a&quot;b\">\n"
            "<rect x=\"0\" y=\"0.33\" width=\"1200\"/>\n"
            "<text x=\"1\" y=\"2\">&lt;&amp;&gt;?? é</text>\n"
            "</g>\n</svg>\n");
}

TEST(Svg, ReplacesWhatIsNotUtf8) {
  Svg svg(1, 1);
  svg.text(0, 0, "\xff\xfe name", {});
  EXPECT_NE(std::move(svg).finish().find(">?? name<"), std::string::npos);
  EXPECT_EQ(escaped("é\xff 東\xe6\x9d<\xef\xbf\xbe😀"), "é? 東??&lt;?😀");
  EXPECT_EQ(escaped("\xc2\x80 \xed\xa0\x80"), "\xc2\x80 ???");
}

TEST(Svg, ReplacesWhatXmlForbids) {
  EXPECT_EQ(escaped("a\xef\xbf\xbe\xef\xbf\xbf\xef\xbf\xbd"), "a??\xef\xbf\xbd");
  EXPECT_EQ(escaped(std::string("\0x", 2)), "?x");
}

TEST(Svg, HasAScale) {
  const std::string svg = Svg(10, 20, 2.5).finish();
  EXPECT_NE(svg.find("width=\"25\" height=\"50\" viewBox=\"0 0 10 20\""), std::string::npos) << svg;
}

TEST(Base64, AgreesWithRfc4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xff\xff"), "////");
}

TEST(Axis, RoundsDown) {
  EXPECT_EQ(round_below(1), 1);
  EXPECT_EQ(round_below(1.99), 1);
  EXPECT_EQ(round_below(4999), 2000);
  EXPECT_EQ(round_below(9.99e6), 5e6);
  EXPECT_DOUBLE_EQ(round_below(0.07), 0.05);
}

TEST(Axis, TicksAreRoundAndInside) {
  for (const auto& [low, high] :
       {std::pair{-8.7, -8.52}, {1e7, 1e7 + 10}, {-1e-3, 1e-3}, {0.0, 1e300}, {-180.0, 180.0}}) {
    const auto ticks = ticks_between(low, high, 6);
    EXPECT_GE(ticks.size(), 3u) << low;
    EXPECT_LE(ticks.size(), 13u) << low;
    for (const Tick& tick : ticks) {
      EXPECT_GE(tick.value, low);
      EXPECT_LE(tick.value, high);
    }
  }
  EXPECT_TRUE(ticks_between(1, 1, 6).empty());
}

TEST(Axis, Labels) {
  EXPECT_EQ(longitude_label({-8.6, 2}), "8.60° W");
  EXPECT_EQ(longitude_label({190, 0}), "170° W");
  EXPECT_EQ(longitude_label({180, 0}), "180°");
  EXPECT_EQ(latitude_label({41.15, 2}), "41.15° N");
  EXPECT_EQ(latitude_label({-3, 0}), "3° S");
  EXPECT_EQ(latitude_label({0, 1}), "0°");
  EXPECT_EQ(number_label({-0.05, 2}), "-0.05");
  EXPECT_EQ(number_label({1e7, 0}), "10000000");
  EXPECT_EQ(number_label({1e300, 0}), "1e+300");
  EXPECT_EQ(number_label({2e-9, 9}), "2e-09");
  EXPECT_EQ(metres_label(500), "500 m");
  EXPECT_EQ(metres_label(2000), "2 km");
  EXPECT_EQ(metres_label(5e6), "5000 km");
}

}  // namespace
}  // namespace tsmini
