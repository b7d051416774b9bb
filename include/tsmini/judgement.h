// What a model is worth among the trips that it serves, measured on some of them: the hit ratios of
// a few thousand test trips (tsmini/evaluate.h) say little of a million.
//
// Kept with the index of the model, and taken again when the collection has grown by half.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tsmini/distance_map.h"
#include "tsmini/recall_curve.h"

namespace tsmini {

struct Judgement {
  std::uint64_t trips = 0;    // among so many
  std::uint64_t samples = 0;  // trips that were queries, each against all others
  RecallCurve recall;         // of the candidates that the model's index gives, as measured
  DistanceMap distances;      // in place of the model's calibration; may be empty

  // What is promised of the k nearest among so many candidates: what was measured, as if one query
  // more had found nothing. A sample that finds everything does not prove that all do.
  double recall_at(std::size_t k, std::size_t candidates) const;
  // The fewest candidates for which recall_at() is at least `recall`, or the most that were
  // measured: see RecallCurve::candidates_for().
  std::size_t candidates_for(std::size_t k, double recall) const;

  std::string to_json() const;
  // Throws Error(bad_input) for what to_json() never writes.
  static Judgement from_json(std::string_view text);

  friend bool operator==(const Judgement&, const Judgement&) = default;
};

}  // namespace tsmini
