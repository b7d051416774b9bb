#include "rivals/neutraj/neutraj.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <gtest/gtest.h>

#include "rivals/core/pair_losses.h"
#include "rivals/neutraj/neighbourhood.h"
#include "rivals/neutraj/recurrence.h"
#include "rivals/plain.h"
#include "rivals/small_city.h"

namespace tsmini::rivals {
namespace {

using plain::Row;
using plain::Rows;

// Trips of several lengths, the longest first; one of a single point, one that stands still, one
// that is outside of everything known.
PlanarSet odd_trips(const City& city) {
  std::vector<Planar> points;
  std::vector<std::uint64_t> offsets{0};
  const auto add = [&](std::vector<Planar> trip) {
    points.insert(points.end(), trip.begin(), trip.end());
    offsets.push_back(points.size());
  };
  for (const std::size_t i : {2U, 5U, 40U}) add({city.all[i].begin(), city.all[i].end()});
  add({city.all[7].begin(), city.all[7].begin() + 5});
  const Planar first = city.all[2].front();
  add({{first.x + 1e5, first.y - 2e5}, {first.x + 1e5, first.y + 1e5}});
  add({first});
  add({first, first, first});
  return {points, offsets};
}

// A city whose memory holds something in about half of its cells.
Small remembering(const Settings& settings = {}) {
  Small small = small_rival(neutraj_kind(), settings);
  Tensor memory = small.rival->named_buffers()["memory"];
  const std::int64_t cells = memory.size(0) - 2;
  memory.narrow(0, 0, cells)
      .copy_(torch::randn({cells, 128}) * (torch::rand({cells, 1}) < .5).to(torch::kFloat));
  return small;
}

// All trips at once, from the formulas alone, with the memory as a map of the grid.
struct Plain {
  using Place = std::pair<std::int64_t, std::int64_t>;  // column and row
  struct Step {
    Planar point;
    Place place;
  };

  explicit Plain(const Small& small)
      : weights(*small.rival), statistics(small.ground.statistics), cells(small.ground.cells) {
    const Rows rows = weights.matrix("memory");
    for (std::size_t i = 0; i < cells.known().size(); ++i)
      memory[{cells.known()[i] % cells.columns(), cells.known()[i] / cells.columns()}] = rows[i];
  }

  std::vector<Step> collapsed(std::span<const Planar> trip) const {
    std::vector<Step> steps;
    Place last{-1, -1};
    for (const Planar& point : trip) {
      const Place place{cells.column_at(point), cells.row_of_grid_at(point)};
      if (place == last) continue;
      last = place;
      const std::int64_t known = cells.known()[static_cast<std::size_t>(cells.row_at(point))];
      steps.push_back({point, {known % cells.columns(), known / cells.columns()}});
    }
    return steps;
  }

  Row mixed(const Place& place, const Row& fresh) const {
    Rows rows;
    Row logits;
    for (std::int64_t column = place.first - 2; column <= place.first + 2; ++column) {
      for (std::int64_t row = place.second - 2; row <= place.second + 2; ++row) {
        const auto found = memory.find({column, row});
        if (found == memory.end() || plain::dot(found->second, found->second) == 0) continue;
        rows.push_back(found->second);
        logits.push_back(plain::dot(found->second, fresh));
      }
    }
    Row mix(128);
    if (rows.empty()) return mix;
    const Row shares = plain::softmax(logits);
    for (std::size_t j = 0; j < rows.size(); ++j)
      mix = plain::plus(mix, plain::scaled(rows[j], shares[j]));
    return mix;
  }

  Rows embed(const PlanarSet& trips, bool writes) {
    std::vector<std::vector<Step>> all;
    for (std::size_t i = 0; i < trips.size(); ++i) all.push_back(collapsed(trips[i]));
    Rows h(all.size(), Row(128)), c = h;
    for (std::size_t t = 0;; ++t) {
      std::map<Place, Row> written;
      bool any = false;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (t >= all[i].size()) continue;
        any = true;
        const auto& [point, place] = all[i][t];
        const Row x{(point.x - statistics.mean_x) / statistics.deviation_x,
                    (point.y - statistics.mean_y) / statistics.deviation_y};
        const Row gates = plain::plus(plain::linear(weights.matrix("from_point.weight"), x,
                                                    weights.vector("from_point.bias")),
                                      plain::linear(weights.matrix("from_state.weight"), h[i],
                                                    weights.vector("from_state.bias")));
        Row fresh(128), s(128), kept = memory.at(place);
        for (std::size_t k = 0; k < 128; ++k) {
          fresh[k] = plain::sigmoid(gates[128 + k]) * c[i][k] +
                     plain::sigmoid(gates[k]) * std::tanh(gates[512 + k]);
          s[k] = plain::sigmoid(gates[384 + k]);
        }
        Row seen = mixed(place, fresh);
        seen.insert(seen.end(), fresh.begin(), fresh.end());
        const Row read =
            plain::linear(weights.matrix("read.weight"), seen, weights.vector("read.bias"));
        for (std::size_t k = 0; k < 128; ++k) {
          c[i][k] = fresh[k] + s[k] * std::tanh(read[k]);
          h[i][k] = plain::sigmoid(gates[256 + k]) * std::tanh(c[i][k]);
          kept[k] = s[k] * kept[k] + (1 - s[k]) * c[i][k];
        }
        written[place] = kept;
      }
      if (!any) return h;
      if (writes)
        for (const auto& [place, row] : written) memory[place] = row;
    }
  }

  plain::Weights weights;
  Statistics statistics;
  const Cells& cells;
  std::map<Place, Row> memory;
};

Tensor embedded(const Small& small, const Streams& trips, const std::vector<std::int64_t>& ids) {
  const torch::NoGradGuard no_grad;
  return dynamic_cast<NeuTraj&>(*small.rival).embed(trips, ids);
}

double difference(const Tensor& a, const Tensor& b) {
  return (a - b).abs().max().item<double>();
}

TEST(NeuTraj, EmbedsAsItsFormulasSay) {
  const Small small = remembering();
  const PlanarSet trips = odd_trips(small.city);
  const Tensor rows = embeddings(*small.rival, small.rival->prepare(trips));
  const Rows expected = Plain(small).embed(trips, false);
  for (std::size_t i = 0; i < trips.size(); ++i)
    EXPECT_LT(plain::difference(plain::row_of(rows[static_cast<int>(i)]), expected[i]), 1e-5) << i;
}

TEST(NeuTraj, WritesItsMemoryWhileItTrains) {
  const Small small = remembering();
  const PlanarSet trips = odd_trips(small.city);
  const Streams streams = small.rival->prepare(trips);
  // By falling number of steps, as they are stepped through: where two are in one cell, the last
  // one's value stays.
  for (std::int64_t i = 1; i < streams[0].size(); ++i)
    ASSERT_GE(streams[0].length(i - 1), streams[0].length(i));
  Plain plain(small);
  small.rival->train();
  const Tensor rows = embedded(small, streams, all_ids(streams[0].size()));
  const Rows expected = plain.embed(trips, true);
  for (std::size_t i = 0; i < trips.size(); ++i)
    EXPECT_LT(plain::difference(plain::row_of(rows[static_cast<int>(i)]), expected[i]), 1e-5) << i;
  const Plain after(small);
  for (const auto& [place, row] : plain.memory)
    EXPECT_LT(plain::difference(after.memory.at(place), row), 1e-5);
}

TEST(NeuTraj, DoesNotWriteItsMemoryWhereItOnlyEmbeds) {
  const Small small = remembering();
  const Tensor before = small.rival->named_buffers()["memory"].clone();
  embeddings(*small.rival, small.rival->prepare(small.city.all));
  EXPECT_TRUE(torch::equal(small.rival->named_buffers()["memory"], before));
}

TEST(NeuTraj, KnowsTheCellsAroundACell) {
  const Cells cells({0, 0, 700, 500}, 100, {0, 1, 6, 7, 9, 13, 16, 34});  // 7 columns, 5 rows
  const Tensor rows = neighbourhoods(cells, 2, 99);
  for (std::size_t i = 0; i < cells.known().size(); ++i) {
    for (int offset = 0; offset < 25; ++offset) {
      const std::int64_t column = cells.known()[i] % 7 + offset % 5 - 2;
      const std::int64_t row = cells.known()[i] / 7 + offset / 5 - 2;
      const auto found = std::find(cells.known().begin(), cells.known().end(), row * 7 + column);
      const bool is_known = column >= 0 && column < 7 && found != cells.known().end();
      const std::int64_t expected = is_known ? found - cells.known().begin() : 99;
      EXPECT_EQ(rows[static_cast<int>(i)][offset].item<std::int64_t>(), expected);
    }
  }
}

TEST(NeuTraj, HasTheReportedSize) {
  const Small small = small_rival(neutraj_kind());
  EXPECT_EQ(small.rival->parameter_count(), 117'376U);
  for (const Tensor& parameter : small.rival->parameters()) {
    EXPECT_LE(parameter.abs().max().item<double>(), 1 / std::sqrt(128.0));
    EXPECT_GT(parameter.abs().max().item<double>(), .9 / std::sqrt(128.0));
  }
}

// For a trip of one point, whose gradient can be written down. Were the read not detached, there
// would be a second way from the candidate to the cell.
TEST(NeuTraj, GradientsDoNotGoThroughTheRead) {
  const Small small = remembering();
  const PlanarSet trips = odd_trips(small.city);
  const Streams streams = small.rival->prepare(trips);
  small.rival->eval();
  const std::vector<std::int64_t> last{5};
  dynamic_cast<NeuTraj&>(*small.rival).embed(streams, last).sum().backward();
  const Row gradient = plain::row_of(small.rival->named_parameters()["from_point.bias"].grad());

  const Plain plain(small);
  const Planar point = trips[5].front();
  const Row gates = plain::plus(
      plain::linear(plain.weights.matrix("from_point.weight"),
                    {small.ground.statistics.x(point), small.ground.statistics.y(point)},
                    plain.weights.vector("from_point.bias")),
      plain.weights.vector("from_state.bias"));
  Row fresh(128), expected(128);
  for (std::size_t k = 0; k < 128; ++k)
    fresh[k] = plain::sigmoid(gates[k]) * std::tanh(gates[512 + k]);
  Row seen = plain.mixed(plain.collapsed(trips[5]).front().place, fresh);
  EXPECT_GT(plain::dot(seen, seen), 0);
  seen.insert(seen.end(), fresh.begin(), fresh.end());
  const Row read =
      plain::linear(plain.weights.matrix("read.weight"), seen, plain.weights.vector("read.bias"));
  for (std::size_t k = 0; k < 128; ++k) {
    const double c = fresh[k] + plain::sigmoid(gates[384 + k]) * std::tanh(read[k]);
    const double slope = plain::sigmoid(gates[256 + k]) * (1 - std::tanh(c) * std::tanh(c));
    const double g = std::tanh(gates[512 + k]);
    expected[k] = slope * plain::sigmoid(gates[k]) * (1 - g * g);
  }
  EXPECT_LT(plain::difference({gradient.begin() + 512, gradient.end()}, expected), 1e-5);
}

// The written-out gradient against one that is recorded, step by step, trip by trip.
TEST(NeuTraj, GradientsOfStepsAreThoseOfTheFormulas) {
  torch::manual_seed(1);
  constexpr std::int64_t width = 6;
  const auto random = [](std::vector<std::int64_t> sizes) {
    return torch::randn(sizes, torch::kDouble).requires_grad_(true);
  };
  const Tensor points = random({11, 5 * width}), from_state = random({5 * width, width});
  const Tensor read = random({width, 2 * width}), bias = random({width});
  const Tensor memory = torch::randn({8, width}, torch::kDouble),
               towards = torch::randn({4, width});
  SamSteps steps;
  steps.active = {4, 3, 3, 1};
  steps.going = {4, 3, 3, 1, 0};
  steps.cells = torch::randint(0, 8, {11}, torch::kLong);
  steps.neighbours = torch::randint(0, 8, {11, 25}, torch::kInt);
  const auto gradients = [&](const Tensor& last) {
    return torch::autograd::grad({(last * towards).sum()}, {points, from_state, read, bias});
  };
  const Tensor found = sam_lstm(steps, memory, points, from_state, read, bias);

  std::vector<Tensor> states(4, torch::zeros({width}, torch::kDouble)), cells = states;
  std::int64_t row = 0;
  for (const std::int64_t active : steps.active) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(active); ++i, ++row) {
      const auto gates = (points[row] + from_state.mv(states[i])).chunk(5);
      const Tensor fresh = gates[1].sigmoid() * cells[i] + gates[0].sigmoid() * gates[4].tanh();
      const Tensor there = memory.index_select(0, steps.neighbours[row]);
      const Tensor mix = there.t().mv(there.mv(fresh.detach()).softmax(0));
      const Tensor seen = read.mv(torch::cat({mix, fresh.detach()})) + bias;
      cells[i] = fresh + gates[3].sigmoid() * seen.tanh();
      states[i] = gates[2].sigmoid() * cells[i].tanh();
    }
  }
  const Tensor expected = torch::stack(states);
  EXPECT_TRUE(torch::allclose(found, expected, 1e-10, 1e-12));
  const auto of_found = gradients(found), of_expected = gradients(expected);
  for (std::size_t i = 0; i < of_found.size(); ++i)
    EXPECT_TRUE(torch::allclose(of_found[i], of_expected[i], 1e-10, 1e-12)) << i;
}

TEST(NeuTraj, GradientsReachAllParameters) {
  const Small small = remembering();
  const TrainingSet set = training_set(*small.rival, small.city.train, Measure::frechet);
  small.rival->train();
  small.rival->training(set)->loss().backward();
  for (const auto& item : small.rival->named_parameters())
    EXPECT_GT(item.value().grad().abs().sum().item<double>(), 0) << item.key();
  EXPECT_FALSE(small.rival->named_buffers()["memory"].requires_grad());
}

TEST(NeuTraj, ATripDoesNotSeeItsBatchUnlessNeighboursAreMixed) {
  const std::vector<std::int64_t> alone{5}, batch{3, 60, 5, 17};
  const Small mended = remembering();
  const Streams streams = mended.rival->prepare(mended.city.all);
  mended.rival->eval();
  EXPECT_LT(difference(embedded(mended, streams, batch)[2], embedded(mended, streams, alone)[0]),
            1e-6);
  const Small mixed = remembering({.released = {"mixed-neighbours"}});
  mixed.rival->eval();
  EXPECT_TRUE(torch::equal(mixed.rival->named_buffers()["memory"],
                           mended.rival->named_buffers()["memory"]));
  EXPECT_LT(difference(embedded(mixed, streams, alone), embedded(mended, streams, alone)), 1e-6);
  EXPECT_GT(difference(embedded(mixed, streams, batch)[2], embedded(mixed, streams, alone)[0]),
            1e-3);
}

TEST(NeuTraj, PaddingIsWrittenOnlyAsReleased) {
  for (const bool released : {false, true}) {
    Settings settings;
    if (released) settings.released = {"padding-writes"};
    const Small small = remembering(settings);
    const PlanarSet trips = odd_trips(small.city);
    const Streams streams = small.rival->prepare(trips);
    small.rival->train();
    embedded(small, streams, all_ids(streams[0].size()));
    const Tensor memory = small.rival->named_buffers()["memory"];
    const std::int64_t cells = memory.size(0) - 2;
    EXPECT_EQ(memory[cells].abs().sum().item<double>() > 0, released);
    EXPECT_EQ(memory[cells + 1].abs().sum().item<double>(), 0);
  }
}

TEST(NeuTraj, LearnsFromNearAndFarTrips) {
  for (const bool below : {false, true}) {
    Settings settings{.measure = Measure::dtw};
    if (below) settings.released = {"far-below"};
    const Small small = small_rival(neutraj_kind(), settings);
    const TrainingSet set = training_set(*small.rival, small.city.train, Measure::dtw);
    small.rival->eval();
    const Rows rows = plain::rows_of(embeddings(*small.rival, set.streams));
    const Rows labels = plain::rows_of(set.labels.matrix);
    torch::manual_seed(5);
    const double loss = small.rival->training(set)->loss().item<double>();
    torch::manual_seed(5);
    const Tensor anchors = Passes(64, 20).next();
    const NearAndFar drawn = draw_near_and_far(set.labels, anchors, 16, 10);
    double expected = 0;
    for (int a = 0; a < 20; ++a) {
      const auto anchor = static_cast<std::size_t>(anchors[a].item<std::int64_t>());
      for (int rank = 0; rank < 10; ++rank) {
        const auto error = [&](const Drawn& side) {
          const auto other = static_cast<std::size_t>(side.ids[a][rank].item<std::int64_t>());
          const Row gap = plain::plus(rows[anchor], plain::scaled(rows[other], -1));
          return std::exp(-std::sqrt(plain::dot(gap, gap))) - std::exp(-16 * labels[anchor][other]);
        };
        const double near = error(drawn.near), far = error(drawn.far);
        const double wrong = std::max(0.0, below ? -far : far);
        expected += (10 - rank) / (55 * 20.0) * (near * near + wrong * wrong);
      }
    }
    EXPECT_NEAR(loss, expected, 1e-5 * expected);
  }
}

TEST(NeuTraj, OverfitsAFewTrips) {
  EXPECT_GE(overfitted_hr10(neutraj_kind(), {.measure = Measure::hausdorff}, 800), .9);
}

}  // namespace
}  // namespace tsmini::rivals
