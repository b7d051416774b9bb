#include "search/model_fit.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/reach.h"

namespace tsmini {
namespace {

constexpr double tolerated_difference = 0.001;

// Both projections are conformal: around a point all lengths are stretched by one factor, so that
// lengths in one space are those in the other times the quotient of the factors. Where that lies
// within 1 ± d all along a line, so does the quotient of its lengths; and as the straight line of
// each space is no shorter in the other than the straight line there, within 1 ± d lie distances,
// too. Such a line bulges out of a box of degrees, by a few hundredths of its length within reach
// of the space, so a box is looked at that is wider by a tenth; for what lies between the points of
// the grid, where the factors are smooth and nearly quadratic in the longitude, a tenth of the
// limit is kept in hand.
double largest_difference(const Space& a, const Space& b, const Box& extent) {
  constexpr int steps = 16;
  const double margin =
      0.1 * std::max(extent.max_lon - extent.min_lon, extent.max_lat - extent.min_lat);
  double largest = 0;
  for (int i = 0; i <= steps; ++i) {
    for (int j = 0; j <= steps; ++j) {
      const auto between = [](double low, double high, int step) {
        return low + (high - low) * step / steps;
      };
      const Position p{
          between(extent.min_lon - margin, extent.max_lon + margin, i),
          std::clamp(between(extent.min_lat - margin, extent.max_lat + margin, j), -90.0, 90.0)};
      const double of_a = scale_error(a, a.project(p)), of_b = scale_error(b, b.project(p));
      const double difference = std::abs((1 + of_a) / (1 + of_b) - 1);
      if (!(difference <= largest)) largest = difference;  // or it is no number
      if (std::isnan(largest)) return largest;
    }
  }
  return largest;
}

[[noreturn]] void refuse(const std::string& what, const Space& space) {
  throw Error(
      ErrorCode::bad_input, what,
      space.kind() == SpaceKind::zscore
          ? "train one with `space=zscore` on the very data set that the collection was "
            "made from: its mean and deviation are the space"
          : fmt::format("train one on trips like these with `space={}`", name_of(space.kind())));
}

}  // namespace

void check_fit(const Model& model, const Space& space, const std::optional<Box>& extent) {
  if (model.space == space) return;
  if (model.space.kind() != space.kind() || model.space.coordinates() != space.coordinates()) {
    refuse(fmt::format("the model measures in the space '{}' ({}), the trips are in '{}' ({})",
                       name_of(model.space.kind()), name_of(model.space.coordinates()),
                       name_of(space.kind()), name_of(space.coordinates())),
           space);
  }
  if (space.kind() == SpaceKind::zscore) {
    throw Error(ErrorCode::bad_input,
                "the model and the trips are in spaces 'zscore' of different mean and deviation",
                "a zscore model serves the data set that it was trained on; for one that serves "
                "others, use the space 'ground' for both");
  }
  if (space.kind() != SpaceKind::ground) return;
  const double difference =
      largest_difference(model.space, space, extent ? *extent : model.frame.box());
  if (difference <= 0.9 * tolerated_difference) return;
  const std::string how_much =
      std::isfinite(difference) ? fmt::format("by {:.2g} %", 100 * difference) : "beyond measure";
  throw Error(ErrorCode::bad_input,
              fmt::format("the model's space 'ground' is centred elsewhere: lengths differ from "
                          "those of the trips {}",
                          how_much),
              "train one on trips like these with `space=ground`, from the beginning or from this "
              "one (`init=MODEL` and `rebox`)");
}

}  // namespace tsmini
