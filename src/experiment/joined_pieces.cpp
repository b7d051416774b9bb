#include "experiment/joined_pieces.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "experiment/trip_sets.h"

namespace tsmini::experiment {
namespace {

struct Piece {
  std::string_view recording;
  std::optional<std::uint64_t> number;
  Trajectory trip;
};

Piece piece_of(const Trajectory& trip) {
  const std::size_t line = trip.id.rfind('_');
  if (line == std::string_view::npos) return {trip.id, {}, trip};
  const char *begin = trip.id.data() + line + 1, *end = trip.id.data() + trip.id.size();
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(begin, end, number);
  if (error != std::errc{} || stop != end) return {trip.id, {}, trip};
  return {trip.id.substr(0, line), number, trip};
}

std::vector<Piece> pieces_of(const Dataset& data) {
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < data.size(); ++i) pieces.push_back(piece_of(data[i]));
  std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
    return std::tie(a.recording, a.number) < std::tie(b.recording, b.number);
  });
  return pieces;
}

bool follows(const Piece& a, const Piece& b) {
  if (!a.number || !b.number || a.recording != b.recording || *a.number + 1 != *b.number)
    return false;
  if (a.trip.has_times() != b.trip.has_times()) return false;
  return !a.trip.has_times() || a.trip.times.back() <= b.trip.times.front();
}

// Collects the pieces of one trip after the other.
class Joiner {
 public:
  Joiner(Coordinates coordinates, std::size_t fewest, std::size_t most)
      : builder_(coordinates), fewest_(fewest), most_(most) {}

  void add(const Piece& piece) {
    if (piece.trip.points.empty()) {
      end_trip();
      return;
    }
    if (last_ != nullptr && (!follows(*last_, piece) || size_with(piece) > most_)) end_trip();
    if (size_with(piece) > most_) return;
    const auto skipped = static_cast<std::ptrdiff_t>(meets(piece));
    const Trajectory& trip = piece.trip;
    points_.insert(points_.end(), trip.points.begin() + skipped, trip.points.end());
    if (trip.has_times())
      times_.insert(times_.end(), trip.times.begin() + skipped, trip.times.end());
    if (first_ == nullptr) first_ = &piece;
    last_ = &piece;
  }

  Dataset finish(const std::string& provenance) {
    end_trip();
    return builder_.finish(provenance);
  }

 private:
  // The trip so far ends where the piece begins.
  bool meets(const Piece& piece) const {
    return !points_.empty() && points_.back() == piece.trip.points.front();
  }

  std::size_t size_with(const Piece& piece) const {
    return points_.size() + piece.trip.size() - (meets(piece) ? 1 : 0);
  }

  void end_trip() {
    if (first_ != nullptr && points_.size() >= fewest_) {
      std::string id(first_->trip.id);
      if (first_ != last_) id += fmt::format("-{}", *last_->number);
      builder_.add({id, points_, times_});
    }
    points_.clear();
    times_.clear();
    first_ = last_ = nullptr;
  }

  DatasetBuilder builder_;
  std::size_t fewest_, most_;
  std::vector<Position> points_;
  std::vector<std::int64_t> times_;
  const Piece* first_ = nullptr;
  const Piece* last_ = nullptr;
};

}  // namespace

Dataset joined_pieces(const Dataset& data, std::size_t fewest, std::size_t most,
                      std::uint64_t seed) {
  if (fewest > most) {
    throw Error(
        ErrorCode::usage,
        fmt::format("trips of at least {} and at most {} points do not exist", fewest, most),
        "give a range of points that does not end before it begins", "fewest");
  }
  Joiner joiner(data.info().coordinates, fewest, most);
  const std::vector<Piece> pieces = pieces_of(data);
  for (const Piece& piece : pieces) joiner.add(piece);
  return with_split(joiner.finish(data.info().provenance), seed);
}

}  // namespace tsmini::experiment
