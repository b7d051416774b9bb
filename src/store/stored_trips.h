// A collection as a search sees it: what one read transaction shows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "search/trip_source.h"
#include "store/embedding_view.h"
#include "store/exact_view.h"
#include "store/loaded_models.h"
#include "store/read_connections.h"
#include "store/records.h"
#include "store/selection.h"

namespace tsmini {

// What is kept in memory between transactions.
struct StoreMemory {
  Space space;
  Readers& readers;
  std::unique_ptr<LoadedModels> models;
  EmbeddingViews embeddings;
  ExactViews exact;
  RecentSelection selection = {};

  std::vector<std::string> notes() const;
};

// A model of the transaction. One thread at a time.
class StoredModel final : public EmbeddedTrips {
 public:
  StoredModel(StoreMemory& memory, const Readers::Lease& lease, Layout layout,
              std::shared_ptr<const LoadedModel> loaded, std::int64_t embedded, bool is_complete)
      : memory_(memory),
        lease_(lease),
        layout_(layout),
        loaded_(std::move(loaded)),
        embedded_(embedded),
        is_complete_(is_complete) {}

  const std::string& name() const override { return loaded_->name; }
  const Model& model() const override { return loaded_->model; }
  const Encoder& encoder() const override { return loaded_->encoder; }
  bool is_complete() const override { return is_complete_; }
  std::size_t size() const override { return view().size(); }
  // An altered one is none, and a note says so.
  const Judgement* judgement() const override;
  std::span<const std::int64_t> unfit() const override { return view().unfit(); }
  std::vector<RowDistance> nearest(std::span<const float> embedding, std::size_t k,
                                   const RowPredicate& allowed) const override;

  std::int64_t number() const { return loaded_->number; }
  std::shared_ptr<const Model> shared_model() const { return {loaded_, &loaded_->model}; }
  // Throws Outdated the first time.
  const EmbeddingView& view() const {
    if (!view_) view_ = memory_.embeddings.get(*loaded_, embedded_, lease_, layout_);
    return *view_;
  }

 private:
  StoreMemory& memory_;
  const Readers::Lease& lease_;
  Layout layout_;
  std::shared_ptr<const LoadedModel> loaded_;
  std::int64_t embedded_;
  bool is_complete_;
  mutable std::shared_ptr<const EmbeddingView> view_;
  mutable bool has_judgement_read_ = false;
  mutable std::optional<Judgement> judgement_;
};

class StoredTrips final : public TripSource {
 public:
  // Throws Outdated where a model went while the transaction began. Both must live as long.
  StoredTrips(StoreMemory& memory, const Readers::Lease& lease);

  Database& database() const { return *lease_; }
  const CollectionState& state() const { return state_; }
  const std::vector<std::shared_ptr<const StoredModel>>& stored_models() const { return stored_; }

  const Space& space() const override { return memory_.space; }
  const Models& models() const override { return models_; }
  StoredTrip trip(std::int64_t row) const override;
  std::vector<std::int64_t> rows() const override;
  RowSelection select(const SearchFilter& filter) const override;
  std::shared_ptr<const ExactTrips> exact(Measure measure, const MeasureSettings& settings,
                                          const Heartbeat& heartbeat) const override;

 private:
  StoreMemory& memory_;
  const Readers::Lease& lease_;
  Layout layout_;
  CollectionState state_;
  std::vector<std::shared_ptr<const StoredModel>> stored_;
  Models models_;  // the same
};

}  // namespace tsmini
