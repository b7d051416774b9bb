// Every kernel, on every SIMD target of this machine, in both precisions, against the scalar twin.
#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "tsmini/pair_engine.h"
#include "tsmini/simd.h"

#include "measure/allowed_error.h"
#include "measure/bounds.h"
#include "measure/rounding.h"
#include "measure/trajectories.h"

namespace tsmini {
namespace {

using Case = std::tuple<std::string, Measure, Precision>;

class Kernels : public testing::TestWithParam<Case> {
 protected:
  Kernels() : before_(simd_target()) { force_simd_target(std::get<0>(GetParam())); }
  ~Kernels() override { force_simd_target(before_); }

  Measure measure() const { return std::get<1>(GetParam()); }
  bool is_single() const { return std::get<2>(GetParam()) == Precision::single_precision; }

  double allowed(double expected, double extent, std::size_t points) const {
    return is_single() ? allowed_in_single(measure(), expected, extent, points)
                       : allowed_in_double(measure(), expected, extent);
  }

  // In single precision edwp may go another way. Of real trips 0.15 % do (edwp_test.cpp); of a few
  // hundred pairs, one and its reverse.
  bool has_branched(double found, double expected, double extent) const {
    return measure() == Measure::edwp && is_single() &&
           std::abs(found - expected) > 1e-3 * expected + unit_roundoff * extent;
  }

  void compare(const std::vector<Points>& queries, const std::vector<Points>& base) {
    const MeasureSettings settings = settings_for(measure());
    const PlanarSet set = set_of(base);
    const PairEngine engine(measure(), set, settings, std::get<2>(GetParam()));
    std::vector<double> distances(base.size());
    std::size_t branched = 0;
    for (const Points& query : queries) {
      const double extent =
          std::max({largest_coordinate(set), largest_coordinate(query, set.origin()),
                    largest_coordinate({&settings.gap, 1}, set.origin())});
      engine.one_to_many(query, std::span<double>(distances));
      for (std::size_t j = 0; j < base.size(); ++j) {
        const double expected = distance(measure(), query, base[j], settings);
        EXPECT_NEAR(distances[j], expected,
                    allowed(expected, extent, query.size() + base[j].size()))
            << query.size() << " × " << base[j].size();
        if (has_branched(distances[j], expected, extent)) ++branched;
      }
    }
    EXPECT_LE(100 * branched, queries.size() * base.size());
  }

 private:
  std::string before_;
};

TEST_P(Kernels, LengthsAroundTheLanes) {
  std::vector<Points> all;
  for (const std::size_t length : {1u, 2u, 15u, 16u, 17u, 31u, 33u, 64u, 200u}) {
    if (measure() == Measure::edwp && length < 2) continue;
    all.push_back(random_points(length, 1));
    all.push_back(random_points(length, 2));
  }
  compare(all, all);
}

TEST_P(Kernels, MixedLengths) {
  compare(mixed(measure(), 5, 60, 21), mixed(measure(), 45, 60, 22));
}

TEST_P(Kernels, FarFromZero) {
  compare(mixed(measure(), 3, 40, 31, Style::far), mixed(measure(), 20, 40, 32, Style::far));
}

// On whole numbers single precision is exact, so that even ties fall the same way; not so edwp's,
// whose cuts are fractions.
TEST_P(Kernels, TiesAndRepeatedPoints) {
  if (measure() == Measure::edwp && is_single()) GTEST_SKIP() << "ties are not exact";
  compare(mixed(measure(), 4, 50, 41, Style::lattice),
          mixed(measure(), 36, 50, 42, Style::lattice));
}

TEST_P(Kernels, Long) {
  compare({random_points(2000, 51)}, {random_points(2000, 52), random_points(333, 53)});
}

TEST_P(Kernels, ItselfIsAtZero) {
  const auto all = mixed(measure(), 20, 30, 61);
  const PairEngine engine(measure(), set_of(all), settings_for(measure()), std::get<2>(GetParam()));
  std::vector<double> distances(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    engine.one_to_many(all[i], std::span<double>(distances));
    EXPECT_EQ(distances[i], 0);
  }
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::string_view target : simd_targets()) {
    for (const Measure measure : all_measures) {
      all.emplace_back(target, measure, Precision::single_precision);
      all.emplace_back(target, measure, Precision::double_precision);
    }
  }
  return all;
}

std::string name_of_case(const testing::TestParamInfo<Case>& info) {
  std::string name = std::get<0>(info.param) + "_" + std::string(name_of(std::get<1>(info.param)));
  for (char& c : name) c = c == '-' ? '_' : c;
  return name + (std::get<2>(info.param) == Precision::single_precision ? "_single" : "_double");
}

INSTANTIATE_TEST_SUITE_P(All, Kernels, testing::ValuesIn(cases()), name_of_case);

}  // namespace
}  // namespace tsmini
