// A set of trajectories, in memory or in a .tsd file.
//
// The layout is ragged: all points in one array, and offsets that say where each trajectory begins
// (Arrow's list layout). A data set is immutable and shared: copying one copies a pointer, and any
// number of threads may read it. Opening a file maps it and reads only its header, whatever its
// size; each section's checksum is verified when the section is first used, so an altered file is
// refused (Error, bad_input) before a wrong number leaves it.
//
//   Dataset data = Dataset::open("porto.tsd");
//   for (std::size_t i = 0; i < data.size(); ++i) {
//     Trajectory t = data[i];
//     std::cout << t.id << ' ' << t.points.size() << '\n';
//   }
//
// To make one: DatasetBuilder in memory, DatasetWriter (data set of any size) into a file.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tsmini/attributes.h"
#include "tsmini/trajectory.h"

namespace tsmini {

// Which part of an experiment a trajectory belongs to.
enum class Part : std::uint8_t { none = 0, train = 1, validation = 2, test = 3 };
inline constexpr std::array<std::string_view, 4> part_names{"none", "train", "validation", "test"};
std::string_view name_of(Part part);

enum class Coordinates : std::uint8_t { degrees, planar };
std::string_view name_of(Coordinates coordinates);

// What is known of a whole data set besides its trajectories.
struct DatasetInfo {
  Coordinates coordinates = Coordinates::degrees;
  Box extent;              // of all points; all zero where there are none
  bool has_times = false;  // at least one trajectory has times
  bool has_split = false;  // at least one trajectory carries a part
  std::string provenance;  // JSON: where it came from and what was dropped
};

class Dataset {
 public:
  Dataset();  // empty

  // Throws Error(bad_input) where the file is missing, not a .tsd, cut short or of a newer version.
  static Dataset open(const std::filesystem::path& path);

  std::size_t size() const;
  std::uint64_t point_count() const;
  const DatasetInfo& info() const;

  Trajectory operator[](std::size_t index) const;
  Part part(std::size_t index) const;

  // What is known of the trips besides: columns in the order in which they first came.
  std::span<const AttributeColumn> attributes() const;
  // The column of that name; null where there is none.
  const AttributeColumn* attribute(std::string_view name) const;

  // The arrays themselves: offsets has size() + 1 entries.
  std::span<const std::uint64_t> offsets() const;
  std::span<const Position> points() const;

  // Indices of the trajectories of one part, in order.
  std::vector<std::size_t> indices_of(Part part) const;

  // Verifies every section now: checksums, offsets, finite points, ordered times, UTF-8 ids.
  void verify() const;

  class Storage;
  explicit Dataset(std::shared_ptr<const Storage> storage);

 private:
  std::shared_ptr<const Storage> storage_;
};

// All attributes of one trajectory, in the order of columns, also those that it has no value of: as
// add() below takes them.
std::vector<Attribute> attributes_of(const Dataset& data, std::size_t index);

// Collects trajectories in memory. Linear; about 24 bytes a point.
class DatasetBuilder {
 public:
  explicit DatasetBuilder(Coordinates coordinates = Coordinates::degrees);
  ~DatasetBuilder();

  // Copies the trajectory. Points must be finite, times absent or one per point and ordered.
  void add(const Trajectory& trajectory, Part part = Part::none,
           std::span<const Attribute> attributes = {});
  Dataset finish(std::string provenance = "{}");

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Streams trajectories into a .tsd file of any size; memory does not grow with it. The file appears
// under its name only when finish() returns; without it, or after an exception, nothing is left.
class DatasetWriter {
 public:
  explicit DatasetWriter(const std::filesystem::path& path,
                         Coordinates coordinates = Coordinates::degrees);
  ~DatasetWriter();

  void add(const Trajectory& trajectory, std::span<const Attribute> attributes = {});
  std::uint64_t size() const;

  // `parts`: one per trajectory, or empty for no split.
  void finish(std::span<const Part> parts = {}, std::string_view provenance = "{}");

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tsmini
