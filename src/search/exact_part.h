// Trips laid out for exact search, whatever the measure, and the search among several such parts.
//
// A part is made of points in memory, or is a file that is mapped. The rows of a part rise, and all
// rows of the next part are above them. A search goes through the parts one after the other, and
// what it has found in one discards most of the next: four parts cost little more than one of their
// size.
//
//   ExactParts search(Measure::dtw, {}, parts, points_of_rows);
//   for (const RowDistance& d : search.nearest(query, 10, {}, {}, work, {})) use(d.row);
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "tsmini/exact_search.h"
#include "tsmini/heartbeat.h"
#include "tsmini/measure.h"
#include "tsmini/planar_set.h"

#include "measure/bounded_search.h"
#include "measure/search_tables.h"
#include "search/trip_source.h"

namespace tsmini {

class ExactPart {
 public:
  // The trajectories of `points` have these rows, which rise.
  ExactPart(std::span<const std::int64_t> rows, const PlanarSet& points);
  explicit ExactPart(std::shared_ptr<const SearchTablesFile> file);

  std::size_t size() const { return tables().size(); }
  const SearchTables& tables() const { return file_ ? file_->tables() : own_tables_; }
  std::int64_t row_at(std::size_t index) const { return rows()[index]; }
  // size() where it does not hold the row.
  std::size_t index_of(std::int64_t row) const;
  bool holds(std::int64_t row) const { return index_of(row) < size(); }

 private:
  const Array<std::int64_t>& rows() const { return file_ ? file_->rows() : own_rows_; }

  std::shared_ptr<const SearchTablesFile> file_;
  SearchTables own_tables_;  // where there is no file
  Array<std::int64_t> own_rows_;
};

class ExactParts final : public ExactTrips {
 public:
  using List = std::vector<std::shared_ptr<const ExactPart>>;
  // Puts the points of trips in double precision, in the space of the trips, into `points`, where
  // they stay until the next call.
  using PointsOf = std::function<void(std::span<const std::int64_t> rows,
                                      std::vector<std::span<const Planar>>& points)>;

  ExactParts(Measure measure, const MeasureSettings& settings, List parts, PointsOf points);

  bool has_bounds() const override;
  // These three throw DamagedFile where a part is a file that was altered.
  std::vector<RowDistance> nearest(std::span<const Planar> query, std::size_t k,
                                   const RowPredicate& allowed,
                                   std::span<const std::int64_t> likely, SearchWork& work,
                                   const Heartbeat& heartbeat) const override;
  std::vector<RowDistance> nearest_among(std::span<const Planar> query, std::size_t k,
                                         std::span<const std::int64_t> rows, SearchWork& work,
                                         const Heartbeat& heartbeat) const override;
  std::vector<RowDistance> within(std::span<const Planar> query, double radius,
                                  const RowPredicate& allowed, SearchWork& work,
                                  const Heartbeat& heartbeat) const override;

 private:
  using RequestOf = std::function<BoundedSearch::Request(const ExactPart&)>;

  std::vector<RowDistance> k_nearest(std::span<const Planar> query, std::size_t k,
                                     const RequestOf& request_of, double radius, SearchWork& work,
                                     const Heartbeat& heartbeat) const;
  SearchScope scope_of(const ExactPart& part, const RowPredicate& allowed) const;
  void search_part(std::size_t number, std::span<const Planar> query,
                   const BoundedSearch::Request& request, std::vector<RowDistance>& found,
                   SearchWork& work, const Heartbeat& heartbeat) const;

  Measure measure_;
  List parts_;
  PointsOf points_;
  std::vector<BoundedSearch> searches_;  // one a part
};

}  // namespace tsmini
