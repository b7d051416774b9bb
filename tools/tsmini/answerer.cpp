#include "answerer.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/nth_smallest.h"
#include "base/stopwatch.h"
#include "base/utf8.h"
#include "common/write_in_order.h"

namespace tsmini::cli {

Answerer::Answerer(const Collection& collection, const Dataset& queries,
                   const SearchRequest& request, const NeighbourOptions& wanted,
                   const Progress& progress)
    : collection_(collection),
      queries_(queries),
      request_(request),
      skip_self_(wanted.skip_self),
      count_(queries.size()),
      heartbeat_(progress, count_) {}

void Answerer::run(AnswerWriter& writer) {
  write_in_order(
      count_,
      [&](std::size_t query) {
        SearchResult result = answer(query);
        AnsweredQuery answered{queries_[query], {}, result.estimated()};
        for (const Answer& answer : result.answers) {
          answered.answers.push_back({answer.trip.view(), answer.distance, answer.estimated});
        }
        std::string text = writer.text_of(answered);
        if (query == 0) first_ = std::move(result);
        return text;
      },
      [&](const std::string& text) { writer.add(text); });
}

double Answerer::quantile(double share) {
  if (times_.empty()) return 0;
  return nth_smallest(times_,
                      static_cast<std::size_t>(share * static_cast<double>(times_.size() - 1)));
}

SearchResult Answerer::answer(std::size_t query) {
  const Trajectory trip = queries_[query];
  SearchRequest request = request_;
  if (skip_self_) request.filter.excluded.emplace_back(trip.id);
  const Stopwatch watch;
  try {
    SearchResult result = collection_.search(trip.points, request, heartbeat_);
    add(result, watch.seconds());
    heartbeat_.advance(1);
    return result;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::interrupted) throw;
    throw error.with_message(fmt::format("query '{}': {}", printable(trip.id), error.what()));
  }
}

void Answerer::add(const SearchResult& result, double seconds) {
  const std::lock_guard lock(mutex_);
  work_ += result.work;
  scanned_ = scanned_ || result.scanned;
  answers_ += result.answers.size();
  if (result.mode == request_.mode) {
    candidates_ = std::max(candidates_, result.candidates);
    if (std::exchange(is_first_by_model_, false)) {
      expected_recall_ = result.expected_recall;
    } else {
      expected_recall_ = std::min(expected_recall_, result.expected_recall);  // none is the least
    }
  } else {
    ++unfit_;
  }
  times_.push_back(seconds);
}

}  // namespace tsmini::cli
