#include "learn_options.h"

#include <fmt/format.h>

#include "tsmini/recipe.h"

#include "common/option_checks.h"

namespace tsmini::cli {
namespace {

std::string train_footer() {
  std::string text =
      "Learns from the trajectories marked 'train'; those marked 'validation' choose the weights\n"
      "(a sample of 2,000 where there are more; without a split, a tenth is held back). Beside\n"
      "MODEL.safetensors: MODEL.jsonl, a line a validation, and MODEL.svg, the learning curve.\n"
      "Ctrl-C leaves the best model so far (before the first validation, what the steps have come\n"
      "to, or a finished model that was there) and MODEL.checkpoint, from which --resume goes\n"
      "on to the very same weights.\n"
      "With --resume, --steps and --time-budget may be others than before. They count what was "
      "done\n"
      "before, too, and the learning rate goes on as the new budget has it at that point: 500 "
      "steps\n"
      "of 1,000, resumed with --steps 2000, go on with the rate of a quarter of the way.\n"
      "Examples:\n"
      "  tsmini train city.tsd -o m.safetensors --time-budget 60\n"
      "  tsmini train city.tsd -o m.safetensors --measure dtw --device cuda\n"
      "  tsmini train mine.tsd -o mine.safetensors --init m.safetensors --rebox --steps 2000\n"
      "Settings for --set:";
  for (const RecipeField& field : recipe_fields()) {
    text += fmt::format("\n  {:<16} {}", field.name, field.meaning);
  }
  return text;
}

}  // namespace

CLI::App& add_train_verb(CLI::App& app, TrainArguments& options) {
  CLI::App& verb =
      *app.add_subcommand("train", "Learn embeddings whose distances stand in for a measure");
  verb.footer(train_footer());
  verb.add_option("DATA", options.data, "A data set (.tsd) or a collection")
      ->required()
      ->option_text("DATA");
  verb.add_option("-o,--output", options.output, "The model to write (.safetensors)")
      ->required()
      ->option_text("MODEL");
  add_choice(verb, "--preset", options.preset, preset_names,
             "default (best found; usual on cuda), quick (usual on cpu), paper; see 'tsmini help "
             "presets'");
  add_choice(verb, "--device", options.device, device_names,
             "Where to compute: cpu (default) or cuda");
  verb.add_option("--steps", options.steps,
                  "Budget in steps (default: the preset's); beside --time-budget, what ends first")
      ->check(at_least(1))
      ->option_text("N");
  verb.add_option("--batch", options.batch, "Trajectories a step (default: the preset's)")
      ->check(between(smallest_batch, largest_batch))
      ->option_text("N");
  verb.add_option("--time-budget", options.time_budget,
                  "Seconds for everything, reading and saving too, in place of the preset's steps")
      ->check(above(0))
      ->option_text("SECONDS");
  verb.add_option("--seed", options.seed, "Of weights, batches and dropout (default 1)")
      ->option_text("N");
  verb.add_flag("--resume", options.resume, "Go on from MODEL.checkpoint, if it is there");
  CLI::Option* init =
      verb.add_option("--init", options.init,
                      "Start from the weights of this model, with its network, box and (unless "
                      "told otherwise) measure")
          ->option_text("MODEL");
  verb.add_flag("--rebox", options.rebox, "With --init: fit the box anew, for another region")
      ->needs(init);
  verb.add_option("--set", options.settings, "Change one setting of the preset; again for more")
      ->type_size(1)
      ->allow_extra_args(false)
      ->option_text("KEY=VALUE");
  add_choice(verb, "--labels", options.labels, label_kind_names,
             "True distances: matrix (all before training), batch (step by step) or automatic");
  add_measure_options(verb, options.measure);
  add_pick_options(verb, options.picking);
  return verb;
}

CLI::App& add_experiment_verb(CLI::App& app, ExperimentOptions& options) {
  CLI::App& verb = *app.add_subcommand("experiment", "Repeat an experiment of the paper");
  verb.add_option("NAME", options.name, "Which one; all for all of them")
      ->transform(any_case())
      ->required()
      ->option_text("NAME");
  verb.add_option("DATA", options.data,
                  "A data set (.tsd); one without a split is split 7:1:2 by lot")
      ->required()
      ->option_text("DATA");
  verb.add_option("-o,--output", options.output,
                  "Where tables, figures and models go; --plan needs none")
      ->option_text("FOLDER");
  verb.add_option("--other", options.other, "A second city, for transfer and dataset")
      ->option_text("DATA");
  verb.add_option("--measure", options.measures,
                  "Which measures, again for more (default: dtw, edwp, frechet, hausdorff)")
      ->transform(any_case())
      ->type_size(1)
      ->allow_extra_args(false)
      ->option_text("MEASURE");
  add_choice(verb, "--space", options.space, space_kind_names,
             "In which distances are taken (default: zscore, usual in work of this kind)")
      ->option_text("SPACE");
  CLI::Option* steps = verb.add_option("--steps", options.steps,
                                       "Budget of every run, but for rivals (default 4000)")
                           ->check(at_least(1))
                           ->option_text("N");
  CLI::Option* full = verb.add_flag("--full", options.full, "Every run has the steps of its preset")
                          ->excludes(steps);
  CLI::Option* rivals =
      verb.add_option("--rivals", options.rivals,
                      "Methods of others beside ours: all, or names as below (default: none)")
          ->transform(any_case())
          ->type_size(1)
          ->allow_extra_args(false)
          ->delimiter(',')
          ->option_text("all|NAME[,NAME...]");
  verb.add_option("--rival-seconds", options.rival_seconds,
                  "Each rival trains so long at most, after as long again for what does not depend "
                  "on the measure, and a third of it for vectors of cells (default 60; 2 with "
                  "--quick; with --full its epochs)")
      ->check(above(0))
      ->needs(rivals)
      ->option_text("S");
  verb.add_flag("--as-released", options.as_released,
                "Each rival once more, with the mistakes of its released code")
      ->needs(rivals);
  verb.add_option("--seeds", options.seeds, "So many seeds, from 1 on (default 1)")
      ->check(between(1, 100))
      ->option_text("N");
  verb.add_flag("--quick", options.quick,
                "A trial: 100 steps, dtw and frechet, small synthetic cities")
      ->excludes(full);
  verb.add_flag("--plan", options.plan, "Only tell what it would cost");
  add_choice(verb, "--device", options.device, device_names,
             "Where to compute: cpu (default) or cuda");
  return verb;
}

}  // namespace tsmini::cli
