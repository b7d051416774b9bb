// The examples of private headers about distances and searches.
#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include <sqlite3.h>

#include "analyse/condensed_tree.h"
#include "analyse/disjoint_sets.h"
#include "analyse/piece_table.h"
#include "analyse/spanning_tree.h"
#include "analyse/trip_matches.h"
#include "examples/stand_ins.h"
#include "measure/bounded_search.h"
#include "measure/bounds.h"
#include "measure/frechet_continuous.h"
#include "measure/grid.h"
#include "measure/hull_levels.h"
#include "measure/lane_runner.h"
#include "measure/packed_set.h"
#include "measure/piece_bounds.h"
#include "measure/reach_bounds.h"
#include "measure/search_tables.h"
#include "model/architecture.h"
#include "score/distance_order.h"
#include "search/exact_part.h"
#include "search/judge.h"
#include "store/checked_pages.h"
#include "store/creation.h"
#include "store/read_connections.h"
#include "store/sqlite.h"

namespace tsmini::examples {

using TakeHull = std::function<void(ReachHulls& into, std::size_t lane, const ReachHulls& node,
                                    std::size_t lanes)>;
std::uint64_t count_trips(Database& database);

void condensed_tree_example(const std::vector<Join>& joins, std::size_t trips) {
#include "examples/analyse/condensed_tree.inc"
}

void disjoint_sets_example(std::size_t n) {
#include "examples/analyse/disjoint_sets.inc"
}

void piece_table_example(std::span<const Planar> piece, std::span<const Planar> trip) {
#include "examples/analyse/piece_table.inc"
}

void spanning_tree_example(const DistinctTrips& distinct, const Heartbeat& heartbeat) {
#include "examples/analyse/spanning_tree.inc"
}

void trip_matches_example(std::span<const Planar> piece, const FindOptions& options,
                          const PlanarSet& trips, double radius, Pulse& pulse) {
#include "examples/analyse/trip_matches.inc"
}

void bounded_search_example(const SearchTables& tables, std::span<const Planar> query,
                            const BoundedSearch::TruePoints& points, SearchWork& work) {
#include "examples/measure/bounded_search.inc"
}

void bounds_example(const SearchTables& tables, std::span<const Planar> query, float radius) {
#include "examples/measure/bounds.inc"
}

void frechet_continuous_example(std::span<const Planar> p, std::span<const Planar> q,
                                Pulse& pulse) {
#include "examples/measure/frechet_continuous.inc"
}

void grid_example(const PlanarSet& base) {
#include "examples/measure/grid.inc"
}

void hull_levels_example(const Array<ReachHulls>& first, std::size_t blocks,
                         const TakeHull& take_hull,
                         const std::function<void(const ReachHulls&)>& bound) {
#include "examples/measure/hull_levels.inc"
}

void lane_runner_example(const MeasureSettings& settings,
                         std::span<const std::span<const Planar>> trips,
                         std::span<const Planar> points, const Planar& origin,
                         const PackedQuery<float>& query, std::size_t g, Pulse& pulse,
                         const std::function<std::span<const Planar>(std::size_t)>& points_of) {
#include "examples/measure/lane_runner.inc"
}

void packed_set_example(std::span<const std::span<const Planar>> trips, const Planar& origin) {
#include "examples/measure/packed_set.inc"
}

void piece_bounds_example(const PlanarSet& trips, std::span<const Planar> piece) {
#include "examples/measure/piece_bounds.inc"
}

void search_tables_example(const PlanarSet& base, std::span<const std::int64_t> rows) {
#include "examples/measure/search_tables.inc"
}

void architecture_example(const NetSettings& settings) {
#include "examples/model/architecture.inc"
}

void nearer_example(std::vector<std::size_t>& order, const float* distances) {
#include "examples/score/distance_order.inc"
}

void exact_part_example(const ExactParts::List& parts, const ExactParts::PointsOf& points_of_rows,
                        std::span<const Planar> query, SearchWork& work) {
#include "examples/search/exact_part.inc"
}

void judge_example(const TripSource& trips, const EmbeddedTrips& model,
                   std::span<const Trajectory> queries, const Heartbeat& heartbeat) {
#include "examples/search/judge.inc"
}

void checked_pages_example(const char* name, sqlite3* handle, int flags, bool is_new) {
#include "examples/store/checked_pages.inc"
}

void creation_example(const std::filesystem::path& folder,
                      const std::function<void(const std::filesystem::path&)>& write) {
#include "examples/store/creation.inc"
}

void readers_example(const CollectionFolder& folder) {
#include "examples/store/read_connections.inc"
}

void sqlite_example(const std::filesystem::path& path) {
#include "examples/store/sqlite.inc"
}

}  // namespace tsmini::examples
