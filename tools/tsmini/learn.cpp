// train and experiment: their options, and what is done with them (train.cpp, experiment.cpp).
#include <memory>

#include "common/learn_options.h"
#include "learn_verbs.h"
#include "verbs.h"

namespace tsmini::cli {

void add_train(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<TrainOptions>();
  CLI::App& verb = add_train_verb(app, *options);
  add_common(verb, common, Reports::yes);
  verb.callback([options, &verb, &common] {
    train_model(*options, {verb.count("--measure") > 0, verb.count("--space") > 0}, common);
  });
}

void add_experiment(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<ExperimentOptions>();
  CLI::App& verb = add_experiment_verb(app, *options);
  add_common(verb, common, Reports::yes);
  verb.callback([options, &common] { make_experiments(*options, common); });
}

}  // namespace tsmini::cli
