#include "tsmini/reach.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include "base/amounts.h"
#include "base/text.h"
#include "base/utf8.h"
#include "geo/wgs84.h"

namespace tsmini {
namespace {

// A sphere is near enough: the ellipsoid's radii differ from this by less than 0.5 %.
constexpr double radius = 6'371'000;
constexpr double reach_north = 5'000'000;

// The scale of a transverse Mercator projection is cosh(x / radius).
double reach_east(double error) {
  return radius * std::acosh(1 + error);
}

// No point of the box errs by more, as x is largest where the box is nearest to the equator and
// farthest from the central meridian, and y at a corner or on the central meridian. Infinite where
// the box is so wide, or goes around the earth, that this does not hold.
double bound_over(const Space& space, const Box& box) {
  const Position origin = space.unproject({0, 0});
  if (box.min_lon < origin.lon - 90 || box.max_lon > origin.lon + 90) {
    return std::numeric_limits<double>::infinity();
  }
  double worst = 0;
  for (const double lon :
       {box.min_lon, std::clamp(origin.lon, box.min_lon, box.max_lon), box.max_lon}) {
    for (const double lat : {box.min_lat, std::clamp(0.0, box.min_lat, box.max_lat), box.max_lat}) {
      worst = std::max(worst, scale_error(space, space.project({lon, lat})));
    }
  }
  return worst;
}

const FarthestPlace& farther(const FarthestPlace& a, const FarthestPlace& b) {
  return b.error > a.error ? b : a;
}

}  // namespace

double scale_error(const Space& space, const Planar& point) {
  if (space.kind() != SpaceKind::ground) return 0;
  if (!(std::abs(point.y) <= reach_north)) return std::numeric_limits<double>::infinity();
  return std::cosh(point.x / radius) - 1;
}

bool reaches(const Space& space, const Planar& point) {
  static const double east = reach_east(tolerated_error);
  return space.kind() != SpaceKind::ground ||
         (std::abs(point.x) <= east && std::abs(point.y) <= reach_north);
}

// On a sphere sin(d) < 0.122 bounds tanh(x / radius), so that x is at most 781 km. y is the arc to
// atan2(tan(lat), cos(d)), which lies within 0.22 degrees of the latitude: at most 3,361 km.
bool surely_reaches(const Space& space, std::span<const Position> points) {
  constexpr double near_lon = 7, near_lat = 30;
  if (space.kind() != SpaceKind::ground) return false;
  const Position origin = space.unproject({0, 0});
  return std::all_of(points.begin(), points.end(), [&](const Position& p) {
    return std::abs(p.lon - origin.lon) <= near_lon && std::abs(p.lat - origin.lat) <= near_lat;
  });
}

FarthestPlace farthest_place(const Space& space, const Dataset& data,
                             std::span<const std::size_t> indices) {
  if (space.kind() != SpaceKind::ground || data.point_count() == 0) return {};
  if (bound_over(space, data.info().extent) <= noticeable_error) return {};
  constexpr std::size_t grain = 256;
  return tbb::parallel_deterministic_reduce(
      tbb::blocked_range<std::size_t>(0, indices.size(), grain), FarthestPlace{},
      [&](const tbb::blocked_range<std::size_t>& range, FarthestPlace worst) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          for (const Position& p : data[indices[i]].points) {
            worst = farther(worst, {scale_error(space, space.project(p)), indices[i], p});
          }
        }
        return worst;
      },
      farther);
}

std::string place_text(const Space& space, const Position& position) {
  const Planar p = space.project(position);
  const Position origin = space.unproject({0, 0});
  const auto kilometres = [](double metres) {
    return with_thousands(static_cast<std::uint64_t>(std::abs(metres) / 1000));
  };
  if (std::abs(position.lon - origin.lon) > 90) {
    return fmt::format("{:.0f} degrees of longitude from the origin of the space '{}' ({:.6g})",
                       std::abs(position.lon - origin.lon), name_of(space.kind()), origin.lon);
  }
  if (std::abs(p.y) > reach_north) {
    return fmt::format(
        "{} km {} of the origin of the space '{}' (latitude {:.6g}), which reaches {}",
        kilometres(p.y), p.y > 0 ? "north" : "south", name_of(space.kind()), origin.lat,
        kilometres(reach_north));
  }
  return fmt::format(
      "{} km from the central meridian of the space '{}' (longitude {:.6g}), where lengths are "
      "{} too long",
      kilometres(p.x), name_of(space.kind()), origin.lon, human_share(scale_error(space, p)));
}

std::string place_remedy(const Space& space, const Box& extent) {
  const Position origin = space.unproject({0, 0});
  // As wide as may be at the latitude nearest to the equator, on a sphere.
  const double lat = std::clamp(0.0, extent.min_lat, extent.max_lat) * radians_per_degree;
  const double sine = std::tanh(reach_east(noticeable_error) / radius) / std::cos(lat);
  const double half = sine < 1 ? std::asin(sine) / radians_per_degree : 90;
  return fmt::format(
      "measure what lies near to each other, such as an import with `bbox={:.1f},{:.1f},{:.1f},"
      "{:.1f}`; or choose another space, whose distances are no metres",
      std::max(origin.lon - half, -180.0), std::floor(10 * extent.min_lat) / 10,
      std::min(origin.lon + half, 180.0), std::ceil(10 * extent.max_lat) / 10);
}

Error out_of_reach(const Space& space, const Dataset& data, const FarthestPlace& place) {
  const Box& box = data.info().extent;
  return Error(
      ErrorCode::bad_input,
      fmt::format("some of it is too far out to be measured in metres on one plane: longitudes "
                  "{:.6g} to {:.6g}, latitudes {:.6g} to {:.6g}; trajectory '{}' at {:.6g}, "
                  "{:.6g} is {}",
                  box.min_lon, box.max_lon, box.min_lat, box.max_lat,
                  printable(data[place.trajectory].id), place.position.lon, place.position.lat,
                  place_text(space, place.position)),
      place_remedy(space, box));
}

}  // namespace tsmini
