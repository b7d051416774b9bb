// Training on a GPU.
#pragma once

#include <memory>

#include "learn/learner.h"

namespace tsmini::learn {

// Throws Error(failure) where there is no GPU, no cuBLAS or too little memory, saying which.
std::unique_ptr<Learner> make_gpu_learner(const LearnerStart& start);

}  // namespace tsmini::learn
