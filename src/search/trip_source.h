// What a search asks of the trips, wherever they are kept: answering.h is written against this and
// knows neither databases nor files.
//
// Trips are numbered by rows, rising in the order of adding; some numbers may be missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tsmini/encoder.h"
#include "tsmini/exact_search.h"
#include "tsmini/heartbeat.h"
#include "tsmini/judgement.h"
#include "tsmini/model.h"
#include "tsmini/search.h"
#include "tsmini/space.h"

#include "search/row_selection.h"

namespace tsmini {

struct RowDistance {
  std::int64_t row = 0;
  double distance = 0;

  // Orders by rising distance, ties to the lower row.
  friend bool operator<(const RowDistance& a, const RowDistance& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.row < b.row;
  }
};

// Exact search among all trips by one measure, in the space of the trips. Trips for which the
// measure is not defined (edwp: of one point) are not among them.
class ExactTrips {
 public:
  virtual ~ExactTrips() = default;

  // Whether lower bounds discard trips; otherwise every distance is computed.
  virtual bool has_bounds() const = 0;

  // The true k nearest of the rows that are allowed, in order. `likely` are rows to begin with: the
  // better they are, the less is left to compute.
  virtual std::vector<RowDistance> nearest(std::span<const Planar> query, std::size_t k,
                                           const RowPredicate& allowed,
                                           std::span<const std::int64_t> likely, SearchWork& work,
                                           const Heartbeat& heartbeat) const = 0;
  // The true k nearest of these rows, which all are there, in order.
  virtual std::vector<RowDistance> nearest_among(std::span<const Planar> query, std::size_t k,
                                                 std::span<const std::int64_t> rows,
                                                 SearchWork& work,
                                                 const Heartbeat& heartbeat) const = 0;
  // All within the radius of the rows that are allowed, in order.
  virtual std::vector<RowDistance> within(std::span<const Planar> query, double radius,
                                          const RowPredicate& allowed, SearchWork& work,
                                          const Heartbeat& heartbeat) const = 0;
};

// The trips as one model sees them.
class EmbeddedTrips {
 public:
  virtual ~EmbeddedTrips() = default;

  virtual const std::string& name() const = 0;
  virtual const Model& model() const = 0;
  virtual const Encoder& encoder() const = 0;
  // Whether it has seen every trip.
  virtual bool is_complete() const = 0;
  virtual std::size_t size() const = 0;  // embeddings
  // What it is worth among these trips; null where that was not measured.
  virtual const Judgement* judgement() const = 0;

  // The k nearest embeddings of the rows that are allowed, in order, with the distance of the
  // embeddings.
  virtual std::vector<RowDistance> nearest(std::span<const float> embedding, std::size_t k,
                                           const RowPredicate& allowed) const = 0;
  // Rows that the model cannot take, and that have no embedding, rising. Valid until the next
  // nearest().
  virtual std::span<const std::int64_t> unfit() const = 0;
};

class TripSource {
 public:
  using Models = std::vector<std::shared_ptr<const EmbeddedTrips>>;

  virtual ~TripSource() = default;

  virtual const Space& space() const = 0;
  virtual const Models& models() const = 0;  // in the order they were added
  virtual StoredTrip trip(std::int64_t row) const = 0;
  virtual std::vector<std::int64_t> rows() const = 0;  // of all trips, rising
  virtual RowSelection select(const SearchFilter& filter) const = 0;
  virtual std::shared_ptr<const ExactTrips> exact(Measure measure, const MeasureSettings& settings,
                                                  const Heartbeat& heartbeat) const = 0;
};

}  // namespace tsmini
