#include "tsmini/flaws.h"

#include <cmath>

#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/reach.h"

namespace tsmini {
namespace {

std::string embedding_flaw(const FeatureFrame& frame, const Trajectory& trip) {
  if (trip.points.empty()) return "has no points";
  for (const Position& p : trip.points) {
    if (!frame.contains(frame.space.project(p))) {
      return fmt::format("leaves the box of the model at {}, {}", p.lon, p.lat);
    }
  }
  return {};
}

}  // namespace

std::string flaw_of(const Model& model, const Trajectory& trip) {
  if (!is_defined(model.measure, trip.size())) return "has one point, edwp needs two";
  std::string flaw = embedding_flaw(model.frame, trip);
  return flaw.empty() ? flaw_in(model.space, trip) : flaw;
}

std::string flaw_in(const Space& space, const Trajectory& trip) {
  // Beyond this, squares are not finite.
  constexpr double largest = 1e150;
  if (surely_reaches(space, trip.points)) return {};
  for (const Position& p : trip.points) {
    const Planar planar = space.project(p);
    if (!(std::abs(planar.x) <= largest) || !(std::abs(planar.y) <= largest)) {
      return fmt::format("cannot be projected at {}, {}", p.lon, p.lat);
    }
    if (!reaches(space, planar)) {
      return fmt::format("at {}, {} is {}", p.lon, p.lat, place_text(space, p));
    }
  }
  return {};
}

void check_coordinates(const FeatureFrame& frame, const Dataset& data, const char* hint) {
  const bool planar = frame.space.kind() == SpaceKind::planar;
  if (planar == (data.info().coordinates == Coordinates::planar)) return;
  throw Error(ErrorCode::bad_input,
              fmt::format("the model is for {} coordinates, the data has {}",
                          planar ? "planar" : "geographic", name_of(data.info().coordinates)),
              hint);
}

}  // namespace tsmini
