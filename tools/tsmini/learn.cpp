// train and experiment: their options, and what is done with them (train.cpp, experiment.cpp).
#include <memory>

#include "common/learn_options.h"
#include "learn_verbs.h"
#include "verbs.h"

namespace tsmini::cli {

void add_train(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<TrainArguments>();
  CLI::App& verb = add_train_verb(app, *options);
  add_common(verb, common, Reports::yes);
  verb.callback([options, &verb, &common] {
    options->measure_given = verb.count("--measure") > 0;
    options->space_given = verb.count("--space") > 0;
    train_model(*options, common);
  });
}

void add_experiment(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<ExperimentOptions>();
  CLI::App& verb = add_experiment_verb(app, *options);
  add_common(verb, common, Reports::yes);
  verb.callback([options, &common] { make_experiments(*options, common); });
}

}  // namespace tsmini::cli
