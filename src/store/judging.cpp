#include "store/judging.h"

#include <cstdint>

#include "tsmini/search.h"

#include "search/candidates.h"
#include "search/judge.h"
#include "store/index_record.h"
#include "store/judgement_record.h"

namespace tsmini {
namespace {

bool is_judging_due(const StoredModel& model, std::int64_t trips) {
  if (!model.is_complete() || model.size() <= few_to_rank) return false;
  const Judgement* judgement = model.judgement();
  return !judgement || 2 * static_cast<std::uint64_t>(trips) >= 3 * judgement->trips;
}

}  // namespace

void judge_models(const StoredTrips& trips, Database& database, const Progress& progress) {
  for (const auto& model : trips.stored_models()) {
    if (!is_judging_due(*model, trips.state().trips)) continue;
    const auto judgement = judge_model(
        trips, *model, static_cast<std::uint64_t>(trips.state().trips),
        spread_rows(trips.database(), model->number(), judged_rows), judging_limit, progress);
    if (!judgement) continue;
    Transaction writing(database, Transaction::Kind::write);
    // Another index has taken its place, or the model was removed.
    if (IndexRecord::read(database, Layout::current, model->number()).name !=
        model->view().index_name()) {
      continue;
    }
    write_judgement(database, model->number(), *judgement);
    count_change(database);
    writing.commit();
  }
}

}  // namespace tsmini
