// What is asked of trips that can be searched, and what comes back: the same for a collection on
// the disk (tsmini/collection.h) and a set in memory (tsmini/memory_trips.h).
//
//   SearchRequest request{.k = 5, .measure = Measure::dtw};
//   request.filter.box = Box{-8.65, 41.14, -8.58, 41.18};
//   for (const Answer& a : trips.search(query, request).answers) use(a.trip.id, a.distance);
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tsmini/dataset.h"
#include "tsmini/exact_search.h"
#include "tsmini/measure.h"
#include "tsmini/space.h"
#include "tsmini/trajectory.h"
#include "tsmini/where.h"

namespace tsmini {

// What an answer promises. A trip that the model cannot take (outside its box, say) is measured
// exactly in every mode, so that no answer misses it.
enum class SearchMode {
  fast,    // nearest by embedding; distances are estimates, but for trips without an embedding
  rerank,  // the best candidates by embedding, in the order of their exact distance
  exact,   // the true nearest, proven: always what computing every distance would give
};
inline constexpr std::array<std::string_view, 3> search_mode_names{"fast", "rerank", "exact"};
std::string_view name_of(SearchMode mode);
SearchMode search_mode_from(std::string_view name);  // throws Error(usage) that lists the names

// Among so many trips or fewer all are candidates: exact search answers as soon.
inline constexpr std::size_t few_to_rank = 1000;

// Which trips may be answers; what is not given does not restrict.
struct SearchFilter {
  using TimeWindow = std::pair<std::int64_t, std::int64_t>;

  std::optional<std::vector<std::string>> ids;  // one of these
  std::vector<std::string> excluded;            // none of these
  std::optional<Box> box;                       // every point inside
  std::optional<TimeWindow> times;              // begins and ends within; a trip needs times
  std::vector<Condition> where;                 // all hold, see tsmini/where.h
};

struct SearchRequest {
  std::size_t k = 10;
  // Where it is given, all at most so far away are the answers, not the k nearest; proven, as by
  // `exact`.
  std::optional<double> within = {};
  // The measure; where it is not given, that of the first model that has seen all trips, else
  // frechet.
  std::optional<Measure> measure = {};
  // The name of the model to use, and no other. Without it, the first that fits measure and
  // settings.
  std::string model = {};
  // The space of the distances; that of the trips where it is not given. In another one nothing is
  // laid out: every trip is read and measured, which takes seconds among a million. exact only.
  std::optional<Space> space = {};
  // The settings of the measure, in that space. Where they are not given, those of its first model;
  // the defaults where it has none, and in another space.
  std::optional<MeasureSettings> settings = {};
  // What answers promise; exact where it is not given. fast and rerank need a model of the measure.
  std::optional<SearchMode> mode = {};
  // rerank: the share of the true k nearest that should be among the answers, on the average over
  // queries such as the trips themselves; above 0 and at most 1. How many candidates that takes is
  // known from the model's judgement (tsmini/judgement.h); without one it is 5 k.
  double recall = 0.99;
  // How many come first by embedding, whatever the recall. 0: as many as that takes; for exact
  // none, as its bounds are quicker without.
  std::size_t candidates = 0;
  SearchFilter filter = {};
};

// A trip among those that are searched.
struct StoredTrip {
  std::uint64_t row = 0;  // counts from 0 in the order of adding; never used again
  std::string id;
  std::vector<Position> points;
  std::vector<std::int64_t> times;              // empty where it has none
  std::vector<OwnedAttribute> attributes = {};  // what is known besides; none in a query
  Part part = Part::none;                       // of a split; none in a query

  Trajectory view() const { return {id, points, times}; }
};

struct Answer {
  StoredTrip trip;
  double distance = 0;     // in the unit of the measure, see docs/measures.md
  bool estimated = false;  // a model's guess
};

struct SearchResult {
  std::vector<Answer> answers;  // by rising distance, ties in the order they were added
  SearchWork work;              // exact distances that it took
  // exact: there were no lower bounds (ExactSearch::has_bounds), or not in the space of the
  // request, so that every distance was computed.
  bool scanned = false;
  Measure measure = Measure::frechet;
  // The mode asked for, or exact in its place where the model cannot take the query.
  SearchMode mode = SearchMode::exact;

  // rerank: how many came first by embedding and were measured. All trips where there are few.
  std::size_t candidates = 0;
  // fast, rerank: the share of the true k nearest to expect among the answers. 1 where all that may
  // be answers are candidates. Otherwise none where the model was not judged among these trips, or
  // a filter other than `excluded` is set. For fast, none whenever the model cannot take more than
  // a hundredth of the trips: a judgement knows nothing of these.
  std::optional<double> expected_recall = {};

  // Whether distances are a model's guess, but for trips that it cannot take.
  bool estimated() const { return mode == SearchMode::fast; }
};

}  // namespace tsmini
