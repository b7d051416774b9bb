// Why a model cannot take a trajectory, told before anything is computed: for whoever leaves such
// trips out and counts them, where Encoder and the measures would end with an error.
//
//   if (const std::string flaw = flaw_of(model, trip); !flaw.empty())
//     std::cerr << trip.id << ' ' << flaw << '\n';  // trip-7 leaves the box of the model at 9, 45
//
// Linear in the points.
#pragma once

#include <string>

#include "tsmini/dataset.h"
#include "tsmini/model.h"

namespace tsmini {

// What keeps the network from embedding a trip, or its measure from being taken: "leaves the box of
// the model at 9.1, 45.2". Empty where nothing does.
std::string flaw_of(const Model& model, const Trajectory& trip);

// What keeps every measure from being taken in a space: "at 9.1, 45.2 is 1,208 km from …". Empty
// where nothing does.
std::string flaw_in(const Space& space, const Trajectory& trip);

// Throws Error(bad_input) where one has degrees and the other x and y of a plane.
void check_coordinates(const FeatureFrame& frame, const Dataset& data,
                       const char* hint = "use data of the kind that the model was trained on");

}  // namespace tsmini
