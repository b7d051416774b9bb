// Searching, against computing everything.
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/collection.h"
#include "tsmini/encoder.h"
#include "tsmini/measure.h"

#include "store/small_collection.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

struct Expected {
  std::string id;
  double distance;
};

using Distance = std::function<double(const Trajectory& query, const Trajectory& trip)>;
using Filter = std::function<bool(const Trajectory& trip)>;

std::vector<Planar> planar(const Trajectory& trip) {
  std::vector<Planar> points;
  for (const Position& p : trip.points) points.push_back({p.lon, p.lat});
  return points;
}

class StoreSearch : public testing::Test {
 protected:
  // Trips in an index, in the tail, and such that were removed from either.
  Collection make(Measure measure) {
    model_ = small_model(measure);
    Collection collection = Collection::create(folder_ / name_of(measure), model_);
    collection.add(data_);
    collection.make_index();
    collection.add(more_);
    collection.remove(std::vector<std::string>{"t3", "t77", "u5"});
    return collection;
  }

  bool is_there(const Trajectory& trip) const {
    return trip.id != "t3" && trip.id != "t77" && trip.id != "u5";
  }

  std::vector<Expected> brute_force(const Trajectory& query, std::size_t k,
                                    const Distance& distance_of, const Filter& filter) const {
    std::vector<Expected> all;
    for (const Dataset* data : {&data_, &more_}) {
      for (std::size_t i = 0; i < data->size(); ++i) {
        const Trajectory trip = (*data)[i];
        if (is_there(trip) && filter(trip)) {
          all.push_back({std::string(trip.id), distance_of(query, trip)});
        }
      }
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Expected& a, const Expected& b) { return a.distance < b.distance; });
    all.resize(std::min(all.size(), k));
    return all;
  }

  Distance exact() const {
    return [this](const Trajectory& query, const Trajectory& trip) {
      return distance(model_.measure, planar(query), planar(trip), model_.measure_settings);
    };
  }

  Distance by_embedding(const Encoder& encoder) const {
    return [&](const Trajectory& query, const Trajectory& trip) {
      std::vector<float> a(encoder.dimension()), b(encoder.dimension());
      encoder.embed(query.points, a);
      encoder.embed(trip.points, b);
      return model_.calibration(embedding_distance(model_.net.metric, a, b));
    };
  }

  static void expect_same(const SearchResult& result, const std::vector<Expected>& expected,
                          double tolerance) {
    ASSERT_EQ(result.answers.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(result.answers[i].trip.id, expected[i].id) << i;
      EXPECT_NEAR(result.answers[i].distance, expected[i].distance,
                  tolerance * expected[i].distance);
    }
  }

  static bool all(const Trajectory&) { return true; }

  TemporaryFolder folder_;
  Dataset data_ = small_trips(150), more_ = small_trips(50, "u", 2),
          queries_ = small_trips(10, "q", 3);
  Model model_;
};

TEST_F(StoreSearch, ExactIsTheTruth) {
  for (const Measure measure : all_measures) {
    if (measure == Measure::edr || measure == Measure::lcss) continue;  // need an epsilon
    SCOPED_TRACE(name_of(measure));
    // These two multiply by a reciprocal where the twin divides.
    const bool divides = measure == Measure::hausdorff_segment || measure == Measure::sspd;
    const Collection collection = make(measure);
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      for (const std::size_t k : {1u, 7u, 500u}) {
        SearchRequest request;
        request.k = k;
        request.mode = SearchMode::exact;
        request.candidates = q % 2 * 20;  // with learned candidates and without
        const SearchResult result = collection.search(queries_[q].points, request);
        expect_same(result, brute_force(queries_[q], k, exact(), all), divides ? 1e-14 : 0);
        EXPECT_GE(result.work.single + result.work.doubled, std::min<std::size_t>(k, 197));
        EXPECT_FALSE(result.scanned);
      }
    }
  }
}

TEST_F(StoreSearch, FastGoesByEmbedding) {
  const Collection collection = make(Measure::frechet);
  const Encoder encoder(model_);
  for (std::size_t q = 0; q < queries_.size(); ++q) {
    SearchRequest request;
    request.mode = SearchMode::fast;
    const SearchResult result = collection.search(queries_[q].points, request);
    expect_same(result, brute_force(queries_[q], 10, by_embedding(encoder), all), 1e-4);
    EXPECT_EQ(result.work.single + result.work.doubled, 0u);
  }
}

TEST_F(StoreSearch, RerankOrdersTheBestByEmbedding) {
  for (const Measure measure : {Measure::dtw, Measure::frechet, Measure::edwp}) {
    const Collection collection = make(measure);
    const Encoder encoder(model_);
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      std::set<std::string> candidates;
      for (const Expected& e : brute_force(queries_[q], 20, by_embedding(encoder), all)) {
        candidates.insert(e.id);
      }
      SearchRequest request;
      request.k = 4;
      request.mode = SearchMode::rerank;
      request.candidates = 20;
      const SearchResult result = collection.search(queries_[q].points, request);
      expect_same(
          result,
          brute_force(queries_[q], 4, exact(),
                      [&](const Trajectory& t) { return candidates.contains(std::string(t.id)); }),
          0);
      EXPECT_EQ(result.work.doubled, 20u);
      request.candidates = 1000;
      expect_same(collection.search(queries_[q].points, request),
                  brute_force(queries_[q], 4, exact(), all), 0);
    }
  }
}

TEST_F(StoreSearch, Filters) {
  const Collection collection = make(Measure::dtw);
  const Encoder encoder(model_);
  const Box box{300, 200, 2500, 2200};
  const auto inside = [&](const Trajectory& t) {
    return std::all_of(t.points.begin(), t.points.end(),
                       [&](const Position& p) { return box.contains(p); });
  };
  const auto timely = [](const Trajectory& t) {
    return t.has_times() && t.times.front() >= 20'000 && t.times.back() <= 90'000;
  };
  const std::vector<std::string> some{"t1", "t2", "t3", "t9", "u7", "nobody"};
  const auto is_some = [&](const Trajectory& t) {
    return std::count(some.begin(), some.end(), std::string(t.id)) > 0;
  };
  struct Case {
    SearchFilter filter;
    Filter expected;
  };
  std::vector<Case> cases(7);
  cases[0].filter.box = box;
  cases[0].expected = inside;
  cases[1].filter.times = {20'000, 90'000};
  cases[1].expected = timely;
  cases[2].filter.ids = some;
  cases[2].expected = is_some;
  cases[3].filter.excluded = some;
  cases[3].expected = [&](const Trajectory& t) { return !is_some(t); };
  cases[4].filter.box = box;
  cases[4].filter.times = {20'000, 90'000};
  cases[4].filter.excluded = some;
  cases[4].expected = [&](const Trajectory& t) { return inside(t) && timely(t) && !is_some(t); };
  cases[5].filter.ids = some;
  cases[5].filter.box = box;
  cases[5].expected = [&](const Trajectory& t) { return is_some(t) && inside(t); };
  cases[6].filter.ids = std::vector<std::string>{};
  cases[6].expected = [](const Trajectory&) { return false; };
  for (const Case& c : cases) {
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      SearchRequest request;
      request.filter = c.filter;
      request.mode = SearchMode::exact;
      expect_same(collection.search(queries_[q].points, request),
                  brute_force(queries_[q], 10, exact(), c.expected), 0);
      request.mode = SearchMode::fast;
      expect_same(collection.search(queries_[q].points, request),
                  brute_force(queries_[q], 10, by_embedding(encoder), c.expected), 1e-4);
      request.mode = SearchMode::rerank;
      request.candidates = 1000;
      expect_same(collection.search(queries_[q].points, request),
                  brute_force(queries_[q], 10, exact(), c.expected), 0);
    }
  }
}

// What passed a filter is kept for the next search, and only for the very same one.
TEST_F(StoreSearch, AFilterIsNotTakenForTheOneBefore) {
  const Collection collection = make(Measure::dtw);
  SearchRequest request;
  request.mode = SearchMode::exact;
  const auto expect_answers = [&](const Filter& expected) {
    expect_same(collection.search(queries_[0].points, request),
                brute_force(queries_[0], 10, exact(), expected), 0);
  };
  const auto timely = [](std::int64_t from, std::int64_t to) {
    return [=](const Trajectory& t) {
      return t.has_times() && t.times.front() >= from && t.times.back() <= to;
    };
  };
  for (const std::int64_t end : {90'000, 40'000, 90'000}) {
    request.filter.times = {20'000, end};
    expect_answers(timely(20'000, end));
    expect_answers(timely(20'000, end));
  }
  request.filter.times.reset();
  for (const std::vector<std::string>& ids :
       {std::vector<std::string>{"t1"}, {"t2"}, {"t2", "t4"}}) {
    request.filter.ids = ids;
    expect_answers(
        [&](const Trajectory& t) { return std::count(ids.begin(), ids.end(), t.id) > 0; });
  }
}

// More trips pass the filter than are computed one by one.
TEST_F(StoreSearch, FiltersOfManyTrips) {
  data_ = small_trips(2500);
  const Collection collection = make(Measure::frechet);
  SearchRequest request;
  request.mode = SearchMode::exact;
  request.filter.box = Box{-1e9, -1e9, 1e9, 1e9};
  request.filter.excluded = {"t0", "t1"};
  const auto expected = [](const Trajectory& t) { return t.id != "t0" && t.id != "t1"; };
  const SearchResult result = collection.search(data_[0].points, request);
  expect_same(result, brute_force(data_[0], 10, exact(), expected), 0);
  EXPECT_LT(result.work.single + result.work.doubled, 2500u);
}

// What was read for exact search is brought up to date, in small steps and in large ones.
TEST_F(StoreSearch, ExactFollowsChanges) {
  Collection collection = make(Measure::frechet);
  SearchRequest request;
  request.mode = SearchMode::exact;
  request.k = 1;
  collection.search(queries_[0].points, request);
  collection.add(queries_);
  EXPECT_EQ(ids_of(collection.search(queries_[4].points, request)), std::vector<std::string>{"q4"});
  collection.remove(std::vector<std::string>{"q4"});
  EXPECT_NE(ids_of(collection.search(queries_[4].points, request)), std::vector<std::string>{"q4"});
  const Dataset many = small_trips(1500, "m", 8);
  collection.add(many);
  EXPECT_EQ(ids_of(collection.search(many[1400].points, request)),
            std::vector<std::string>{"m1400"});
  collection.compact();
  EXPECT_EQ(ids_of(collection.search(many[1400].points, request)),
            std::vector<std::string>{"m1400"});
}

TEST_F(StoreSearch, BadQueries) {
  const Collection collection = make(Measure::edwp);
  const std::vector<Position> nothing, one{{100, 100}}, odd{{0, 1}, {std::nan(""), 1}};
  for (const SearchMode mode : {SearchMode::fast, SearchMode::rerank, SearchMode::exact}) {
    SearchRequest request;
    request.mode = mode;
    expect_error(ErrorCode::bad_input, "no points", "",
                 [&] { collection.search(nothing, request); });
    expect_error(ErrorCode::bad_input, "not finite", "", [&] { collection.search(odd, request); });
    if (mode == SearchMode::fast) continue;
    expect_error(ErrorCode::bad_input, "", "", [&] { collection.search(one, request); });
  }
  expect_error(ErrorCode::usage, "unknown search mode 'slow'", "fast, rerank, exact",
               [] { search_mode_from("slow"); });
  EXPECT_EQ(search_mode_from("exact"), SearchMode::exact);
}

}  // namespace
}  // namespace tsmini
