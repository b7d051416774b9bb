#include "common/values.h"

#include <gtest/gtest.h>

#include "common/console.h"
#include "support/error_expectation.h"

namespace tsmini::cli {
namespace {

TEST(Values, Boxes) {
  EXPECT_EQ(box_from("-8.7005,41.1001,-8.5192,41.2086"), (Box{-8.7005, 41.1001, -8.5192, 41.2086}));
  EXPECT_EQ(box_from(" 1 , 2 , 3 , 4 "), (Box{1, 2, 3, 4}));
  for (const char* bad : {"", "1,2,3", "1,2,3,4,5", "1,2,3,x", "3,2,1,4", "1,4,3,2", "1,2,3,nan",
                          "1,2,inf,4", "1,2,3,", ",,,"}) {
    expect_error(ErrorCode::usage, "--bbox: '.*' is not MINLON,MINLAT,MAXLON,MAXLAT", "",
                 [&] { box_from(bad); });
  }
}

TEST(Values, Speeds) {
  EXPECT_EQ(speed_from("12.5"), 12.5);
  EXPECT_EQ(speed_from("12.5 m/s"), 12.5);
  EXPECT_DOUBLE_EQ(speed_from("45km/h"), 12.5);
  EXPECT_DOUBLE_EQ(speed_from("45 KMH"), 12.5);
  for (const char* bad : {"", "0", "-1", "nan", "inf", "fast", "km/h", "45mph", "45 km", "1,5"}) {
    expect_error(ErrorCode::usage, "--max-speed: '.*' is not a speed above 0 in m/s or km/h", "",
                 [&] { speed_from(bad); });
  }
}

TEST(Values, Splits) {
  const SplitOptions split = split_from("0.7,0.1,0.2");
  EXPECT_EQ(split.train, 0.7);
  EXPECT_EQ(split.validation, 0.1);
  EXPECT_EQ(split.test, 0.2);
  EXPECT_EQ(split_from("7000,1000,2000").train, 7000);
  for (const char* bad : {"", "1", "1,2", "1,2,3,4", "-1,2,3", "1.5,2,3", "nan,0,0", "1e20,0,0"}) {
    expect_error(ErrorCode::usage, "--split: '.*' is not", "", [&] { split_from(bad); });
  }
}

TEST(Values, Stays) {
  EXPECT_EQ(stay_from("100,900").metres, 100);
  EXPECT_EQ(stay_from("100,900").seconds, 900);
  for (const char* bad : {"", "100", "0,900", "100,0", "-1,5", "1,2,3", "a,b", "1,1e300"}) {
    expect_error(ErrorCode::usage, "--cut-stay: '.*' is not METRES,SECONDS", "",
                 [&] { stay_from(bad); });
  }
}

TEST(Console, TablesLineUp) {
  Table table;
  table.add("a", "1");
  table.add("long name", "2");
  EXPECT_EQ(table.text(), "a          1\nlong name  2\n");
}

}  // namespace
}  // namespace tsmini::cli
