#include "model/flaws.h"

#include <cmath>

#include <fmt/format.h>

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
  if (model.measure == Measure::edwp && trip.size() == 1) return "has one point, edwp needs two";
  std::string flaw = embedding_flaw(model.frame, trip);
  if (!flaw.empty()) return flaw;
  for (const Position& p : trip.points) {
    const Planar planar = model.space.project(p);
    if (!std::isfinite(planar.x) || !std::isfinite(planar.y)) {
      return fmt::format("cannot be projected at {}, {}", p.lon, p.lat);
    }
    if (!reaches(model.space, planar)) {
      return fmt::format("at {}, {} is {}", p.lon, p.lat, place_text(model.space, p));
    }
  }
  return {};
}

}  // namespace tsmini
