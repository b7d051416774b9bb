#include "tsmini/exact_search.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "tsmini/pair_engine.h"

#include "measure/bounded_search.h"
#include "measure/check.h"
#include "measure/search_tables.h"

namespace tsmini {
namespace {

SearchScope all_but(std::size_t excluded) {
  SearchScope scope;
  if (excluded != ExactSearch::nothing) {
    scope.allowed = [excluded](std::size_t i) { return i != excluded; };
  }
  return scope;
}

}  // namespace

class ExactSearch::Impl {
 public:
  Impl(Measure measure, const PlanarSet& base, const MeasureSettings& settings)
      : base_(base), tables_(SearchTables::of(base)), search_(measure, settings, tables_) {
    check_settings(measure, settings);
    for (std::size_t i = 0; i < base.size(); ++i) check_points(measure, base[i]);
  }

  bool has_bounds() const { return search_.has_bounds(); }

  std::vector<Neighbour> run(std::span<const Planar> query, const BoundedSearch::Request& request,
                             SearchWork* work, const Heartbeat& heartbeat) const {
    SearchWork ignored;
    const auto points = [&](std::span<const std::size_t> indices,
                            std::vector<std::span<const Planar>>& found) {
      for (std::size_t i = 0; i < indices.size(); ++i) found[i] = base_[indices[i]];
    };
    return search_.run(query, request, points, work != nullptr ? *work : ignored, heartbeat);
  }

 private:
  PlanarSet base_;
  SearchTables tables_;
  BoundedSearch search_;
};

ExactSearch::ExactSearch(Measure measure, const PlanarSet& base, const MeasureSettings& settings)
    : impl_(std::make_unique<const Impl>(measure, base, settings)) {}

ExactSearch::~ExactSearch() = default;
ExactSearch::ExactSearch(ExactSearch&&) noexcept = default;

bool ExactSearch::has_bounds() const {
  return impl_->has_bounds();
}

std::vector<Neighbour> ExactSearch::nearest(std::span<const Planar> query, std::size_t k,
                                            const SearchScope& scope, SearchWork* work,
                                            const Heartbeat& heartbeat) const {
  if (k == 0) return {};
  return impl_->run(query, {.k = k, .scope = scope}, work, heartbeat);
}

std::vector<Neighbour> ExactSearch::nearest(std::span<const Planar> query, std::size_t k,
                                            std::size_t excluded, SearchWork* work,
                                            const Heartbeat& heartbeat) const {
  return nearest(query, k, all_but(excluded), work, heartbeat);
}

std::vector<Neighbour> ExactSearch::within(std::span<const Planar> query, double radius,
                                           std::size_t excluded, SearchWork* work,
                                           const Heartbeat& heartbeat) const {
  return impl_->run(query, {.k = 0, .radius = radius, .scope = all_but(excluded)}, work, heartbeat);
}

std::vector<Neighbour> ExactSearch::nearest_within(std::span<const Planar> query, double radius,
                                                   std::size_t k, const SearchScope& scope,
                                                   SearchWork* work,
                                                   const Heartbeat& heartbeat) const {
  return impl_->run(query, {.k = k, .radius = radius, .scope = scope}, work, heartbeat);
}

std::vector<Neighbour> ExactSearch::some_within(std::span<const Planar> query, double radius,
                                                std::size_t k, const SearchScope& scope,
                                                SearchWork* work,
                                                const Heartbeat& heartbeat) const {
  if (k == 0) return {};
  return impl_->run(query, {.k = k, .radius = radius, .scope = scope, .any = true}, work,
                    heartbeat);
}

}  // namespace tsmini
