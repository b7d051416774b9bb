// What the verbs `train` and `experiment` do.
#pragma once

#include "common/common_options.h"
#include "common/learn_options.h"

namespace tsmini::cli {

// What the options alone do not tell: whether they were given.
struct Given {
  bool measure = false, space = false;
};

void train_model(TrainOptions options, const Given& given, const CommonOptions& common);
void make_experiments(const ExperimentOptions& options, const CommonOptions& common);

}  // namespace tsmini::cli
