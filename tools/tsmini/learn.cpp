// train and experiment: their options, and what is done with them (train.cpp, experiment.cpp).
#include <memory>
#include <string>

#include <fmt/format.h>

#include "base/enum_names.h"
#include "common/learn_options.h"
#include "experiment/experiments.h"
#include "experiment/rival.h"
#include "learn_verbs.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

std::string experiment_footer() {
  std::string text =
      "Repeats an experiment of the paper and leaves NAME.md, NAME.json and NAME.svg in FOLDER:\n";
  for (const experiment::Experiment& one : experiment::experiments()) {
    text += fmt::format("  {:<12} {:<44} {}\n", one.name, one.shows, one.in_paper);
  }
  text += fmt::format(
      "  all          all of them, and all.md with them on one page\n"
      "The cost is told before anything starts. Models are kept in FOLDER/runs: what experiments "
      "share\n"
      "is trained once, and after Ctrl-C the same command goes on where it stopped.\n"
      "--rivals trains methods that the paper compares itself with, too:\n"
      "{}; for overall, length and efficiency, and for\n"
      "scale, quality and transfer, where 'all' means trajcl and movsemcl, as in the paper. It "
      "needs\n"
      "tsmini-rivals beside tsmini.\n"
      "Examples:\n"
      "  tsmini experiment overall porto.tsd -o results --device cuda --full\n"
      "  tsmini experiment all porto.tsd --other geolife.tsd -o results --device cuda\n"
      "  tsmini experiment overall porto.tsd -o results --device cuda --rivals all\n"
      "  tsmini experiment all city.tsd -o trial --quick",
      fmt::join(names_of(experiment::rivals(), &experiment::Rival::name), ", "));
  return text;
}

}  // namespace

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
  verb.footer(experiment_footer());
  add_common(verb, common, Reports::yes);
  verb.callback([options, &common] { make_experiments(*options, common); });
}

}  // namespace tsmini::cli
