// The plane in which distances are measured.
//
// A data set keeps degrees (or planar input); whoever measures chooses a space:
//
//   ground    metres on a transverse Mercator projection (WGS84) centred on the data: a distance
//             printed is a distance on the ground, to 0.01 % within 90 km of the central meridian
//   mercator  spherical Web-Mercator metres (R = 6378137), what the literature feeds its measures
//   zscore    Mercator (or the planar input), then each axis to mean 0 and population standard
//             deviation 1 over the points of the data: what published ground truth uses
//   planar    x and y as given
//
// A Space holds the kind and every number needed to repeat it, prints itself as one line of JSON,
// and is stored with whatever was computed in it. Two spaces are the same only if every number is.
//
//   Space space = Space::fit(SpaceKind::ground, dataset);
//   Planar p = space.project({-8.61, 41.15});     // metres east and north of the origin
//   Position q = space.unproject(p);              // back, within a millimetre
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "tsmini/dataset.h"
#include "tsmini/trajectory.h"

namespace tsmini {

enum class SpaceKind { ground, mercator, zscore, planar };
inline constexpr std::array<std::string_view, 4> space_kind_names{"ground", "mercator", "zscore",
                                                                  "planar"};

std::string_view name_of(SpaceKind kind);
// Throws Error(usage) that lists the names.
SpaceKind space_kind_from(std::string_view name);

class LocalTransverseMercator;

class Space {
 public:
  Space() = default;  // planar; one that was moved from may only be assigned to

  // `ground` is centred on the middle of the central 98 % of the points per axis, so that a few
  // glitches do not move it (percentiles of at most about a million points, evenly spaced over the
  // data); `zscore` takes mean and deviation. Only trajectories that carry a split mark count where
  // the data set has a split, all of them otherwise. Linear in the points; the numbers do not
  // depend on the number of threads.
  // Throws Error(bad_input) for an empty data set, ground or mercator on planar data, planar on
  // degrees, and zscore of data without extent in an axis.
  static Space fit(SpaceKind kind, const Dataset& data);

  // The inverse of to_json(). Throws Error(bad_input) where the text is not one of ours.
  static Space from_json(std::string_view text);
  std::string to_json() const;

  SpaceKind kind() const { return kind_; }
  // The coordinates of the data that it projects.
  Coordinates coordinates() const { return degrees_ ? Coordinates::degrees : Coordinates::planar; }
  Planar project(const Position& position) const;
  Position unproject(const Planar& point) const;

  friend bool operator==(const Space& a, const Space& b);

 private:
  static Space ground_at(const Position& origin);

  SpaceKind kind_ = SpaceKind::planar;
  bool degrees_ = false;  // what the data set holds
  double origin_x_ = 0;   // ground: central meridian and latitude in degrees; zscore: means
  double origin_y_ = 0;
  double scale_x_ = 1;  // zscore: standard deviations
  double scale_y_ = 1;
  std::shared_ptr<const LocalTransverseMercator> ground_;  // what the origin gives; null elsewhere
};

}  // namespace tsmini
