// A rival for a measure: a run a seed, judged on the test part like our own models.
//
//   for (const Contender& one : contenders(setting.rivals, "overall"))
//     std::cout << rival_outcome(lab, setting, setting.city, one, Measure::dtw, report).hr10.mean;
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "experiment/lab.h"
#include "experiment/report.h"
#include "experiment/study.h"

namespace tsmini::experiment {

struct RivalOutcome {
  Spread hr10, hr50, r10at50;
  double seconds = 0;              // of training, mean
  double pretraining_seconds = 0;  // mean
  double label_seconds = 0;        // mean
  double embed_seconds = 0;        // for the test part, mean; or for all its pairs
  double steps = 0;                // mean
  double parameters = 0, table = 0;
  double recipe_steps = 0;  // that its recipe has, mean
  bool rising = false;      // one of the runs was
  bool failed = false;      // all figures are NaN
};

// One run of a contender on a city.
RivalRun rival_run(Lab& lab, const Setting& setting, const City& city, const Contender& contender,
                   Measure measure, std::uint64_t seed);

// Does `work`. Where a rival fails in it (for want of memory, say), the report lists why, and false
// comes back: one rival's failure costs its own figures alone.
bool succeeds(Report& report, const std::string& label, const std::function<void()>& work);

// A run that fails is listed in the report.
RivalOutcome rival_outcome(Lab& lab, const Setting& setting, const City& city,
                           const Contender& contender, Measure measure, Report& report);

}  // namespace tsmini::experiment
