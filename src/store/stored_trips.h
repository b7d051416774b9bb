// A collection as a search sees it: what one read transaction shows.
#pragma once

#include <functional>
#include <memory>

#include "search/trip_source.h"
#include "store/embedding_view.h"
#include "store/sqlite.h"

namespace tsmini {

class StoredTrips final : public TripSource, private EmbeddedTrips {
 public:
  // Reads everything the first time.
  using ExactReader = std::function<std::shared_ptr<const ExactTrips>()>;

  // All of which must live as long. The transaction of `database` is that of the view.
  StoredTrips(const Model& model, const Encoder& encoder, Database& database,
              const EmbeddingView& view, ExactReader exact)
      : model_(model), encoder_(encoder), database_(database), view_(view), exact_(exact) {}

  const Space& space() const override { return model_.space; }
  StoredTrip trip(std::int64_t row) const override;
  RowSelection select(const SearchFilter& filter) const override;
  const EmbeddedTrips& embedded() const override { return *this; }
  std::shared_ptr<const ExactTrips> exact(Measure, const MeasureSettings&,
                                          const Heartbeat&) const override {
    return exact_();
  }

 private:
  const Model& model() const override { return model_; }
  const Encoder& encoder() const override { return encoder_; }
  std::vector<RowDistance> nearest(std::span<const float> embedding, std::size_t k,
                                   const RowPredicate& allowed) const override {
    return view_.nearest(embedding, k, allowed);
  }

  const Model& model_;
  const Encoder& encoder_;
  Database& database_;
  const EmbeddingView& view_;
  ExactReader exact_;
};

}  // namespace tsmini
