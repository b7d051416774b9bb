// What a model is worth among the trips that it serves, measured on some of them: the hit ratios of
// a few thousand test trips (tsmini/evaluate.h) say little of a million.
//
// Kept with the index of the model, and taken again when the collection has grown by half.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tsmini/distance_map.h"
#include "tsmini/recall_curve.h"

namespace tsmini {

struct Judgement {
  std::uint64_t trips = 0;    // among so many
  std::uint64_t samples = 0;  // trips that were queries, each against all others
  RecallCurve recall;         // of the candidates that the model's index gives
  DistanceMap distances;      // in place of the model's calibration; may be empty

  std::string to_json() const;
  // Throws Error(bad_input) for what to_json() never writes.
  static Judgement from_json(std::string_view text);

  friend bool operator==(const Judgement&, const Judgement&) = default;
};

}  // namespace tsmini
