#include "search/candidates.h"

#include <algorithm>

#include "tsmini/search.h"

namespace tsmini {
namespace {

// Candidates there can be.
std::size_t most_candidates(const EmbeddedTrips& model, std::optional<std::size_t> passing) {
  return std::min(model.size(), passing.value_or(model.size()));
}

}  // namespace

std::size_t candidates_for(const SearchRequest& request, const EmbeddedTrips& model,
                           std::optional<std::size_t> passing) {
  const std::size_t k = request.k, all = most_candidates(model, passing);
  if (request.candidates > 0) return std::max(k, request.candidates);
  if (all <= few_to_rank) return std::max(k, all);
  if (request.recall == 1) return std::max(k, all);
  const Judgement* judgement = model.judgement();
  return judgement ? judgement->candidates_for(k, request.recall) : 5 * k;
}

std::optional<double> recall_of(const EmbeddedTrips& model, std::size_t k, std::size_t candidates,
                                std::optional<std::size_t> passing) {
  if (candidates >= most_candidates(model, passing)) return 1;
  const Judgement* judgement = model.judgement();
  if (passing || !judgement) return std::nullopt;
  return judgement->recall_at(k, candidates);
}

}  // namespace tsmini
