#include "search/exact_part.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tsmini {

ExactPart::ExactPart(std::span<const std::int64_t> rows, const PlanarSet& points)
    : own_tables_(SearchTables::of(points)) {
  std::copy(rows.begin(), rows.end(), own_rows_.grow(rows.size()));
}

ExactPart::ExactPart(std::shared_ptr<const SearchTablesFile> file) : file_(std::move(file)) {}

// Looks at few of the rows: those of a file are read where they are looked at.
std::size_t ExactPart::index_of(std::int64_t row) const {
  std::size_t first = 0, last = size();
  while (first < last) {
    const std::size_t middle = first + (last - first) / 2;
    if (row_at(middle) < row) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first < size() && row_at(first) == row ? first : size();
}

ExactParts::ExactParts(Measure measure, const MeasureSettings& settings, List parts,
                       PointsOf points)
    : measure_(measure), parts_(std::move(parts)), points_(std::move(points)) {
  searches_.reserve(parts_.size());
  for (const auto& part : parts_) searches_.emplace_back(measure, settings, part->tables());
}

bool ExactParts::has_bounds() const {
  return std::all_of(searches_.begin(), searches_.end(),
                     [](const BoundedSearch& search) { return search.has_bounds(); });
}

SearchScope ExactParts::scope_of(const ExactPart& part, const RowPredicate& allowed) const {
  SearchScope scope;
  if (!is_defined(measure_, 1)) {
    scope.allowed = [&](std::size_t index) {
      const SearchTables& tables = part.tables();
      return is_defined(measure_, tables.length_at(tables.places[index])) &&
             (!allowed || allowed(part.row_at(index)));
    };
  } else if (allowed) {
    scope.allowed = [&](std::size_t index) { return allowed(part.row_at(index)); };
  }
  return scope;
}

void ExactParts::search_part(std::size_t number, std::span<const Planar> query,
                             const BoundedSearch::Request& request, std::vector<RowDistance>& found,
                             SearchWork& work, const Heartbeat& heartbeat) const {
  const ExactPart& part = *parts_[number];
  std::vector<std::int64_t> rows;
  const auto points = [&](std::span<const std::size_t> indices,
                          std::vector<std::span<const Planar>>& into) {
    rows.clear();
    for (const std::size_t index : indices) rows.push_back(part.row_at(index));
    points_(rows, into);
  };
  for (const Neighbour& n : searches_[number].run(query, request, points, work, heartbeat)) {
    found.push_back({part.row_at(n.index), n.distance});
  }
}

// Part by part; nothing beyond `radius` is an answer.
std::vector<RowDistance> ExactParts::k_nearest(std::span<const Planar> query, std::size_t k,
                                               const RequestOf& request_of, double radius,
                                               SearchWork& work, const Heartbeat& heartbeat) const {
  std::vector<RowDistance> found;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    BoundedSearch::Request request = request_of(*parts_[i]);
    request.k = k;
    request.radius = radius;
    search_part(i, query, request, found, work, heartbeat);
    std::sort(found.begin(), found.end());
    found.resize(std::min(found.size(), k));
    // Where two are equally far the lower row is the answer, and the next part has higher ones.
    if (found.size() == k) {
      radius = std::nextafter(found.back().distance, -std::numeric_limits<double>::infinity());
    }
  }
  return found;
}

// What is likely, in whichever part, gives the radius to begin with.
std::vector<RowDistance> ExactParts::nearest(std::span<const Planar> query, std::size_t k,
                                             const RowPredicate& allowed,
                                             std::span<const std::int64_t> likely, SearchWork& work,
                                             const Heartbeat& heartbeat) const {
  double radius = std::numeric_limits<double>::infinity();
  if (likely.size() >= k) {
    const auto guess = nearest_among(query, k, likely, work, heartbeat);
    if (guess.size() == k) radius = guess.back().distance;
  }
  const auto request_of = [&](const ExactPart& part) {
    return BoundedSearch::Request{.scope = scope_of(part, allowed)};
  };
  return k_nearest(query, k, request_of, radius, work, heartbeat);
}

std::vector<RowDistance> ExactParts::nearest_among(std::span<const Planar> query, std::size_t k,
                                                   std::span<const std::int64_t> rows,
                                                   SearchWork& work,
                                                   const Heartbeat& heartbeat) const {
  std::vector<std::size_t> indices;
  const RowPredicate all;
  const auto request_of = [&](const ExactPart& part) {
    indices.clear();
    for (const std::int64_t row : rows) {
      const std::size_t index = part.index_of(row);
      if (index < part.size()) indices.push_back(index);
    }
    BoundedSearch::Request request{.scope = scope_of(part, all), .only_candidates = true};
    request.scope.candidates = indices;
    return request;
  };
  return k_nearest(query, k, request_of, std::numeric_limits<double>::infinity(), work, heartbeat);
}

std::vector<RowDistance> ExactParts::within(std::span<const Planar> query, double radius,
                                            const RowPredicate& allowed, SearchWork& work,
                                            const Heartbeat& heartbeat) const {
  std::vector<RowDistance> found;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    search_part(i, query, {.k = 0, .radius = radius, .scope = scope_of(*parts_[i], allowed)}, found,
                work, heartbeat);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace tsmini
