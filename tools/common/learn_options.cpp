#include "common/learn_options.h"

#include <fmt/format.h>

#include "learn/recipe_fields.h"

namespace tsmini::cli {
namespace {

std::string train_footer() {
  std::string text =
      "Learns from the trajectories marked 'train'; those marked 'validation' choose the weights\n"
      "(without a split, a tenth is held back). Beside MODEL.safetensors: MODEL.jsonl, a line a\n"
      "validation, and MODEL.svg, the learning curve. Ctrl-C leaves the best model so far and\n"
      "MODEL.checkpoint, from which --resume goes on to the very same weights.\n"
      "Examples:\n"
      "  tsmini train city.tsd -o m.safetensors --time-budget 60\n"
      "  tsmini train city.tsd -o m.safetensors --measure dtw --device cuda\n"
      "  tsmini train mine.tsd -o mine.safetensors --init m.safetensors --rebox --steps 2000\n"
      "Settings for --set:";
  for (const learn::RecipeField& field : learn::recipe_fields()) {
    text += fmt::format("\n  {:<16} {}", field.name, field.meaning);
  }
  return text;
}

}  // namespace

CLI::App& add_train_verb(CLI::App& app, TrainOptions& options) {
  CLI::App& verb =
      *app.add_subcommand("train", "Learn embeddings whose distances stand in for a measure");
  verb.footer(train_footer());
  verb.add_option("DATA", options.data, "A data set (.tsd)")->required()->option_text("DATA");
  verb.add_option("-o,--output", options.output, "The model to write (.safetensors)")
      ->required()
      ->option_text("MODEL");
  verb.add_option("--preset", options.preset,
                  "default (best found; usual on cuda), quick (usual on cpu), paper")
      ->check(CLI::IsMember({"paper", "default", "quick"}))
      ->option_text("default|quick|paper");
  verb.add_option("--device", options.device, "Where to compute: cpu (default) or cuda")
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->option_text("cpu|cuda");
  verb.add_option("--steps", options.steps, "Budget in steps (default: the preset's)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40))
      ->option_text("N");
  verb.add_option("--batch", options.batch, "Trajectories a step (default: the preset's)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 20))
      ->option_text("N");
  verb.add_option("--time-budget", options.time_budget,
                  "Seconds of training, in place of a budget in steps")
      ->check(CLI::PositiveNumber)
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
  verb.add_option("--labels", options.labels,
                  "True distances: matrix (all before training), batch (step by step) or automatic")
      ->check(CLI::IsMember({"automatic", "matrix", "batch"}))
      ->option_text("automatic|matrix|batch");
  add_measure_choice(verb, options.measure);
  return verb;
}

}  // namespace tsmini::cli
