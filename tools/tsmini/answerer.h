// Answers queries on all cores, and keeps account of what it took.
//
//   Answerer answerer(collection, queries, request, wanted, progress);
//   answerer.run(writer);                       // in the order of the queries
//   console.say("{} distances", answerer.work().pairs);
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

#include "tsmini/collection.h"

#include "common/answers.h"
#include "common/neighbour_options.h"

namespace tsmini::cli {

class Answerer {
 public:
  // All that is given but `progress` must live as long.
  Answerer(const Collection& collection, const Dataset& queries, const SearchRequest& request,
           const NeighbourOptions& wanted, const Progress& progress);

  void run(AnswerWriter& writer);

  std::size_t count() const { return count_; }  // queries
  const SearchWork& work() const { return work_; }
  bool scanned() const { return scanned_; }
  // Queries that the model could not take, answered by exact in place of what was asked for.
  std::size_t unfit() const { return unfit_; }
  std::size_t answers() const { return answers_; }        // of all queries
  std::size_t candidates() const { return candidates_; }  // of a query, by embedding
  // The least of all queries; none where it is not known of one.
  const std::optional<double>& expected_recall() const { return expected_recall_; }
  const std::optional<SearchResult>& first() const { return first_; }
  // A quantile of the times of single queries, in seconds.
  double quantile(double share);

 private:
  SearchResult answer(std::size_t query);
  void add(const SearchResult& result, double seconds);

  const Collection& collection_;
  const Dataset& queries_;
  const SearchRequest& request_;
  bool skip_self_;
  std::size_t count_;
  Heartbeat heartbeat_;
  std::mutex mutex_;
  SearchWork work_;
  bool scanned_ = false;
  std::size_t unfit_ = 0;
  std::size_t answers_ = 0;
  std::size_t candidates_ = 0;
  bool is_first_by_model_ = true;
  std::optional<double> expected_recall_;
  std::vector<double> times_;
  std::optional<SearchResult> first_;
};

}  // namespace tsmini::cli
