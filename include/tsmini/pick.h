// Some of the trajectories of a data set: by id, part, box, attributes, and only the first so many.
//
//   Picking picking;
//   picking.box = Box{-8.65, 41.14, -8.58, 41.18};
//   picking.where.push_back(condition_from("taxi=17"));
//   for (std::size_t i : pick(data, picking)) use(data[i]);
//
// What is not given does not restrict; all that is given must hold. Linear in the data set, whose
// points are looked at only for a box.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tsmini/dataset.h"
#include "tsmini/where.h"

namespace tsmini {

struct Picking {
  std::vector<std::string> ids = {};  // one of these, where there are any; all that carry it
  std::optional<Part> part = {};
  std::optional<Box> box = {};            // every point inside
  std::vector<Condition> where = {};      // all hold
  std::optional<std::size_t> limit = {};  // the first so many of what is left

  bool is_everything() const;
};

// The indices of the trajectories that a picking lets pass, rising. Throws Error(bad_input) for an
// id that is not there and a condition on a column that the data set does not have; it names what
// there is.
std::vector<std::size_t> pick(const Dataset& data, const Picking& picking);

// A data set in memory of these trajectories, in this order, with parts and attributes.
Dataset subset(const Dataset& data, std::span<const std::size_t> indices);

}  // namespace tsmini
