// Why a model cannot take a trajectory, told before anything is computed.
#pragma once

#include <string>

#include "tsmini/dataset.h"
#include "tsmini/model.h"

namespace tsmini {

// What keeps the network from embedding a trip: "leaves the box of the model at 9.1, 45.2". Empty
// where nothing does.
std::string embedding_flaw(const FeatureFrame& frame, const Trajectory& trip);

// The same, or what keeps the model's measure from being taken of it.
std::string flaw_of(const Model& model, const Trajectory& trip);

}  // namespace tsmini
