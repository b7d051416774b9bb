// A model with random weights of any settings, and trips in its box: for tests that need a model,
// but not one that has learned anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tsmini/model.h"

namespace tsmini {

// A planar box of 3 by 2.5 km. Nothing in it is 0 or 1 by chance, so that nothing hides.
Model random_model(const NetSettings& settings = {}, std::uint64_t seed = 1);

// A walk of so many points within the box.
std::vector<Position> random_trip(std::size_t points, std::uint64_t seed);
// Trips of these many points, planar, with the ids "trip 0", "trip 1", …
Dataset random_trips(const std::vector<std::size_t>& lengths, std::uint64_t seed = 1);
// The indices of so many trips, from 0 on.
std::vector<std::size_t> numbers(std::size_t count);

struct Variant {
  std::string name;
  NetSettings settings;
};
// Settings that differ from a base in one thing each.
class Variants {
 public:
  explicit Variants(const NetSettings& base) : base_(base) {}

  void add(const std::string& name, const std::function<void(NetSettings&)>& change);
  void add_usual();  // blocks, encoders and heads, which serving and training both have
  std::vector<Variant> take() { return std::move(all_); }

 private:
  NetSettings base_;
  std::vector<Variant> all_;
};
// One of each kind of setting that a network can have.
std::vector<Variant> net_variants();

}  // namespace tsmini
