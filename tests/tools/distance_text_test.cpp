#include "common/distance_text.h"

#include <string>

#include <gtest/gtest.h>

namespace tsmini::cli {
namespace {

TEST(DistanceText, OfEveryMeasure) {
  const auto ground = [](const char* name) {
    return std::string(unit_of(measure_from(name), SpaceKind::ground));
  };
  for (const char* length :
       {"frechet", "frechet-continuous", "hausdorff", "hausdorff-segment", "sspd"}) {
    EXPECT_EQ(ground(length), "m") << length;
  }
  for (const char* sum : {"dtw", "erp"}) EXPECT_EQ(ground(sum), "m summed") << sum;
  for (const char* number : {"edwp", "edr", "lcss"}) EXPECT_EQ(ground(number), "") << number;
}

TEST(DistanceText, OnlyTheGroundHasMetres) {
  for (const Measure measure : all_measures) {
    for (const SpaceKind kind : {SpaceKind::mercator, SpaceKind::zscore, SpaceKind::planar}) {
      EXPECT_EQ(unit_of(measure, kind), "");
      EXPECT_TRUE(unit_json(measure, kind).is_null());
    }
  }
  EXPECT_EQ(unit_json(Measure::sspd, SpaceKind::ground), "m");
}

TEST(DistanceText, MarksWhatIsEstimated) {
  EXPECT_EQ(distance_text(872.53, "m", false), "872.5 m");
  EXPECT_EQ(distance_text(21279.1, "m summed", true), "≈21,279 m summed");
  EXPECT_EQ(distance_text(0.25, "", true), "≈0.25");
  EXPECT_EQ(distance_heading("m"), "distance (m)");
  EXPECT_EQ(distance_heading(""), "distance");
}

}  // namespace
}  // namespace tsmini::cli
