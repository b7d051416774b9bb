#include "draw/page_line.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "draw/clip.h"

namespace tsmini {
namespace {

constexpr double least_move = 0.3;
constexpr double around = 40;

double distance(const Pixel& a, const Pixel& b) {
  return std::hypot(b.x - a.x, b.y - a.y);
}

}  // namespace

PageLine::PageLine(const Trajectory& trip, const Frame& frame, const Place& place) : place_(place) {
  std::optional<Pixel> left_out;
  for (const Position& position : trip.points) {
    const Pixel p = frame.pixel_of(position);
    const Pixel next{place.x + p.x, place.y + p.y};
    if (!pixels_.empty() && distance(pixels_.back(), next) < least_move) {
      left_out = next;
    } else {
      pixels_.push_back(next);
      left_out.reset();
    }
  }
  if (left_out) pixels_.push_back(*left_out);
}

Pixel PageLine::at(double share) const {
  std::vector<double> lengths{0};
  for (std::size_t i = 1; i < pixels_.size(); ++i) {
    lengths.push_back(lengths.back() + distance(pixels_[i - 1], pixels_[i]));
  }
  const double wanted = share * lengths.back();
  const auto next = static_cast<std::size_t>(
      std::lower_bound(lengths.begin(), lengths.end(), wanted) - lengths.begin());
  if (next == 0) return pixels_.front();
  const double piece = lengths[next] - lengths[next - 1];
  const double part = piece > 0 ? (wanted - lengths[next - 1]) / piece : 0;
  const Pixel &from = pixels_[next - 1], &to = pixels_[next];
  return {from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)};
}

Path PageLine::path() const {
  const Pixel low{place_.x - around, place_.y - around};
  const Pixel high{place_.right() + around, place_.bottom() + around};
  const auto inside = [&](const Pixel& p) {
    return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y;
  };
  Path path;
  bool going_on = false;  // the last line ends where the next segment begins
  for (std::size_t i = 1; i < pixels_.size(); ++i) {
    const auto part = clipped({pixels_[i - 1], pixels_[i]}, low, high);
    if (!part) {
      going_on = false;
      continue;
    }
    if (!going_on) path.push_back({part->from});
    path.back().push_back(part->to);
    going_on = inside(pixels_[i]);
  }
  if (path.empty() && !pixels_.empty() && inside(first())) path.push_back({first()});
  return path;
}

}  // namespace tsmini
