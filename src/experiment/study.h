// What most experiments consist of: ways to train, each for every measure and seed, judged on the
// test part.
//
//   Variant full{"full", "paper", {}};
//   Outcome outcome = outcome_of(lab, setting, full, Measure::dtw);
//   std::cout << outcome.hr10.mean;
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tsmini/recipe.h"

#include "draw/bars.h"
#include "experiment/lab.h"
#include "experiment/report.h"

namespace tsmini::experiment {

struct Variant {
  std::string name;
  std::string preset;
  std::function<void(Recipe&)> change;  // of what the preset says; empty: none
};

// The mean of a figure over the seeds, and how far they spread.
struct Spread {
  double mean = 0;
  double deviation = 0;  // of the single ones; 0 for one seed
  std::size_t count = 0;

  Cell cell() const { return count > 1 ? ratio(mean, deviation) : ratio(mean); }
};
Spread spread_of(const std::vector<double>& values);

struct Outcome {
  Spread hr10, hr50, r10at50, rand_index;
  double seconds = 0;        // of training, mean
  double label_seconds = 0;  // mean
  double embed_seconds = 0;  // for the test part, mean
  std::uint64_t parameters = 0;
  std::vector<Trained> runs;  // one a seed
};

// Batches hold no more trips than the city has to learn from.
TrainOptions request_for(const Setting& setting, const City& city, const Variant& variant,
                         Measure measure, std::uint64_t seed);

// One run of a variant on a city.
Trained trained_as(Lab& lab, const Setting& setting, const City& city, const Variant& variant,
                   Measure measure, std::uint64_t seed);

// What came of a variant over the seeds, on the setting's city or on another one.
Outcome outcome_of(Lab& lab, const Setting& setting, const Variant& variant, Measure measure);
Outcome outcome_of(Lab& lab, const Setting& setting, const City& city, const Variant& variant,
                   Measure measure);

// "DTW", "EDwP", "Fréchet", "Hausdorff"; for other measures name_of().
std::string title_of(Measure measure);

// How many trips of a city are for what.
std::string sizes_of(const City& city);
// What every run of an experiment was made with: space, budget, seeds.
std::vector<std::string> runs_with(const Setting& setting);
// sizes_of() and runs_with() for the setting's city.
std::vector<std::string> made_with(const Setting& setting);

// An empty chart of HR@10 from 0 to 1, and one of the setting's city with a group a measure.
BarChart ratio_chart(std::string title, std::vector<std::string> groups);
BarChart measures_chart(const Setting& setting);

}  // namespace tsmini::experiment
