// Every mode by every measure against computing everything: of a set in memory and of a collection
// in each state that it can be in, with no model, with one and with two, which must all answer the
// same requests alike.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/collection.h"
#include "tsmini/encoder.h"
#include "tsmini/flaws.h"
#include "tsmini/memory_trips.h"

#include "store/small_collection.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

// How the trips came to be where they are searched.
enum class Home { memory, added, indexed, compacted, models_last };

struct Expected {
  std::string id;
  double distance;
};

std::vector<Planar> planar(std::span<const Position> points) {
  std::vector<Planar> result;
  for (const Position& p : points) result.push_back({p.lon, p.lat});
  return result;
}

MeasureSettings settings_for(Measure measure) {
  MeasureSettings settings;
  if (measure == Measure::edr || measure == Measure::lcss) settings.epsilon = 150;
  if (measure == Measure::erp) settings.gap = {1000, 1000};
  return settings;
}

// Trips in the box of the model, outside of it, and of one point.
Dataset mixed_trips() {
  DatasetBuilder builder(Coordinates::planar);
  const Dataset inside = small_trips(200), outside = small_trips(80, "far", 4);
  for (std::size_t i = 0; i < inside.size(); ++i) builder.add(inside[i]);
  for (std::size_t i = 0; i < outside.size(); ++i) {
    std::vector<Position> points(outside[i].points.begin(), outside[i].points.end());
    for (Position& p : points) p.lon += 1500;
    builder.add({outside[i].id, points, outside[i].times});
  }
  const std::vector<Position> one{{700, 900}};
  builder.add({"one", one, {}});
  return builder.finish();
}

class Answers : public testing::TestWithParam<std::tuple<Home, int>> {
 protected:
  using Search = std::function<SearchResult(std::span<const Position>, const SearchRequest&)>;

  Answers() {
    const auto [home, count] = GetParam();
    models_ = {small_model(Measure::edwp), small_model(Measure::frechet)};
    models_.resize(static_cast<std::size_t>(count));
    if (home == Home::memory) {
      memory_ = std::make_unique<MemoryTrips>(data_);
      for (const Model& model : models_) memory_->add_model(model);
      search_ = [this](auto query, const auto& request) { return memory_->search(query, request); };
      return;
    }
    collection_ = std::make_unique<Collection>(Collection::create(folder_ / "c", Space()));
    if (home != Home::models_last) add_models();
    fill(home);
    if (home == Home::models_last) add_models();
    search_ = [this](auto query, const auto& request) {
      return collection_->search(query, request);
    };
  }

  void add_models() {
    for (const Model& model : models_) collection_->add_model(model);
  }

  // The same trips in the same order, after others that are gone.
  void fill(Home home) {
    const Dataset gone = small_trips(20, "gone", 6);
    collection_->add(gone);
    DatasetBuilder first(Coordinates::planar), second(Coordinates::planar);
    for (std::size_t i = 0; i < data_.size(); ++i) (i < 30 ? first : second).add(data_[i]);
    collection_->add(first.finish());
    if (home == Home::indexed || home == Home::compacted) collection_->make_index();
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < gone.size(); ++i) ids.emplace_back(gone[i].id);
    collection_->remove(ids);
    collection_->add(second.finish());
    if (home == Home::compacted) collection_->compact();
    collection_->verify();
  }

  const Model* model_of(Measure measure) const {
    for (const Model& model : models_) {
      if (model.measure == measure) return &model;
    }
    return nullptr;
  }

  // The distances of all trips that pass and that the measure is defined for, in order.
  template <class Distance, class Filter>
  std::vector<Expected> sorted(const Distance& distance_of, const Filter& passes) const {
    std::vector<Expected> all;
    for (std::size_t i = 0; i < data_.size(); ++i) {
      if (passes(i)) all.push_back({std::string(data_[i].id), distance_of(i)});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Expected& a, const Expected& b) { return a.distance < b.distance; });
    return all;
  }

  static void expect_same(const SearchResult& result, const std::vector<Expected>& expected,
                          std::size_t k, double tolerance) {
    ASSERT_EQ(result.answers.size(), std::min(k, expected.size()));
    for (std::size_t i = 0; i < result.answers.size(); ++i) {
      EXPECT_EQ(result.answers[i].trip.id, expected[i].id) << i;
      EXPECT_NEAR(result.answers[i].distance, expected[i].distance,
                  tolerance * expected[i].distance)
          << i;
    }
  }

  TemporaryFolder folder_;
  Dataset data_ = mixed_trips();
  // The last one is more than the models can take.
  std::vector<std::vector<Position>> queries_ = {
      random_trip(20, 77), random_trip(9, 78), {{2800, 900}, {3100, 1000}, {3300, 800}}};
  std::vector<Model> models_;
  std::unique_ptr<MemoryTrips> memory_;
  std::unique_ptr<Collection> collection_;
  Search search_;
};

struct FilterCase {
  std::string name;
  SearchFilter filter;
  std::function<bool(const Trajectory&)> passes;
};

std::vector<FilterCase> filter_cases() {
  std::vector<FilterCase> cases(4);
  cases[0].name = "all";
  cases[0].passes = [](const Trajectory&) { return true; };
  const Box box{100, 100, 3000, 1900};
  cases[1].name = "box";
  cases[1].filter.box = box;
  cases[1].passes = [box](const Trajectory& t) {
    return std::all_of(t.points.begin(), t.points.end(),
                       [&](const auto& p) { return box.contains(p); });
  };
  cases[2].name = "times";
  cases[2].filter.times = {10'000, 60'000};
  cases[2].filter.excluded = {"t12", "t14", "nobody"};
  cases[2].passes = [](const Trajectory& t) {
    return t.has_times() && t.times.front() >= 10'000 && t.times.back() <= 60'000 &&
           t.id != "t12" && t.id != "t14";
  };
  cases[3].name = "ids";
  cases[3].filter.ids = std::vector<std::string>{"t1", "t2", "far3", "far4", "one", "nobody"};
  cases[3].passes = [](const Trajectory& t) {
    return std::set<std::string_view>{"t1", "t2", "far3", "far4", "one"}.contains(t.id);
  };
  return cases;
}

TEST_P(Answers, AreTheTruth) {
  std::map<const Model*, std::unique_ptr<Encoder>> encoders;
  for (const Model& model : models_) encoders[&model] = std::make_unique<Encoder>(model);
  for (const Measure measure : all_measures) {
    const Model* model = model_of(measure);
    // These two multiply by a reciprocal where the twin divides.
    const bool divides = measure == Measure::hausdorff_segment || measure == Measure::sspd;
    const double tolerance = divides ? 1e-14 : 0;
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      const std::vector<Position>& query = queries_[q];
      const bool is_taken = model && flaw_of(*model, {{}, query, {}}).empty();
      ASSERT_EQ(is_taken, model && q != 2);
      std::vector<double> exact(data_.size()), guess(data_.size());
      std::vector<bool> defined(data_.size(), true), unfit(data_.size());
      for (std::size_t i = 0; i < data_.size(); ++i) {
        defined[i] = measure != Measure::edwp || data_[i].size() > 1;
        if (!defined[i]) continue;
        exact[i] = guess[i] =
            distance(measure, planar(query), planar(data_[i].points), settings_for(measure));
        unfit[i] = model && !flaw_of(*model, data_[i]).empty();
        if (!is_taken || unfit[i]) continue;
        std::vector<float> a(model->net.dimension), b(model->net.dimension);
        encoders[model]->embed(query, a);
        encoders[model]->embed(data_[i].points, b);
        guess[i] = model->calibration(embedding_distance(model->net.metric, a, b));
      }
      for (const FilterCase& c : filter_cases()) {
        SCOPED_TRACE(testing::Message() << name_of(measure) << " query " << q << " " << c.name);
        const auto passes = [&](std::size_t i) { return defined[i] && c.passes(data_[i]); };
        const auto truth = sorted([&](std::size_t i) { return exact[i]; }, passes);
        SearchRequest request{.k = 7, .measure = measure, .settings = settings_for(measure)};
        request.filter = c.filter;
        const SearchResult by_default = search_(query, request);
        EXPECT_EQ(by_default.mode, SearchMode::exact);
        EXPECT_EQ(by_default.measure, measure);

        request.mode = SearchMode::exact;
        for (const std::size_t candidates : {0u, 20u}) {
          request.candidates = candidates;
          const SearchResult result = search_(query, request);
          expect_same(result, truth, 7, tolerance);
          EXPECT_FALSE(result.scanned);
        }
        SearchRequest near = request;
        near.mode.reset();
        near.within = truth.empty() ? 1 : truth[truth.size() / 2].distance * (1 + 1e-12);
        const auto last = std::find_if(truth.begin(), truth.end(), [&](const Expected& e) {
          return e.distance > *near.within;
        });
        expect_same(search_(query, near), {truth.begin(), last}, truth.size(), tolerance);

        request.candidates = 0;
        request.mode = SearchMode::fast;
        if (!model) {
          for (const SearchMode mode : {SearchMode::fast, SearchMode::rerank}) {
            request.mode = mode;
            expect_error(ErrorCode::usage, "needs a model of " + std::string(name_of(measure)),
                         "`mode=exact`", [&] { search_(query, request); });
          }
          continue;
        }
        const auto guesses = sorted([&](std::size_t i) { return guess[i]; }, passes);
        // An index adds 32 differences in single precision, which errs by 6 roundings of 2^-24
        // (search/embeddings.h); the calibration raises that to the power of 1.2.
        expect_same(search_(query, request), guesses, 7, is_taken ? 5e-7 : tolerance);
        request.mode = SearchMode::rerank;
        request.candidates = 1000;
        expect_same(search_(query, request), truth, 7, tolerance);
        // The best 15 by embedding, and all that have none.
        request.candidates = 15;
        std::set<std::string> candidates;
        for (const Expected& e : sorted([&](std::size_t i) { return guess[i]; },
                                        [&](std::size_t i) { return passes(i) && !unfit[i]; })) {
          if (candidates.size() < 15) candidates.insert(e.id);
        }
        const auto is_candidate = [&](std::size_t i) {
          return passes(i) &&
                 (!is_taken || unfit[i] || candidates.contains(std::string(data_[i].id)));
        };
        expect_same(search_(query, request),
                    sorted([&](std::size_t i) { return exact[i]; }, is_candidate), 7, tolerance);
      }
    }
  }
}

// In which nothing is laid out and no model measures.
TEST_P(Answers, InAnotherSpace) {
  const Space space = Space::fit(SpaceKind::zscore, data_);
  const auto scaled = [&](std::span<const Position> points) {
    std::vector<Planar> result;
    for (const Position& p : points) result.push_back(space.project(p));
    return result;
  };
  for (const Measure measure : all_measures) {
    const MeasureSettings settings{.epsilon = 0.3, .gap = {0.1, -0.2}};
    const bool divides = measure == Measure::hausdorff_segment || measure == Measure::sspd;
    for (const FilterCase& c : filter_cases()) {
      SCOPED_TRACE(testing::Message() << name_of(measure) << " " << c.name);
      const auto truth = sorted(
          [&](std::size_t i) {
            return distance(measure, scaled(queries_[0]), scaled(data_[i].points), settings);
          },
          [&](std::size_t i) {
            return (measure != Measure::edwp || data_[i].size() > 1) && c.passes(data_[i]);
          });
      SearchRequest request{.k = 7, .measure = measure, .space = space, .settings = settings};
      request.filter = c.filter;
      const SearchResult nearest = search_(queries_[0], request);
      expect_same(nearest, truth, 7, divides ? 1e-14 : 0);
      EXPECT_TRUE(nearest.scanned);
      request.within = truth[truth.size() / 2].distance * (1 + 1e-12);
      const auto last = std::find_if(truth.begin(), truth.end(), [&](const Expected& e) {
        return e.distance > *request.within;
      });
      expect_same(search_(queries_[0], request), {truth.begin(), last}, truth.size(),
                  divides ? 1e-14 : 0);
    }
  }
  EXPECT_FALSE(search_(queries_[0], {.space = Space()}).scanned);
}

TEST_P(Answers, WhatIsLeftOpen) {
  const SearchResult result = search_(queries_[0], {});
  EXPECT_EQ(result.measure, models_.empty() ? Measure::frechet : models_[0].measure);
  EXPECT_EQ(result.mode, SearchMode::exact);
}

TEST_P(Answers, RequestsThatMakeNoSense) {
  const auto refuse = [&](const SearchRequest& request, const std::string& message) {
    expect_error(ErrorCode::usage, message, "", [&] { search_(queries_[0], request); });
  };
  refuse({.k = 0}, "k must be at least 1");
  refuse({.within = -1}, "-1 is no distance");
  refuse({.within = std::nan("")}, "is no distance");
  refuse({.within = 5, .mode = SearchMode::fast}, "by exact, not by fast");
  refuse({.measure = Measure::lcss}, "epsilon");
  refuse({.space = Space::from_json(R"({"kind":"ground","lon":9,"lat":45})")},
         "planar, which cannot be measured in ground space");
  refuse({.space = Space::fit(SpaceKind::zscore, data_), .mode = SearchMode::rerank},
         "rerank answers in the space of the trips alone");
  refuse({.measure = Measure::dtw, .mode = SearchMode::rerank},
         models_.empty() ? "there is no model" : "there are models 'edwp' \\(edwp\\)");
  const std::vector<Position> one{{100, 100}};
  expect_error(ErrorCode::bad_input, "one point, edwp needs two", "another measure",
               [&] { search_(one, {.measure = Measure::edwp}); });
}

std::string name_of_home(const testing::TestParamInfo<std::tuple<Home, int>>& info) {
  const std::vector<std::string> names{"memory", "added", "indexed", "compacted", "modelsLast"};
  return names[static_cast<std::size_t>(std::get<0>(info.param))] +
         std::to_string(std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(Homes, Answers,
                         testing::Combine(testing::Values(Home::memory, Home::added, Home::indexed,
                                                          Home::compacted, Home::models_last),
                                          testing::Values(0, 1, 2)),
                         name_of_home);

// No trip that stays is missed, whatever happens to others and to models.
TEST(AnswersMeanwhile, MissNothingThatStays) {
  const TemporaryFolder folder;
  const Dataset data = mixed_trips();
  Collection collection = Collection::create(folder / "c", small_model(Measure::edwp));
  collection.add(data);
  const std::vector<Position> query = random_trip(20, 77);
  std::atomic<bool> done = false;
  std::vector<std::thread> readers;
  for (int r = 0; r < 2; ++r) {
    readers.emplace_back([&, r] {
      const Collection own = Collection::open(folder / "c");
      const Collection& reader = r == 0 ? own : collection;
      for (std::size_t round = 0; !done; ++round) {
        const Measure measure = round % 2 == 0 ? Measure::frechet : Measure::edwp;
        SearchRequest request{.k = 30, .measure = measure};
        if (round % 3 == 1) request.within = 1200;
        if (measure == Measure::edwp && !request.within && round % 4 == 3) {
          request.mode = SearchMode::rerank;
          request.candidates = 10'000;
        }
        const SearchResult result = reader.search(query, request);
        EXPECT_TRUE(request.within || result.answers.size() == 30);
        std::set<std::string> ids;
        double last = request.within.value_or(0);
        for (const Answer& answer : result.answers) {
          ids.insert(answer.trip.id);
          EXPECT_EQ(answer.distance, distance(measure, planar(query), planar(answer.trip.points)));
          if (!request.within) last = answer.distance;
        }
        for (std::size_t i = 0; i < data.size(); ++i) {
          if (measure == Measure::edwp && data[i].size() == 1) continue;
          const double d = distance(measure, planar(query), planar(data[i].points));
          EXPECT_TRUE(!(d < last) || ids.contains(std::string(data[i].id))) << data[i].id;
        }
      }
    });
  }
  Model another = small_model(Measure::dtw);
  for (int round = 0; round < 12; ++round) {
    const std::string prefix = "r" + std::to_string(round) + "-";
    const Dataset some = small_trips(20, prefix, static_cast<std::uint64_t>(30 + round));
    collection.add(some);
    if (round % 4 == 0) collection.add_model(another);
    if (round % 4 == 2) collection.remove_model("dtw");
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < some.size(); i += 2) ids.emplace_back(some[i].id);
    collection.remove(ids);
    if (round % 3 == 1) collection.make_index();
    if (round % 3 == 2) collection.compact();
  }
  done = true;
  for (std::thread& thread : readers) thread.join();
  collection.verify();
}

}  // namespace
}  // namespace tsmini
