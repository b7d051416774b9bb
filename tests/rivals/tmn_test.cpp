#include "rivals/tmn/tmn.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "tsmini/error.h"

#include "rivals/plain.h"
#include "rivals/small_city.h"
#include "rivals/tmn/prefix_distances.h"
#include "support/error_expectation.h"

namespace tsmini::rivals {
namespace {

using plain::Row;
using plain::Rows;

Tmn& tmn_of(const Small& small) {
  return dynamic_cast<Tmn&>(*small.rival);
}

// Three trips of the city, one of a single point, one that stands still, one outside of everything.
PlanarSet odd_trips(const City& city) {
  std::vector<Planar> points;
  std::vector<std::uint64_t> offsets{0};
  const auto add = [&](std::vector<Planar> trip) {
    points.insert(points.end(), trip.begin(), trip.end());
    offsets.push_back(points.size());
  };
  for (const std::size_t i : {0U, 5U, 63U}) add({city.all[i].begin(), city.all[i].end()});
  const Planar first = city.all[2].front();
  add({first});
  add({first, first, first});
  add({{first.x + 1e5, first.y - 2e5}, {first.x + 1e5, first.y + 1e5}});
  return {points, offsets};
}

double leaky(double x, double slope) {
  return x > 0 ? x : slope * x;
}

// o and y at all points of p beside q, from the formulas alone.
struct Side {
  Rows o, y;
};
Side side_of(const Small& small, std::span<const Planar> p, std::span<const Planar> q) {
  const plain::Weights weights(*small.rival);
  const Rows point_weight = weights.matrix("point.weight");
  const Row point_bias = weights.vector("point.bias");
  const auto points = [&](std::span<const Planar> trip) {
    Rows rows;
    for (const Planar& point : trip) {
      const Statistics& s = small.ground.statistics;
      rows.push_back(plain::linear(
          point_weight,
          {(point.x - s.mean_x) / s.deviation_x, (point.y - s.mean_y) / s.deviation_y},
          point_bias));
      for (double& value : rows.back()) value = leaky(value, .1);
    }
    return rows;
  };
  const Rows x = points(p), other = points(q);
  Rows inputs;
  for (const Row& row : x) {
    Row logits, left = row;
    for (const Row& match : other) logits.push_back(plain::dot(row, match));
    const Row shares = plain::softmax(logits);
    for (std::size_t j = 0; j < other.size(); ++j)
      left = plain::plus(left, plain::scaled(other[j], -shares[j]));
    inputs.push_back(row);
    inputs.back().insert(inputs.back().end(), left.begin(), left.end());
  }
  Side side{plain::lstm(weights, "lstm", inputs), {}};
  const Rows w = weights.matrix("gates.weight");
  const Row b = weights.vector("gates.bias");
  for (const Row& o : side.o) {
    const Row gates = plain::linear(w, o, b);
    Row& y = side.y.emplace_back(o);
    for (std::size_t k = 0; k < 128; ++k) {
      const double u = plain::sigmoid(gates[k]) * leaky(gates[128 + k], .01);
      y[k] += plain::sigmoid(gates[256 + k]) * leaky(u, .01);
    }
  }
  return side;
}

double apart(const Row& a, const Row& b) {
  const Row gap = plain::plus(a, plain::scaled(b, -1));
  return std::sqrt(plain::dot(gap, gap));
}

std::vector<std::size_t> tens(std::size_t points) {
  std::vector<std::size_t> lengths;
  for (std::size_t length = 10; length <= points; length += 10) lengths.push_back(length);
  return lengths;
}

TEST(Tmn, DistancesAreAsItsFormulasSay) {
  for (const bool one_sided : {false, true}) {
    Settings settings;
    if (one_sided) settings.released = {"one-sided"};
    const Small small = small_rival(tmn_kind(), settings);
    const PlanarSet trips = odd_trips(small.city);
    const Tensor found = small.rival->distances(small.rival->prepare(trips), all_ids(6), {});
    for (std::size_t i = 0; i < trips.size(); ++i) {
      for (std::size_t j = 0; j < trips.size(); ++j) {
        const Side a = side_of(small, trips[i], trips[j]), b = side_of(small, trips[j], trips[i]);
        const double expected = apart(a.y.back(), one_sided ? b.o.back() : b.y.back());
        EXPECT_NEAR(found[static_cast<int>(i)][static_cast<int>(j)].item<double>(), expected,
                    1e-5 * (1 + expected))
            << i << ' ' << j;
      }
    }
  }
}

TEST(Tmn, HasTheReportedSize) {
  EXPECT_EQ(small_rival(tmn_kind()).rival->parameter_count(), 181'824U);
}

TEST(Tmn, ATripAloneHasNoEmbedding) {
  const Small small = small_rival(tmn_kind());
  const Streams trips = small.rival->prepare(small.city.all);
  expect_error(ErrorCode::usage, "pairs alone", "", [&] { embeddings(*small.rival, trips); });
}

TEST(Tmn, IsSymmetricUnlessOneSided) {
  const torch::NoGradGuard no_grad;
  const std::vector<std::int64_t> a{0, 5, 17, 30}, b{9, 40, 3, 11};
  const auto asymmetry = [&](const Settings& settings) {
    const Small small = small_rival(tmn_kind(), settings);
    const Streams trips = small.rival->prepare(small.city.all);
    return (tmn_of(small).pair_distances(trips, a, b) - tmn_of(small).pair_distances(trips, b, a))
        .abs()
        .max()
        .item<double>();
  };
  EXPECT_LT(asymmetry({}), 1e-6);
  EXPECT_GT(asymmetry({.released = {"one-sided"}}), 1e-4);
}

TEST(Tmn, APairDoesNotSeeOthersOfItsBatch) {
  const torch::NoGradGuard no_grad;
  const Small small = small_rival(tmn_kind());
  const PlanarSet trips = odd_trips(small.city);
  const Streams streams = small.rival->prepare(trips);
  const std::vector<std::int64_t> a{3, 4, 0, 5, 1}, b{4, 3, 3, 1, 2};
  const Tensor together = tmn_of(small).pair_distances(streams, a, b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Tensor alone = tmn_of(small).pair_distances(streams, std::span(a).subspan(i, 1),
                                                      std::span(b).subspan(i, 1));
    EXPECT_NEAR(together[static_cast<int>(i)].item<double>(), alone.item<double>(), 1e-6);
  }
}

TEST(Tmn, QueriesMayBeSomeInAnyOrder) {
  const torch::NoGradGuard no_grad;
  const Small small = small_rival(tmn_kind());
  const Streams trips = small.rival->prepare(small.city.all);
  const std::vector<std::int64_t> queries{40, 3, 11, 3, 63};
  std::vector<std::uint64_t> counted;
  std::uint64_t total = 0;
  const Tensor found = small.rival->distances(trips, queries, [&](const ProgressState& state) {
    counted.push_back(state.done);
    total = state.total;
  });
  ASSERT_EQ(found.sizes(), (std::vector<std::int64_t>{5, 64}));
  for (std::size_t row = 0; row < queries.size(); ++row) {
    const std::vector<std::int64_t> query(64, queries[row]);
    const Tensor expected = tmn_of(small).pair_distances(trips, query, all_ids(64));
    EXPECT_TRUE(torch::allclose(found[static_cast<int>(row)], expected, 1e-4, 2e-6));
  }
  EXPECT_TRUE(std::is_sorted(counted.begin(), counted.end()));
  EXPECT_EQ(total, 4U * 64 - 6);
  EXPECT_EQ(counted.back(), total);
  EXPECT_THROW(small.rival->distances(
                   trips, queries,
                   [](const ProgressState&) { throw Error(ErrorCode::interrupted, "stopped"); }),
               Error);
}

TEST(Tmn, DistancesOfBeginningsAreExact) {
  const PlanarSet trips = small_trips(12);
  for (const Measure measure : all_measures) {
    if (measure == Measure::edr || measure == Measure::lcss) continue;  // need an epsilon
    std::vector<std::int64_t> a, b;
    for (std::int64_t i = 0; i < 12; ++i) {
      a.push_back(i);
      b.push_back((i * 5 + 1) % 12);
    }
    const std::vector<std::size_t> lengths = tens(40);
    const auto found = prefix_distances(measure, trips, a, b, lengths);
    std::size_t longest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto p = trips[static_cast<std::size_t>(a[i])];
      const auto q = trips[static_cast<std::size_t>(b[i])];
      ASSERT_EQ(found[i].size(), std::min(p.size(), q.size()) / 10);
      longest = std::max(longest, found[i].size());
      for (std::size_t k = 0; k < found[i].size(); ++k) {
        const double expected = distance(measure, p.first(lengths[k]), q.first(lengths[k]));
        EXPECT_NEAR(found[i][k], expected, 1e-12 * expected) << name_of(measure);
      }
    }
    EXPECT_GE(longest, 3U);
  }
}

// The sides of ordered pairs of trips; the same network whatever the way to learn.
using Sides = std::map<std::pair<std::size_t, std::size_t>, Side>;

// What a step asks for, pair by pair, from the formulas alone.
double expected_loss(const Small& small, const TrainingSet& set, const Settings& settings,
                     double alpha, std::uint64_t seed, Sides& sides) {
  const auto side = [&](std::size_t i, std::size_t j) -> const Side& {
    const auto found = sides.find({i, j});
    if (found != sides.end()) return found->second;
    return sides[{i, j}] = side_of(small, small.city.train[i], small.city.train[j]);
  };
  torch::manual_seed(seed);
  const Tensor anchors = Passes(set.streams[0].size(), 10).next();
  const Drawn drawn = draw_near(set.labels, anchors, alpha, 20);
  const bool rising = settings.keeps("rising-exponent");
  const bool below = rising || settings.keeps("far-below");
  double sum = 0;
  for (int anchor = 0; anchor < 10; ++anchor) {
    const auto i = static_cast<std::size_t>(anchors[anchor].item<std::int64_t>());
    for (int rank = 0; rank < 20; ++rank) {
      const auto j = static_cast<std::size_t>(drawn.ids[anchor][rank].item<std::int64_t>());
      const bool near = rank < 10;
      const double weight = (near ? 10 - rank : rank - 9) / (55 * 10.0);
      const auto error = [&](double found, double label) {
        const double gap =
            rising ? std::exp(found) - label : std::exp(-found) - std::exp(-alpha * label);
        const double counted = near ? gap : std::max(0.0, below ? -gap : gap);
        return counted * counted;
      };
      const auto p = small.city.train[i], q = small.city.train[j];
      const Side &a = side(i, j), &b = side(j, i);
      const Row& last = settings.keeps("one-sided") ? b.o.back() : b.y.back();
      sum += weight * error(apart(a.y.back(), last), drawn.labels[anchor][rank].item<double>());
      if (rising) continue;
      const std::vector<std::size_t> lengths = tens(std::min(p.size(), q.size()));
      for (const std::size_t length : lengths) {
        const double label =
            distance(set.labels.measure, p.first(length), q.first(length)) / set.labels.largest;
        sum += weight * error(apart(a.y[length - 1], b.y[length - 1]), label) /
               static_cast<double>(lengths.size());
      }
    }
  }
  return sum;
}

TEST(Tmn, LearnsFromWholeTripsAndBeginnings) {
  const std::vector<Settings> ways{{.measure = Measure::dtw},
                                   {.measure = Measure::edwp},
                                   {.measure = Measure::dtw, .released = {"one-sided"}},
                                   {.measure = Measure::dtw, .released = {"rising-exponent"}},
                                   {.measure = Measure::dtw, .released = {"far-below"}}};
  Sides sides;
  for (const Settings& settings : ways) {
    const Small small = small_rival(tmn_kind(), settings, 24);
    const TrainingSet set = training_set(*small.rival, small.city.train, settings.measure);
    torch::manual_seed(3);
    const double loss = small.rival->training(set)->loss().item<double>();
    const double expected = expected_loss(small, set, settings, 16, 3, sides);
    EXPECT_NEAR(loss, expected, 2e-5 * expected);
  }
}

TEST(Tmn, ExponentsThatRiseLeaveFarPairsAlone) {
  const Settings settings{.released = {"rising-exponent"}};
  const Small small = small_rival(tmn_kind(), settings, 24);
  const TrainingSet set = training_set(*small.rival, small.city.train, settings.measure);
  // exp(+distance) is at least 1 and labels at most 1, so that only near pairs count: the loss
  // falls by bringing all together.
  const auto stage = small.rival->training(set);
  const double before = small.rival->distances(set.streams, all_ids(24), {}).mean().item<double>();
  train(*small.rival, *stage, {.steps = 8, .validations = 1}, {}, {});
  const double after = small.rival->distances(set.streams, all_ids(24), {}).mean().item<double>();
  EXPECT_LT(after, .8 * before);
}

TEST(Tmn, GradientsReachAllParameters) {
  const Small small = small_rival(tmn_kind(), {}, 24);
  const TrainingSet set = training_set(*small.rival, small.city.train, Measure::frechet);
  small.rival->training(set)->loss().backward();
  for (const auto& item : small.rival->named_parameters())
    EXPECT_GT(item.value().grad().abs().sum().item<double>(), 0) << item.key();
}

TEST(Tmn, LearnsFromTripsShorterThanAnyBeginning) {
  const Small small = small_rival(tmn_kind(), {}, 24);
  const PlanarSet trips = odd_trips(small_city());
  std::vector<Planar> points;
  std::vector<std::uint64_t> offsets{0};
  for (const std::size_t i : {3U, 4U, 5U}) {
    points.insert(points.end(), trips[i].begin(), trips[i].end());
    offsets.push_back(points.size());
  }
  for (const Measure measure : {Measure::frechet, Measure::sspd}) {
    const TrainingSet set = training_set(*small.rival, {points, offsets}, measure);
    const Tensor loss = small.rival->training(set)->loss();
    loss.backward();
    EXPECT_TRUE(loss.isfinite().item<bool>());
    for (const Tensor& parameter : small.rival->parameters())
      EXPECT_TRUE(parameter.grad().isfinite().all().item<bool>());
  }
}

TEST(Tmn, OverfitsAFewTrips) {
  EXPECT_GE(overfitted_hr10(tmn_kind(), {.measure = Measure::hausdorff}, 160), .9);
}

}  // namespace
}  // namespace tsmini::rivals
