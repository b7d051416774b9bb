// What the verbs `train` and `experiment` do.
#pragma once

#include "common/common_options.h"
#include "learn_options.h"

namespace tsmini::cli {

void train_model(TrainArguments arguments, const CommonOptions& common);
void make_experiments(const ExperimentOptions& options, const CommonOptions& common);

}  // namespace tsmini::cli
