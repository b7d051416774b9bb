#include "tsmini/space.h"

#include <cmath>
#include <cstddef>
#include <numeric>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include "tsmini/error.h"

#include "base/enum_names.h"
#include "base/utf8.h"
#include "data/central_box.h"
#include "geo/local_transverse_mercator.h"
#include "geo/mercator.h"
#include "geo/transverse_mercator.h"

namespace tsmini {
namespace {

using Json = nlohmann::ordered_json;

// Count, means and sums of squared deviations: Welford's update and Chan's merge, both stable
// where the mean is much greater than the deviation, as it is in Mercator metres.
struct Moments {
  double count = 0;
  double mean_x = 0, mean_y = 0;
  double squares_x = 0, squares_y = 0;

  void add(const Planar& p) {
    count += 1;
    const double dx = p.x - mean_x;
    const double dy = p.y - mean_y;
    mean_x += dx / count;
    mean_y += dy / count;
    squares_x += dx * (p.x - mean_x);
    squares_y += dy * (p.y - mean_y);
  }

  void merge(const Moments& other) {
    if (other.count == 0) return;
    const double total = count + other.count;
    const double dx = other.mean_x - mean_x;
    const double dy = other.mean_y - mean_y;
    const double share = other.count / total;
    mean_x += dx * share;
    mean_y += dy * share;
    squares_x += other.squares_x + dx * dx * count * share;
    squares_y += other.squares_y + dy * dy * count * share;
    count = total;
  }
};

// The deterministic reduction splits the same way whatever the number of threads.
Moments moments_of(const Dataset& data, bool degrees) {
  const bool marked_only = data.info().has_split;
  constexpr std::size_t grain = 1024;
  return tbb::parallel_deterministic_reduce(
      tbb::blocked_range<std::size_t>(0, data.size(), grain), Moments{},
      [&](const tbb::blocked_range<std::size_t>& range, Moments moments) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          if (marked_only && data.part(i) == Part::none) continue;
          for (const Position& p : data[i].points) {
            moments.add(degrees ? mercator_from(p) : Planar{p.lon, p.lat});
          }
        }
        return moments;
      },
      [](Moments a, const Moments& b) {
        a.merge(b);
        return a;
      });
}

void check_coordinates(SpaceKind kind, bool degrees) {
  if (!degrees && (kind == SpaceKind::ground || kind == SpaceKind::mercator)) {
    throw Error(
        ErrorCode::bad_input,
        fmt::format("the space '{}' needs degrees, but the data set is planar", name_of(kind)),
        "choose the space 'planar' or 'zscore'");
  }
  if (degrees && kind == SpaceKind::planar) {
    throw Error(ErrorCode::bad_input,
                "the space 'planar' needs planar data, but this is in degrees",
                "choose the space 'ground', 'mercator' or 'zscore'");
  }
}

[[noreturn]] void throw_empty() {
  throw Error(ErrorCode::bad_input, "the data set has no points, so no space can be fitted to it",
              "check what the import dropped, and why");
}

[[noreturn]] void throw_not_a_space(std::string_view what) {
  throw Error(ErrorCode::bad_input, fmt::format("not a description of a space: {}", what),
              "it must be the JSON that was stored with the result, unchanged");
}

double number_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number()) {
    throw_not_a_space(fmt::format("'{}' must be a number", key));
  }
  return found->get<double>();
}

std::string text_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_string()) {
    throw_not_a_space(fmt::format("'{}' must be a text", key));
  }
  return found->get<std::string>();
}

}  // namespace

std::string_view name_of(SpaceKind kind) {
  return name_in(space_kind_names, kind);
}

SpaceKind space_kind_from(std::string_view name) {
  if (const auto kind = value_in<SpaceKind>(space_kind_names, name)) return *kind;
  throw Error(ErrorCode::usage, fmt::format("unknown space '{}'", printable(name)),
              fmt::format("the spaces are {}", listed(space_kind_names, "and")), "space");
}

Space Space::ground_at(const Position& origin) {
  Space space;
  space.kind_ = SpaceKind::ground;
  space.degrees_ = true;
  space.origin_x_ = origin.lon;
  space.origin_y_ = origin.lat;
  space.ground_ = std::make_shared<const LocalTransverseMercator>(origin);
  return space;
}

Space Space::fit(SpaceKind kind, const Dataset& data) {
  const bool degrees = data.info().coordinates == Coordinates::degrees;
  check_coordinates(kind, degrees);
  if (data.point_count() == 0) throw_empty();
  if (kind == SpaceKind::ground) {
    const auto box = central_box(data, 0.98, data.info().has_split);
    if (!box) throw_empty();
    return ground_at({wrapped_degrees(std::midpoint(box->min_lon, box->max_lon)),
                      std::midpoint(box->min_lat, box->max_lat)});
  }
  Space space;
  space.kind_ = kind;
  space.degrees_ = degrees;
  if (kind == SpaceKind::zscore) {
    const Moments moments = moments_of(data, degrees);
    if (moments.count == 0) throw_empty();
    space.origin_x_ = moments.mean_x;
    space.origin_y_ = moments.mean_y;
    space.scale_x_ = std::sqrt(moments.squares_x / moments.count);
    space.scale_y_ = std::sqrt(moments.squares_y / moments.count);
    if (!std::isfinite(space.scale_x_) || !std::isfinite(space.scale_y_)) {
      throw Error(ErrorCode::bad_input, "the coordinates are too large for the space 'zscore'",
                  "give them in a larger unit");
    }
    if (space.scale_x_ == 0 || space.scale_y_ == 0) {
      throw Error(ErrorCode::bad_input,
                  fmt::format("the space 'zscore' needs extent in both axes, but all points have "
                              "the same {}",
                              space.scale_x_ > 0 ? "y (latitude)" : "x (longitude)"),
                  fmt::format("choose the space '{}'",
                              name_of(degrees ? SpaceKind::ground : SpaceKind::planar)));
    }
  }
  return space;
}

Planar Space::project(const Position& position) const {
  switch (kind_) {
    case SpaceKind::ground: return (*ground_)(position);
    case SpaceKind::mercator: return mercator_from(position);
    case SpaceKind::zscore: {
      const Planar p = degrees_ ? mercator_from(position) : Planar{position.lon, position.lat};
      return {(p.x - origin_x_) / scale_x_, (p.y - origin_y_) / scale_y_};
    }
    case SpaceKind::planar: break;
  }
  return {position.lon, position.lat};
}

Position Space::unproject(const Planar& point) const {
  switch (kind_) {
    case SpaceKind::ground:
      return position_from_transverse_mercator(origin_x_,
                                               {point.x, point.y + ground_->origin_northing()});
    case SpaceKind::mercator: return position_from_mercator(point);
    case SpaceKind::zscore: {
      const Planar p{point.x * scale_x_ + origin_x_, point.y * scale_y_ + origin_y_};
      return degrees_ ? position_from_mercator(p) : Position{p.x, p.y};
    }
    case SpaceKind::planar: break;
  }
  return {point.x, point.y};
}

bool operator==(const Space& a, const Space& b) {
  const auto numbers = [](const Space& space) {
    return std::tie(space.kind_, space.degrees_, space.origin_x_, space.origin_y_, space.scale_x_,
                    space.scale_y_);
  };
  return numbers(a) == numbers(b);
}

std::string Space::to_json() const {
  Json json;
  json["kind"] = name_of(kind_);
  if (kind_ == SpaceKind::ground) {
    json["lon"] = origin_x_;
    json["lat"] = origin_y_;
  } else if (kind_ == SpaceKind::zscore) {
    json["coordinates"] = name_of(degrees_ ? Coordinates::degrees : Coordinates::planar);
    json["mean_x"] = origin_x_;
    json["mean_y"] = origin_y_;
    json["deviation_x"] = scale_x_;
    json["deviation_y"] = scale_y_;
  }
  return json.dump();
}

Space Space::from_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) throw_not_a_space("it is not a JSON object");
  const auto kind = value_in<SpaceKind>(space_kind_names, text_at(json, "kind"));
  if (!kind) throw_not_a_space("unknown 'kind'");
  Space space;
  space.kind_ = *kind;
  space.degrees_ = *kind != SpaceKind::planar;
  std::size_t keys = 1;
  if (kind == SpaceKind::ground) {
    keys = 3;
    const Position origin{number_at(json, "lon"), number_at(json, "lat")};
    if (!Box{-180, -90, 180, 90}.contains(origin)) throw_not_a_space("the origin is not on earth");
    space = ground_at(origin);
  } else if (kind == SpaceKind::zscore) {
    keys = 6;
    const std::string coordinates = text_at(json, "coordinates");
    space.degrees_ = coordinates == name_of(Coordinates::degrees);
    if (!space.degrees_ && coordinates != name_of(Coordinates::planar)) {
      throw_not_a_space("unknown 'coordinates'");
    }
    space.origin_x_ = number_at(json, "mean_x");
    space.origin_y_ = number_at(json, "mean_y");
    space.scale_x_ = number_at(json, "deviation_x");
    space.scale_y_ = number_at(json, "deviation_y");
    if (!(space.scale_x_ > 0) || !(space.scale_y_ > 0)) {
      throw_not_a_space("a deviation is not positive");
    }
  }
  if (json.size() != keys) throw_not_a_space("it has keys that do not belong to its kind");
  return space;
}

}  // namespace tsmini
