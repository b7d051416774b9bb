// train and experiment: their options, and what is done with them (train.cpp, experiment.cpp).
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/enum_names.h"
#include "experiment/experiments.h"
#include "experiment/rival.h"
#include "learn_options.h"
#include "learn_verbs.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

// "scale, quality and transfer".
template <class Table, class Fits>
std::string names_among(const Table& table, const Fits& fits) {
  std::vector<std::string_view> names;
  for (const auto& row : table)
    if (fits(row)) names.push_back(row.name);
  return listed(names, "and");
}

std::string experiments_with(experiment::PaperRivals rivals) {
  return names_among(experiment::experiments(),
                     [&](const experiment::Experiment& one) { return one.rivals == rivals; });
}

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
      "{}; for {}, and for\n"
      "{}, where 'all' means {}, as in the paper. It needs\n"
      "tsmini-rivals beside tsmini.\n"
      "Examples:\n"
      "  tsmini experiment overall porto.tsd -o results --device cuda --full\n"
      "  tsmini experiment all porto.tsd --other geolife.tsd -o results --device cuda\n"
      "  tsmini experiment overall porto.tsd -o results --device cuda --rivals all\n"
      "  tsmini experiment all city.tsd -o trial --quick",
      fmt::join(names_of(experiment::rivals(), &experiment::Rival::name), ", "),
      experiments_with(experiment::PaperRivals::all),
      experiments_with(experiment::PaperRivals::some),
      names_among(experiment::rivals(),
                  [](const experiment::Rival& one) { return one.in_every_table; }));
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
