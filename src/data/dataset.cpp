#include "tsmini/dataset.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/enum_names.h"
#include "base/utf8.h"
#include "data/attribute_collector.h"
#include "data/attribute_section.h"
#include "data/dataset_storage.h"
#include "data/tsd_format.h"

namespace tsmini {

std::string_view name_of(Part part) {
  return name_in(part_names, part);
}

std::string_view name_of(Coordinates coordinates) {
  constexpr std::array<std::string_view, 2> names{"degrees", "planar"};
  return name_in(names, coordinates);
}

Dataset::Dataset() : Dataset(DatasetBuilder().finish()) {}

Dataset::Dataset(std::shared_ptr<const Storage> storage) : storage_(std::move(storage)) {}

std::size_t Dataset::size() const {
  return storage_->size;
}

std::uint64_t Dataset::point_count() const {
  return storage_->point_count;
}

const DatasetInfo& Dataset::info() const {
  return storage_->info;
}

Trajectory Dataset::operator[](std::size_t index) const {
  assert(index < size());
  const auto offsets = storage_->offsets.get();
  const auto id_offsets = storage_->id_offsets.get();
  const std::uint64_t begin = offsets[index], count = offsets[index + 1] - begin;
  const std::uint64_t id_begin = id_offsets[index], id_size = id_offsets[index + 1] - id_begin;
  Trajectory result;
  result.id = {storage_->ids.get().data() + id_begin, id_size};
  result.points = storage_->points.get().subspan(begin, count);
  const auto times = storage_->times.get();
  if (!times.empty() && count > 0 && times[begin] != tsd::no_time) {
    result.times = times.subspan(begin, count);
  }
  return result;
}

Part Dataset::part(std::size_t index) const {
  assert(index < size());
  const auto parts = storage_->parts.get();
  return parts.empty() ? Part::none : parts[index];
}

std::span<const AttributeColumn> Dataset::attributes() const {
  return storage_->attributes.get();
}

const AttributeColumn* Dataset::attribute(std::string_view name) const {
  const auto columns = attributes();
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const AttributeColumn& c) { return c.name() == name; });
  return found == columns.end() ? nullptr : &*found;
}

std::vector<Attribute> attributes_of(const Dataset& data, std::size_t index) {
  std::vector<Attribute> attributes;
  attributes.reserve(data.attributes().size());
  for (const AttributeColumn& column : data.attributes()) {
    attributes.push_back({column.name(), column[index]});
  }
  return attributes;
}

std::span<const std::uint64_t> Dataset::offsets() const {
  return storage_->offsets.get();
}

std::span<const Position> Dataset::points() const {
  return storage_->points.get();
}

std::vector<std::size_t> Dataset::indices_of(Part part) const {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < size(); ++i) {
    if (this->part(i) == part) result.push_back(i);
  }
  return result;
}

void Dataset::verify() const {
  for (std::size_t i = 0; i < size(); ++i) {
    const Trajectory t = (*this)[i];
    part(i);
    const auto fail = [&](std::string_view what) {
      throw Error(
          ErrorCode::bad_input,
          fmt::format("{}: trajectory {} ('{}') {}", storage_->name, i, printable(t.id), what),
          "make the file again from its source");
    };
    if (!is_utf8(t.id)) fail("has an id that is not UTF-8");
    for (const Position& p : t.points) {
      if (!std::isfinite(p.lon) || !std::isfinite(p.lat)) fail("has a point that is not finite");
      if (!info().extent.contains(p)) fail("has a point outside the extent of the data set");
    }
    if (!std::is_sorted(t.times.begin(), t.times.end())) fail("has times that go backwards");
  }
  verify_columns(attributes(), size(), storage_->name);
}

struct DatasetBuilder::State {
  std::shared_ptr<Dataset::Storage> storage = std::make_shared<Dataset::Storage>();
  Box extent = Box::empty();
  AttributeCollector attributes;
  bool has_times = false;
  bool has_split = false;
};

DatasetBuilder::DatasetBuilder(Coordinates coordinates) : state_(std::make_unique<State>()) {
  state_->storage->info.coordinates = coordinates;
}

DatasetBuilder::~DatasetBuilder() = default;

void DatasetBuilder::add(const Trajectory& trajectory, Part part,
                         std::span<const Attribute> attributes) {
  assert(trajectory.times.empty() || trajectory.times.size() == trajectory.points.size());
  state_->attributes.add(trajectory, attributes);
  Dataset::Storage::Owned& owned = state_->storage->owned;
  const std::size_t points_before = owned.points.size();
  owned.points.insert(owned.points.end(), trajectory.points.begin(), trajectory.points.end());
  for (const Position& p : trajectory.points) state_->extent.add(p);
  if (trajectory.has_times()) {
    state_->has_times = true;
    owned.times.resize(points_before, tsd::no_time);
    owned.times.insert(owned.times.end(), trajectory.times.begin(), trajectory.times.end());
  } else if (state_->has_times) {
    owned.times.resize(owned.points.size(), tsd::no_time);
  }
  owned.ids += trajectory.id;
  owned.offsets.push_back(owned.points.size());
  owned.id_offsets.push_back(owned.ids.size());
  owned.parts.push_back(part);
  state_->has_split |= part != Part::none;
}

Dataset DatasetBuilder::finish(std::string provenance) {
  const std::shared_ptr<Dataset::Storage> storage = state_->storage;
  Dataset::Storage::Owned& owned = storage->owned;
  if (!state_->has_split) owned.parts.clear();
  storage->size = owned.offsets.size() - 1;
  storage->point_count = owned.points.size();
  storage->info.extent = owned.points.empty() ? Box{} : state_->extent;
  storage->info.has_times = state_->has_times;
  storage->info.has_split = state_->has_split;
  storage->info.provenance = std::move(provenance);
  storage->offsets.set(owned.offsets);
  storage->points.set(owned.points);
  storage->times.set(owned.times);
  storage->id_offsets.set(owned.id_offsets);
  storage->ids.set(owned.ids);
  storage->parts.set(owned.parts);
  if (state_->attributes.any()) {
    std::vector<std::byte>& bytes = owned.attribute_bytes;
    state_->attributes.write(
        [&](auto piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
    storage->attribute_bytes.set(bytes);
    storage->attributes.set(columns_of(*storage));
  }
  state_ = std::make_unique<State>();
  return Dataset(storage);
}

}  // namespace tsmini
