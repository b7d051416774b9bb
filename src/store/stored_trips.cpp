#include "store/stored_trips.h"

#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "store/judgement_record.h"
#include "store/selection.h"

namespace tsmini {
std::vector<RowDistance> StoredModel::nearest(std::span<const float> embedding, std::size_t k,
                                              const RowPredicate& allowed) const {
  try {
    return view().nearest(embedding, k, allowed);
  } catch (const DamagedFile& damage) {
    view_ = memory_.embeddings.without_index(*loaded_, lease_, layout_, view(), damage);
    return view().nearest(embedding, k, allowed);
  }
}

const Judgement* StoredModel::judgement() const {
  if (!std::exchange(has_judgement_read_, true)) {
    try {
      judgement_ = read_judgement(*lease_, layout_, loaded_->number);
    } catch (const DamagedFile& error) {
      memory_.embeddings.add_note(
          fmt::format("{}; searches go on without it ({})", error.what(), error.hint()));
    }
  }
  return judgement_ ? &*judgement_ : nullptr;
}

StoredTrips::StoredTrips(StoreMemory& memory, const Readers::Lease& lease)
    : memory_(memory),
      lease_(lease),
      layout_(layout_of(*lease)),
      state_(CollectionState::read(*lease)),
      records_(ModelRecord::read_all(*lease, layout_)) {
  const LoadedModels::List loaded = memory.models->get(records_, memory.readers);
  memory.embeddings.keep_only(loaded);
  for (std::size_t i = 0; i < loaded.size(); ++i) {
    stored_.push_back(
        std::make_shared<const StoredModel>(memory, lease, layout_, loaded[i], records_[i].embedded,
                                            records_[i].is_complete(state_.next_row)));
    models_.push_back(stored_.back());
  }
}

StoredTrip StoredTrips::trip(std::int64_t row) const {
  return read_trip(*lease_, layout_, row);
}

RowSelection StoredTrips::select(const SearchFilter& filter) const {
  return select_rows(*lease_, filter);
}

std::shared_ptr<const ExactTrips> StoredTrips::exact(Measure measure,
                                                     const MeasureSettings& settings,
                                                     const Heartbeat& heartbeat) const {
  return memory_.exact.get({memory_.space, measure, settings}, lease_, layout_, state_, heartbeat);
}

}  // namespace tsmini
