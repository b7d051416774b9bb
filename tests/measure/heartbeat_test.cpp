// Every measure can be stopped within one pair.
#include "tsmini/heartbeat.h"

#include <string>

#include <gtest/gtest.h>

#include "tsmini/error.h"
#include "tsmini/exact_search.h"
#include "tsmini/matrix.h"
#include "tsmini/pair_engine.h"

#include "measure/frechet_continuous.h"
#include "measure/trajectories.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

// Lets the work begin, then stops it.
Progress stop_soon() {
  return [calls = 0](const ProgressState& state) mutable {
    EXPECT_EQ(state.done, 0u) << "no pair is done";
    if (++calls == 3) throw Error(ErrorCode::interrupted, "stopped by a test");
  };
}

template <class Work>
void expect_stopped(const Work& work) {
  expect_error(ErrorCode::interrupted, "stopped by a test", "", work);
}

class Stopping : public testing::TestWithParam<Measure> {
 protected:
  // Seconds of work a pair, at least.
  static constexpr std::size_t points = 60'000;

  Measure measure_ = GetParam();
  MeasureSettings settings_ = settings_for(GetParam());
  Points first_ = random_points(points, 1), second_ = random_points(points, 2);
  PlanarSet both_ = set_of({first_, second_});
};

TEST_P(Stopping, OnePair) {
  expect_stopped([&] { distance(measure_, first_, second_, settings_, Heartbeat(stop_soon())); });
}

TEST_P(Stopping, TheKernels) {
  for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
    const PairEngine engine(measure_, both_, settings_, precision);
    std::vector<double> distances(2);
    const std::vector<std::size_t> some{1};
    expect_stopped(
        [&] { engine.one_to_many(first_, std::span<double>(distances), Heartbeat(stop_soon())); });
    expect_stopped([&] {
      engine.one_to_some(first_, some, std::span(distances).first(1), Heartbeat(stop_soon()));
    });
    std::vector<float> table(4), pair(1);
    expect_stopped([&] { engine.many_to_many(both_, table, stop_soon()); });
    expect_stopped([&] { engine.all_pairs(pair, stop_soon()); });
  }
}

TEST_P(Stopping, TheSearch) {
  const ExactSearch search(measure_, both_, settings_);
  expect_stopped([&] { search.nearest(first_, 1, {}, nullptr, Heartbeat(stop_soon())); });
  expect_stopped(
      [&] { search.within(first_, 1e9, ExactSearch::nothing, nullptr, Heartbeat(stop_soon())); });
}

INSTANTIATE_TEST_SUITE_P(All, Stopping, testing::ValuesIn(all_measures));

TEST(StoppingElsewhere, TheFreeSpaceOfContinuousFrechet) {
  const Points p = random_points(60'000, 1);
  Points q = p;
  for (Planar& point : q) point.y += 1;
  const Heartbeat heartbeat(stop_soon());
  Pulse pulse(heartbeat);
  expect_stopped([&] { frechet_continuous(p, q, pulse, 0.5); });
}

TEST(StoppingElsewhere, Bands) {
  MeasureSettings settings;
  settings.band = 60'000;
  const PlanarSet both = set_of({random_points(60'000, 1), random_points(60'000, 2)});
  const PairEngine engine(Measure::dtw, both, settings);
  std::vector<float> pair(1);
  expect_stopped([&] { engine.all_pairs(pair, stop_soon()); });
}

TEST(StoppingElsewhere, Alignments) {
  const Points p = random_points(20'000, 1), q = random_points(20'000, 2);
  expect_stopped([&] { align(Measure::dtw, p, q, {}, Heartbeat(stop_soon())); });
}

TEST(StoppingElsewhere, Matrices) {
  const TemporaryFolder folder;
  const PlanarSet both = set_of({random_points(60'000, 1), random_points(60'000, 2)});
  expect_error(ErrorCode::interrupted, "0 of 2 rows are done", "", [&] {
    write_matrix(both, nullptr, folder / "m.npy", MatrixOptions(), stop_soon());
  });
}

}  // namespace
}  // namespace tsmini
