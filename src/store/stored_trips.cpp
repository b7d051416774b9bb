#include "store/stored_trips.h"

#include <cstddef>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "search/exact_part.h"
#include "store/attribute_records.h"
#include "store/judgement_record.h"
#include "store/selection.h"

namespace tsmini {
namespace {

// The points of trips in the database, in its space.
class PointsOfRows {
 public:
  PointsOfRows(const Space& space, Database& database, Layout layout)
      : space_(space), database_(database), layout_(layout) {}

  void operator()(std::span<const std::int64_t> rows,
                  std::vector<std::span<const Planar>>& points) {
    planar_.clear();
    std::vector<std::size_t> ends;
    for (const std::int64_t row : rows) {
      for (const Position& p : read_trip(database_, layout_, row).points) {
        planar_.push_back(space_.project(p));
      }
      ends.push_back(planar_.size());
    }
    std::size_t begin = 0;
    for (std::size_t i = 0; i < rows.size(); begin = ends[i++]) {
      points[i] = std::span(planar_).subspan(begin, ends[i] - begin);
    }
  }

 private:
  const Space& space_;
  Database& database_;
  Layout layout_;
  std::vector<Planar> planar_;
};

// Exact search in one transaction. One thread at a time.
class StoredExact final : public ExactTrips {
 public:
  StoredExact(StoreMemory& memory, const Readers::Lease& lease, Layout layout,
              const CollectionState& state, Measure measure, const MeasureSettings& settings,
              const Heartbeat& heartbeat)
      : memory_(memory), lease_(lease), layout_(layout), measure_(measure), settings_(settings) {
    take(memory.exact.get(lease, layout, state, heartbeat));
  }

  bool has_bounds() const override { return parts_->has_bounds(); }

  std::vector<RowDistance> nearest(std::span<const Planar> query, std::size_t k,
                                   const RowPredicate& allowed,
                                   std::span<const std::int64_t> likely, SearchWork& work,
                                   const Heartbeat& heartbeat) const override {
    return on_sound_files(heartbeat, [&] {
      return parts_->nearest(query, k, view_->present(allowed), likely, work, heartbeat);
    });
  }

  std::vector<RowDistance> nearest_among(std::span<const Planar> query, std::size_t k,
                                         std::span<const std::int64_t> rows, SearchWork& work,
                                         const Heartbeat& heartbeat) const override {
    return on_sound_files(heartbeat,
                          [&] { return parts_->nearest_among(query, k, rows, work, heartbeat); });
  }

  std::vector<RowDistance> within(std::span<const Planar> query, double radius,
                                  const RowPredicate& allowed, SearchWork& work,
                                  const Heartbeat& heartbeat) const override {
    return on_sound_files(heartbeat, [&] {
      return parts_->within(query, radius, view_->present(allowed), work, heartbeat);
    });
  }

 private:
  template <class Work>
  std::vector<RowDistance> on_sound_files(const Heartbeat& heartbeat, const Work& work) const {
    try {
      return work();
    } catch (const DamagedFile&) {
      take(memory_.exact.without_damage(lease_, layout_, *view_, heartbeat));
      return work();
    }
  }

  void take(std::shared_ptr<const ExactView> view) const {
    view_ = std::move(view);
    parts_.emplace(measure_, settings_, view_->parts(),
                   PointsOfRows(memory_.space, *lease_, layout_));
  }

  StoreMemory& memory_;
  const Readers::Lease& lease_;
  Layout layout_;
  Measure measure_;
  MeasureSettings settings_;
  mutable std::shared_ptr<const ExactView> view_;
  mutable std::optional<ExactParts> parts_;
};

}  // namespace

std::vector<std::string> StoreMemory::notes() const {
  std::vector<std::string> all = embeddings.notes();
  const std::vector<std::string> others = exact.notes();
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

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
      state_(CollectionState::read(*lease)) {
  const std::vector<ModelRecord> records = ModelRecord::read_all(*lease, layout_);
  std::vector<std::string> notes;
  const LoadedModels::List loaded = memory.models->get_present(records, memory.readers, notes);
  for (const std::string& note : notes) memory.embeddings.add_note(note);
  memory.embeddings.keep_only(loaded);
  for (std::size_t i = 0; i < loaded.size(); ++i) {
    if (!loaded[i]) continue;
    stored_.push_back(std::make_shared<const StoredModel>(memory, lease, layout_, loaded[i],
                                                          records[i].embedded,
                                                          records[i].is_complete(state_.next_row)));
    models_.push_back(stored_.back());
  }
}

StoredTrip StoredTrips::trip(std::int64_t row) const {
  StoredTrip trip = read_trip(*lease_, layout_, row);
  read_attributes(*lease_, layout_, trip);
  return trip;
}

std::vector<std::int64_t> StoredTrips::rows() const {
  return all_rows(*lease_);
}

RowSelection StoredTrips::select(const SearchFilter& filter) const {
  return memory_.selection.get(lease_, state_.change, filter);
}

std::shared_ptr<const ExactTrips> StoredTrips::exact(Measure measure,
                                                     const MeasureSettings& settings,
                                                     const Heartbeat& heartbeat) const {
  return std::make_shared<const StoredExact>(memory_, lease_, layout_, state_, measure, settings,
                                             heartbeat);
}

}  // namespace tsmini
