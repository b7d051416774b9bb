// A rival for a measure: a run a seed, judged on the test part like our own models.
//
//   for (const Contender& one : contenders(setting.rivals, "overall"))
//     std::cout << rival_outcome(lab, setting, setting.city, one, Measure::dtw).hr10.mean;
#pragma once

#include <cstdint>
#include <string>

#include "experiment/lab.h"
#include "experiment/study.h"

namespace tsmini::experiment {

struct RivalOutcome {
  Spread hr10, hr50, r10at50;
  double seconds = 0;              // of training, mean
  double pretraining_seconds = 0;  // mean
  double label_seconds = 0;        // mean
  double embed_seconds = 0;        // for the test part, mean; or for all its pairs
  double steps = 0;                // mean
  std::uint64_t parameters = 0, table = 0;
  double recipe_steps = 0;  // that its recipe has, mean
  bool rising = false;      // one of the runs was
  std::string failure;      // why there are no figures; empty where there are
};

// One run of it on a city.
RivalRun rival_run(Lab& lab, const Setting& setting, const City& city, const Contender& contender,
                   Measure measure, std::uint64_t seed);

// A run that fails (for want of memory, say) is told in the outcome, whose figures are NaN then.
RivalOutcome rival_outcome(Lab& lab, const Setting& setting, const City& city,
                           const Contender& contender, Measure measure);

}  // namespace tsmini::experiment
