#include "experiment/rival_study.h"

#include <limits>
#include <vector>

#include <fmt/format.h>

#include "experiment/rival_program.h"
#include "experiment/scoring.h"

namespace tsmini::experiment {

RivalRun rival_run(Lab& lab, const Setting& setting, const City& city, const Contender& contender,
                   Measure measure, std::uint64_t seed) {
  const std::string label =
      fmt::format("{}, {}, {}, seed {}", city.name, name_of(measure), contender.title(), seed);
  return lab.rival(city, label, {contender, measure, setting.space, seed, setting.rivals.seconds});
}

namespace {

RivalOutcome measured(Lab& lab, const Setting& setting, const City& city,
                      const Contender& contender, Measure measure) {
  const Space space = Space::fit(setting.space, city.data);
  const auto count = static_cast<double>(setting.seeds.size());
  RivalOutcome outcome;
  std::vector<double> hr10, hr50, r10at50;
  for (const std::uint64_t seed : setting.seeds) {
    const RivalRun run = rival_run(lab, setting, city, contender, measure, seed);
    const Predicted predicted = lab.rival_distances(run, city.data, false);
    const RetrievalScore score =
        score_of(predicted.distances, lab.truth(measure, space, city.data));
    hr10.push_back(score.hr10);
    hr50.push_back(score.hr50);
    r10at50.push_back(score.r10at50);
    outcome.seconds += run.seconds / count;
    outcome.pretraining_seconds += run.pretraining_seconds / count;
    outcome.label_seconds += run.label_seconds / count;
    outcome.embed_seconds += predicted.seconds / count;
    outcome.steps += static_cast<double>(run.steps) / count;
    outcome.recipe_steps += static_cast<double>(run.recipe_steps) / count;
    outcome.parameters = static_cast<double>(run.parameters);
    outcome.table = static_cast<double>(run.table);
    outcome.rising |= run.rising;
  }
  // One that learns without labels alone has no steps of training.
  if (outcome.recipe_steps == 0)
    outcome.steps = outcome.recipe_steps = std::numeric_limits<double>::quiet_NaN();
  outcome.hr10 = spread_of(hr10);
  outcome.hr50 = spread_of(hr50);
  outcome.r10at50 = spread_of(r10at50);
  return outcome;
}

}  // namespace

bool succeeds(Report& report, const std::string& label, const std::function<void()>& work) {
  try {
    work();
    return true;
  } catch (const RivalFailed& error) {
    const std::string hint = error.hint().empty() ? "" : fmt::format(" ({})", error.hint());
    report.failures.push_back(fmt::format("{}: {}{}.", label, error.what(), hint));
    return false;
  }
}

RivalOutcome rival_outcome(Lab& lab, const Setting& setting, const City& city,
                           const Contender& contender, Measure measure, Report& report) {
  RivalOutcome outcome;
  const std::string label =
      fmt::format("{} on {} for {}", contender.title(), city.name, title_of(measure));
  const bool made =
      succeeds(report, label, [&] { outcome = measured(lab, setting, city, contender, measure); });
  if (made) return outcome;
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  outcome.failed = true;
  outcome.hr10 = outcome.hr50 = outcome.r10at50 = spread_of({none});
  for (double RivalOutcome::*figure :
       {&RivalOutcome::seconds, &RivalOutcome::pretraining_seconds, &RivalOutcome::label_seconds,
        &RivalOutcome::embed_seconds, &RivalOutcome::steps, &RivalOutcome::parameters,
        &RivalOutcome::table, &RivalOutcome::recipe_steps})
    outcome.*figure = none;
  return outcome;
}

}  // namespace tsmini::experiment
