// What exact search keeps of a base, whatever the measure: made once, in memory or mapped from a
// file.
//
// Trajectories that begin, pass and end at similar places stand together in blocks of 16; where one
// stands is its *place*. For every block there is what the bounds compare with a query (how far its
// trajectories reach: reach_bounds.h; boxes around stretches of them: box_bounds.h,
// stretch_bounds.h), for every 16 blocks their hulls, and hulls of these (hull_levels.h). The
// points themselves lie in the order of places, so that what is near each other is read together,
// relative to `origin` and in single precision: enough to tell who may be an answer. Some 300 bytes
// a trajectory and 8 a point.
//
//   const SearchTables tables = SearchTables::of(base);
//   SearchTablesFile::save("tables", tables, rows, "owner");
//   const SearchTablesFile file("tables");                        // reads what is used
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "tsmini/planar_set.h"

#include "base/array.h"
#include "base/section_file.h"
#include "measure/box_kernels.h"
#include "measure/hull_levels.h"
#include "measure/packed_set.h"
#include "measure/path_block.h"
#include "measure/reach_block.h"

namespace tsmini {

struct SearchTables {
  // The tables of all trajectories of a set. Linear in the points, but for a sort; on all cores,
  // and the same on any number of them.
  static SearchTables of(const PlanarSet& set);

  std::size_t size() const { return order.size(); }
  std::size_t blocks() const { return (size() + bound_lanes - 1) / bound_lanes; }
  std::size_t length_at(std::size_t place) const { return offsets[place + 1] - offsets[place]; }
  std::span<const SinglePoint> points_at(std::size_t place) const {
    return points.part(offsets[place], length_at(place));
  }

  // The boxes of what stands at a place, into a lane of others.
  void copy_stretches(std::size_t place, GridBoxes (&into)[stretches], std::size_t lane) const;

  // Made when first asked for, by any thread; what is asked again costs nothing.
  const HullLevels<ReachHulls>& reach_levels() const;
  const HullLevels<BoxBlock>& box_levels() const;
  const HullLevels<PathBlock>& path_levels() const;

  Planar origin;
  double extent = 0;        // the largest coordinate, relative to the origin
  std::size_t longest = 0;  // in points

  Array<std::uint32_t> order;    // which trajectory stands at a place
  Array<std::uint32_t> places;   // and where a trajectory stands
  Array<std::uint64_t> offsets;  // where the points of a place begin; one more than places
  Array<SinglePoint> points;
  Array<ReachBlock> reach;        // lanes after the last place repeat it
  Array<ReachHulls> reach_hulls;  // of 16 blocks
  Array<BoxBlock> boxes;
  Array<BoxBlock> box_hulls;
  Array<PathBlock> paths;
  Array<PathBlock> path_hulls;

 private:
  struct Levels;
  std::shared_ptr<Levels> levels_ = make_levels();

  static std::shared_ptr<Levels> make_levels();
};

// A file of tables, specified in docs/formats.md, with a number of its owner's for each trajectory.
class SearchTablesFile {
 public:
  // Throws Error(failure). `owner` has at most 64 bytes; `rows` rise.
  static void save(const std::filesystem::path& path, const SearchTables& tables,
                   std::span<const std::int64_t> rows, std::string_view owner);

  // Throws Error(bad_input) for a file that is cut, altered in its header, or makes no sense. What
  // is used of the rest is compared with its checksums first: DamagedFile.
  explicit SearchTablesFile(const std::filesystem::path& path);

  const std::string& owner() const { return owner_; }
  const SearchTables& tables() const { return tables_; }
  const Array<std::int64_t>& rows() const { return rows_; }
  // Reads all of it; throws Error(bad_input) also where numbers lead out of their sections.
  void verify() const;

 private:
  SectionReader file_;
  std::string owner_;
  SearchTables tables_;
  Array<std::int64_t> rows_;
};

}  // namespace tsmini
