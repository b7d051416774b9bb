#include "tsmini/train.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/error.h"

#include "base/enum_names.h"
#include "common/console.h"
#include "common/document.h"
#include "common/option_checks.h"
#include "common/outputs.h"
#include "rivals/core/device.h"
#include "rivals/core/run.h"
#include "rivals/program/verbs.h"

namespace tsmini::rivals {
namespace {

using Json = nlohmann::ordered_json;

struct TrainOptions {
  std::string data, output, rival, measure = "frechet", space = "zscore", device = "cpu";
  std::vector<std::string> released;
  bool as_released = false;
  std::optional<double> seconds;
  std::optional<std::uint64_t> steps;
  std::uint64_t seed = 1;
};

std::set<std::string, std::less<>> released_of(const TrainOptions& options, const RivalKind& kind) {
  std::set<std::string, std::less<>> kept;
  const std::vector<std::string_view> names = names_of(kind.mistakes, &Mistake::name);
  if (options.as_released) kept.insert(names.begin(), names.end());
  for (const std::string& name : options.released) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw Error(ErrorCode::usage, fmt::format("{} has no mistake '{}'", kind.title, name),
                  names.empty() ? "none of it was mended"
                                : fmt::format("choose one of {}", fmt::join(names, ", ")));
    kept.insert(name);
  }
  return kept;
}

std::filesystem::path log_of(const TrainOptions& options) {
  return std::filesystem::path(options.output).replace_extension(".jsonl");
}

// A line of JSON for every validation, and progress on the screen.
class Follower {
 public:
  Follower(const cli::Console& console, const std::filesystem::path& log)
      : console_(console), path_(log) {}

  RunWatch watch() {
    return {.begins = [this](std::string_view stage) { begin(stage); },
            .progress = [this](const ProgressState& state) { advance(state); },
            .training = [this](const TrainingEvent& event) { follow(event); }};
  }

 private:
  void begin(std::string_view stage) {
    stage_ = stage;
    const bool steps = stage.ends_with("training");
    progress_ = console_.progress(stage_, steps ? cli::Unit::steps : cli::Unit::trips);
  }

  void advance(const ProgressState& state) {
    cli::throw_if_interrupted();
    if (progress_ && state.total > 0 && !stage_.ends_with("training")) progress_(state);
  }

  void follow(const TrainingEvent& event) {
    cli::throw_if_interrupted();
    if (event.score == nullptr) {
      if (progress_) progress_({event.step, event.steps});
      return;
    }
    const Json line = {{"step", event.step},        {"seconds", event.seconds},
                       {"loss", event.loss},        {"hr10", event.score->hr10},
                       {"hr50", event.score->hr50}, {"r10at50", event.score->r10at50}};
    if (!log_.is_open()) log_.open(path_);  // not before: what is refused leaves nothing
    log_ << line.dump() << std::endl;
    if (!log_)
      throw Error(ErrorCode::failure, fmt::format("{}: cannot write", path_.string()),
                  "check the folder and the space on the disk");
    console_.say("step {}: HR@10 {:.3f} on validation, loss {:.5f}, {}", with_thousands(event.step),
                 event.score->hr10, event.loss, human_seconds(event.seconds));
  }

  const cli::Console& console_;
  std::filesystem::path path_;
  std::ofstream log_;
  std::string stage_;
  Progress progress_;
};

Json json_of(const RunRequest& request, const RunRecord& record) {
  return {{"rival", request.kind->name},
          {"measure", name_of(request.settings.measure)},
          {"seed", request.settings.seed},
          {"released", request.settings.released},
          {"parameters", record.parameters},
          {"table", record.table},
          {"steps", record.training.steps},
          {"recipe_steps", record.training.recipe_steps},
          {"seconds", record.training.seconds},
          {"pretraining_steps", record.pretraining.steps},
          {"pretraining_seconds", record.pretraining.seconds + record.ground_seconds},
          {"label_seconds", record.label_seconds},
          {"hr10", record.training.best->hr10},
          {"rising", record.training.rising},
          {"device", describe(request.settings.device)}};
}

std::string steps_of(const RunRecord& record) {
  const std::uint64_t before = record.pretraining.steps, steps = record.training.steps;
  const std::string first = counted(before, "step") + " without labels";
  if (steps == 0) return first;
  return before == 0 ? counted(steps, "step")
                     : fmt::format("{} and {}", first, counted(steps, "step"));
}

// Cells of fewer than 4 x 4, with their neighbours.
constexpr std::uint64_t few_cells = 36;

void run(const TrainOptions& options, const cli::CommonOptions& common) {
  const cli::Console console(common.quiet);
  RunRequest request;
  request.kind = &rival_named(options.rival);
  request.settings.released = released_of(options, *request.kind);
  request.settings.measure = measure_from(options.measure);
  if (needs_epsilon(request.settings.measure))
    throw Error(
        ErrorCode::usage,
        fmt::format("rivals have no epsilon, which the measure '{}' needs", options.measure),
        "choose another, as dtw, edwp, frechet or hausdorff");
  request.settings.seed = options.seed;
  request.space = space_kind_from(options.space);
  request.budget.seconds = options.seconds;
  if (options.seconds) request.settings.cell_seconds = *options.seconds / 3;
  request.budget.steps = options.steps;
  cli::check_outputs({options.data}, {options.output, log_of(options)});
  if (std::filesystem::path(options.output).extension() != ".safetensors")
    throw Error(ErrorCode::usage, fmt::format("{} is no name for a rival", options.output),
                "let it end in .safetensors");
  const std::filesystem::path folder = std::filesystem::path(options.output).parent_path();
  for (const std::filesystem::path& file : {std::filesystem::path(options.output), log_of(options)})
    if (std::filesystem::is_directory(file))
      throw Error(ErrorCode::usage, fmt::format("{} is a folder", file.string()),
                  "choose another name");
  if (!folder.empty() && !std::filesystem::is_directory(folder))
    throw Error(ErrorCode::failure, fmt::format("{}: there is no such folder", folder.string()),
                "make it first");
  request.settings.device = device_from(options.device, common.threads);
  const Dataset data = Dataset::open(options.data);
  Follower follower(console, log_of(options));
  const RunRecord record = make_run(data, request, options.output, follower.watch());
  if (record.cells < few_cells)
    console.say(
        "note: all trips lie within {} cells of 100 units: rivals that know cells alone cannot "
        "tell "
        "them apart",
        record.cells);
  if (common.json) return cli::print_document(json_of(request, record));
  console.say("{}, {} parameters: HR@10 {:.3f} on validation after {} in {} on {}{} -> {}",
              title_of(*request.kind, request.settings), with_thousands(record.parameters),
              record.training.best->hr10, steps_of(record),
              human_seconds(record.training.seconds + record.pretraining.seconds),
              describe(request.settings.device), record.training.rising ? ", still rising" : "",
              options.output);
}

}  // namespace

void add_train(CLI::App& app, cli::CommonOptions& common) {
  auto options = std::make_shared<TrainOptions>();
  CLI::App* verb = app.add_subcommand("train", "Train one rival for one measure");
  verb->footer(
      "Learns from the trips marked train, by true distances of our own; those marked validation\n"
      "choose the weights. Beside RIVAL.safetensors: RIVAL.jsonl, a line a validation, and\n"
      "pretrained-*.safetensors with what was learned without true distances, which runs of other\n"
      "measures in the same folder share.\n"
      "Examples:\n"
      "  tsmini-rivals train porto.tsd --rival t3s --measure dtw --seconds 60 -o t3s.safetensors\n"
      "  tsmini-rivals train porto.tsd --rival trajcl --as-released -o trajcl.safetensors");
  verb->add_option("DATA", options->data,
                   "A data set (.tsd) with a split, trips of up to 1,000 points")
      ->required()
      ->option_text("DATA");
  verb->add_option("--rival", options->rival, "Which one; see tsmini-rivals list")
      ->transform(cli::any_case())
      ->required()
      ->option_text("NAME");
  verb->add_option("-o,--output", options->output, "The rival to write (.safetensors)")
      ->required()
      ->option_text("RIVAL");
  verb->add_option("--measure", options->measure, "What it learns (default frechet)")
      ->transform(cli::any_case())
      ->option_text("MEASURE");
  cli::add_choice(*verb, "--space", options->space, space_kind_names,
                  "In which distances are taken (default zscore)")
      ->option_text("SPACE");
  verb->add_option("--seconds", options->seconds,
                   "At most so many of training, as many of pretraining before it, and a third of "
                   "that for vectors of cells; no step is cut short (default: the epochs of its "
                   "recipe)")
      ->check(cli::above(0))
      ->option_text("S");
  verb->add_option("--steps", options->steps, "So many steps in place of the recipe's epochs")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40))
      ->option_text("N");
  verb->add_option("--seed", options->seed, "Of weights and batches (default 1)")->option_text("N");
  verb->add_flag("--as-released", options->as_released,
                 "Keep all mistakes of the released code that are mended here");
  verb->add_option("--released", options->released, "Keep this one; again for more")
      ->type_size(1)
      ->allow_extra_args(false)
      ->option_text("NAME");
  cli::add_choice(*verb, "--device", options->device, device_names,
                  "Where to compute: cpu (default) or cuda");
  cli::add_common(*verb, common, cli::Reports::yes);
  verb->callback([options, &common] { run(*options, common); });
}

}  // namespace tsmini::rivals
