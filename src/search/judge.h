// Compares what a model finds with the truth, query by query, among the trips that it serves and by
// the index that serves them.
//
//   Judge judge(trips, model, heartbeat);
//   for (const Trajectory& query : queries) judge.add(query.points);
//   const double hr10 = judge.recall().at(10, 10);
//
// A query costs an exact search of the 50 nearest, searches by embedding for growing numbers of
// candidates, and 60 distances. One thread.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tsmini/heartbeat.h"
#include "tsmini/judgement.h"
#include "tsmini/progress.h"

#include "search/request_plan.h"
#include "search/trip_source.h"

namespace tsmini {

class Judge {
 public:
  // Makes ready for exact search. Both must live as long.
  Judge(const TripSource& trips, const EmbeddedTrips& model, const Heartbeat& heartbeat);

  // `self`: the row of the query, which is no answer to it. False, and nothing happens, where the
  // model or the measure cannot take the query.
  bool add(std::span<const Position> query, std::optional<std::int64_t> self = {});

  std::uint64_t queries() const { return queries_; }
  // The curve. Up to 500 candidates are as searches for just so many find them, with what the
  // index loses at that `ef`; more are as a search for 5,000 finds them. Trips without an embedding
  // are always found.
  RecallCurve recall() const;
  // Pairs of each query with the ten nearest by embedding: what `fast` would answer.
  const std::vector<DistancePair>& ten_nearest() const { return ten_nearest_; }
  // Fitted to pairs of each query with the 50 nearest by embedding, and with up to ten of the
  // queries before it that are trips, for what is farther.
  DistanceMap distances() const { return DistanceMap::fit(pairs_); }

 private:
  struct Query;

  std::vector<RowDistance> nearest_embedded(const Query& query, std::size_t k) const;
  void count_found(const Query& query, std::span<const RowDistance> truth);
  void add_pairs(const Query& query, std::span<const RowDistance> near);
  void add_far_pairs(const Query& query);

  const TripSource& trips_;
  const EmbeddedTrips& model_;
  Heartbeat heartbeat_;
  ChosenMeasure chosen_;
  std::shared_ptr<const ExactTrips> exact_;
  std::uint64_t queries_ = 0;
  RecallCurve::Shares sums_{};  // over the queries
  std::vector<DistancePair> ten_nearest_, pairs_;
  struct Earlier {
    std::int64_t row;
    std::vector<float> embedding;
  };
  std::vector<Earlier> earlier_;  // queries that are trips
};

// Judges a model by trips of `rows` as queries, in an order of which every beginning is spread over
// all of them. It ends at the limit, or at twice the limit where there were fewer than 30 queries
// by then; making ready for exact search does not count. None where there are fewer than 30 in the
// end, or fewer than rows where these are fewer still. `size`: trips in all. Progress counts rows.
std::optional<Judgement> judge_model(const TripSource& trips, const EmbeddedTrips& model,
                                     std::uint64_t size, std::span<const std::int64_t> rows,
                                     std::chrono::duration<double> limit, const Progress& progress);

// How many rows that should be, and how long it may take.
inline constexpr std::size_t judged_rows = 200;
inline constexpr std::chrono::duration<double> judging_limit{20};

}  // namespace tsmini
