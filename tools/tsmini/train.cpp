#include "tsmini/train.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <unistd.h>

#include "tsmini/error.h"
#include "tsmini/model.h"
#include "tsmini/recipe.h"
#include "tsmini/space.h"

#include "base/amounts.h"
#include "base/file.h"
#include "base/file_lock.h"
#include "base/system_reason.h"
#include "base/text.h"
#include "base/utf8.h"
#include "common/console.h"
#include "common/document.h"
#include "common/error_of.h"
#include "common/laps.h"
#include "common/long_trips.h"
#include "common/outputs.h"
#include "common/reach_note.h"
#include "learn_verbs.h"
#include "open_trips.h"
#include "read_ahead.h"
#include "score_text.h"
#include "train_log.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

// MODEL.safetensors -> MODEL.jsonl.
std::filesystem::path beside(const std::string& model, const char* extension) {
  std::filesystem::path path = model;
  if (path.extension() == ".safetensors") return path.replace_extension(extension);
  return path += extension;
}

void apply(const std::string& setting, Recipe& recipe) {
  const std::size_t at = setting.find('=');
  if (at == std::string::npos) {
    throw Error(ErrorCode::usage, fmt::format("--set: '{}' is not KEY=VALUE", printable(setting)),
                "for example --set net.layers=2; tsmini train --help lists the keys");
  }
  set_field(recipe, setting.substr(0, at), setting.substr(at + 1));
}

// Whether the number of steps was given: by --steps or by --set steps=.
bool names_steps(const TrainArguments& arguments) {
  return arguments.steps || std::any_of(arguments.settings.begin(), arguments.settings.end(),
                                        [](const auto& set) { return set.starts_with("steps="); });
}

// Checks the reach of what the split marks, or of everything: a far test trip could not be
// evaluated. A model that keeps its box refuses what lies outside by itself.
void check_reach_of(const Dataset& data, const TrainOptions& options, const std::string& file,
                    const Console& console) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (!data.info().has_split || data.part(i) != Part::none) indices.push_back(i);
  }
  check_reach(console, training_space(data, options), data, indices, file);
}

// Without its folder; a collection may have been typed with a slash behind it.
std::string name_of_file(const std::filesystem::path& path) {
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

TrainOptions options_for(const TrainArguments& arguments, const Dataset& data) {
  TrainOptions options;
  const MeasureSetup setup(arguments.measure);
  options.measure = setup.measure();
  options.measure_settings = setup.settings();
  options.space = setup.space_kind(data);
  if (!arguments.init.empty()) {
    options.init = Model::load(arguments.init);
    if (!arguments.measure_given) {
      options.measure = options.init->measure;
      options.measure_settings = options.init->measure_settings;
    }
    if (!arguments.space_given) options.space = options.init->space.kind();
  }
  const bool own_gap = !arguments.measure.gap.empty() || (options.init && !arguments.measure_given);
  if (options.measure == Measure::erp && !own_gap) {
    options.measure_settings.gap = usual_gap(Space::fit(options.space, data), data.info().extent);
  }
  options.recipe = recipe_for(arguments.preset, options.measure);
  if (options.init) options.recipe.net = options.init->net;
  for (const std::string& setting : arguments.settings) apply(setting, options.recipe);
  if (arguments.steps) options.recipe.steps = *arguments.steps;
  if (arguments.batch) options.recipe.batch = *arguments.batch;
  options.seed = arguments.seed;
  options.device = device_from(arguments.device);
  options.labels = arguments.labels;
  options.time_budget = arguments.time_budget;
  options.steps_too = arguments.time_budget > 0 && names_steps(arguments);
  options.rebox = arguments.rebox;
  options.checkpoint = beside(arguments.output, ".checkpoint");
  options.resume = arguments.resume;
  Json provenance{{"preset", arguments.preset}, {"data", name_of_file(arguments.data)}};
  if (options.init) provenance["init"] = name_of_file(arguments.init);
  options.provenance = provenance.dump(-1, ' ', false, Json::error_handler_t::replace);
  return options;
}

std::optional<Error> shortage_of(const Dataset& data, const Recipe& recipe) {
  try {
    check_enough(data, recipe);
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

// Where there are enough trips, and only those picked are too few, more data is no remedy.
void check_picked(const Trips& trips, const Dataset& data, const Picking& picking,
                  const Recipe& recipe) {
  const std::optional<Error> shortage = shortage_of(data, recipe);
  if (!shortage) return;
  if (shortage_of(trips.data, recipe)) throw Error(*shortage);
  throw Error(shortage->code(), fmt::format("{}: {}", trips.file, shortage->what()),
              fmt::format("{} leaves {} of {}: pick more, or leave it out", picking_text(picking),
                          with_thousands(data.size()), counted(trips.data.size(), "trip")));
}

void check_long_enough(const std::string& file, const Dataset& data, const TrainOptions& options) {
  try {
    check_lengths(data, options);
  } catch (const Error& error) {
    throw error_of(file, error);
  }
}

// What the provenance of a model says under this name; `usual` where it says nothing.
bool says(const Model& model, const char* name, bool usual) {
  return Json::parse(model.provenance).value(name, usual);
}

// A run that ended has no checkpoint: to begin it anew is not what whoever resumes it wants.
void check_not_finished(const TrainArguments& arguments, const TrainOptions& options) {
  if (!arguments.resume || std::filesystem::exists(options.checkpoint) ||
      !std::filesystem::exists(arguments.output))
    return;
  if (!says(Model::load_description(arguments.output), "finished", true)) return;
  throw Error(ErrorCode::usage,
              fmt::format("{} is there and {} is not: that run is finished", arguments.output,
                          options.checkpoint.string()),
              "leave out --resume to train anew, or go on from its weights with --init");
}

bool has_content(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) &&
         std::filesystem::file_size(path, error) > 0;
}

// A log is written in place, so that it must not be closed to writing itself.
void check_writable(const std::filesystem::path& path) {
  static_cast<void>(OutputFile(path));
  if (std::filesystem::exists(path) && ::access(path.c_str(), W_OK) != 0)
    throw Error(ErrorCode::failure,
                fmt::format("{}: cannot write: {}", path.string(), reason_of(errno)),
                remedy_for(errno, FileUse::write));
}

// Whoever misspells the output loses no data: what is there and is no model of ours stays, and so
// does what is beside it and is no log of a training. All three must be writable before any work.
void check_replaced(const std::filesystem::path& output) {
  const auto refuse = [](const std::filesystem::path& path, const char* what) {
    throw Error(ErrorCode::usage, fmt::format("{} is there, and is no {}", path.string(), what),
                "name another file, as in -o m.safetensors, or remove this one");
  };
  if (has_content(output)) {
    try {
      Model::load_description(output);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::bad_input) throw;
      refuse(output, "model");
    }
  }
  for (const char* ending : {".jsonl", ".svg"}) {
    const std::filesystem::path path = beside(output, ending);
    if (has_content(path) && !TrainLog::is_one(path)) refuse(path, "log of a training");
    check_writable(path);
  }
}

std::string scores_of(const RetrievalScore& score, const char* between) {
  return fmt::format("HR@10 {1}{0}HR@50 {2}{0}R10@50 {3}", between,
                     score_text(score.hr10, 10, score.base), score_text(score.hr50, 50, score.base),
                     score_text(score.r10at50, 50, score.base));
}

double peak_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

// Follows a run: tells how it goes, logs it, and knows its figures in the end.
class Run {
 public:
  Run(const TrainArguments& arguments, const TrainOptions& options, const CommonOptions& common)
      : arguments_(arguments), options_(options), console_(common.quiet) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  // A run that came to nothing leaves no empty log.
  ~Run() {
    std::error_code error;
    if (alone_ && std::filesystem::file_size(lines_, error) == 0 && !error)
      std::filesystem::remove(lines_, error);
  }

  const Console& console() const { return console_; }

  // To be called before any work: from here on no other run has this output.
  void announce() {
    alone_.emplace(lines_, [this](const ProgressState&) {
      throw Error(ErrorCode::failure, fmt::format("another tsmini trains {}", arguments_.output),
                  "wait for it, or choose another -o");
    });
    console_.say("{} in {} space, {} preset, seed {}", name_of(options_.measure),
                 name_of(options_.space), arguments_.preset, options_.seed);
    const bool there = std::filesystem::exists(options_.checkpoint);
    if (there && !options_.resume) {
      console_.say(
          "starting over; {} of an earlier run will be replaced (--resume goes on from it)",
          options_.checkpoint.string());
    } else if (!there && options_.resume) {
      console_.say("there is no {}: starting at the beginning", options_.checkpoint.string());
    }
  }

  // What goes before the first step.
  void prepare(TrainStage stage, const ProgressState& state) {
    if (said_.insert(stage).second) console_.say("{}", words_of(stage));
    if (stage_ != stage || state.done < prepared_) {
      stage_ = stage;
      progress_ = console_.progress(words_of(stage), Unit::trips);
    }
    prepared_ = state.done;
    progress_(state);
  }

  void begin(const TrainFacts& facts) {
    throw_if_interrupted();
    progress_ = {};
    facts_ = facts;
    const std::string drawn =
        facts.validation < facts.for_validation
            ? fmt::format(", drawn from {}", with_thousands(facts.for_validation))
            : "";
    console_.say("{} training trajectories ({} points), {} for validation ({} points){}",
                 with_thousands(facts.train), with_thousands(facts.train_points),
                 with_thousands(facts.validation), with_thousands(facts.validation_points), drawn);
    if (facts.composed > 0)
      console_.say("and {} composed of the training trajectories", with_thousands(facts.composed));
    console_.say("{} parameters, {}; true distances so far: {} (largest {})",
                 with_thousands(facts.parameters), describe(options_.device, options_.threads),
                 human_seconds(facts.label_seconds), human_number(facts.largest, 6));
    if (facts.validation <= 11) {
      console_.say(
          "note: HR@10 tells nothing among so few for validation, so the last weights are kept; "
          "more of them would choose better ones");
    }
    if (facts.step > 0) say_where_it_goes_on();
    if (facts.step == 0 && facts.spent >= 1) {
      console_.say("note: the time budget is used up before the first step; one step is made");
    }
    log_.emplace(lines_, beside(arguments_.output, ".svg"), title());
    progress_ = console_.progress("training", Unit::steps, [this] { return note_; });
    progress_({facts.step, std::max(facts.step, options_.recipe.steps)});
  }

  void follow(const TrainEvent& event) {
    last_ = event;
    if (event.validated) {
      log_->add(event);
      if (event.improved) best_ = event;
      note_ = fmt::format(", loss {:.4g}, HR@10 {}", event.loss,
                          score_text(event.best_hr10, 10, event.score.base));
      if (!event.past) {
        console_.say("step {:>6}  loss {:<8.4g}  {}  {} steps/s", with_thousands(event.step),
                     event.loss, scores_of(event.score, "  "),
                     human_number(log_->steps_per_second()));
      }
    }
    if (!event.past) progress_({event.step, event.steps});
  }

  // Keeps what was learned until a run was stopped. A finished model is better than one that no
  // validation has seen: the checkpoint has that.
  void rescue(const Model& model) {
    validated_ = says(model, "validated", true);
    if (!keeps_finished()) model.save(arguments_.output);
    rescued_ = true;
    if (!keeps_finished()) log_->draw();
  }

  bool rescued() const { return rescued_; }
  std::string what_is_left() const {
    if (keeps_finished()) {
      return fmt::format(
          "{} is the finished model that it was, since no validation has seen what was learned",
          arguments_.output);
    }
    return fmt::format(
        "{} holds {}", arguments_.output,
        validated_ ? "the best so far" : "what was learned, which no validation has seen");
  }

  [[noreturn]] void stopped(const Error& error) {
    progress_ = {};
    if (!rescued_ && options_.resume && std::filesystem::exists(options_.checkpoint)) {
      throw Error(error.code(),
                  fmt::format("interrupted before another step was made; {} and the model are as "
                              "they were",
                              options_.checkpoint.string()),
                  "the same command goes on");
    }
    if (!rescued_) {
      throw Error(
          error.code(),
          fmt::format("interrupted before a step was made; {}",
                      held_model_ ? arguments_.output + " is as it was" : "there is no model yet"),
          "the same command begins again");
    }
    throw Error(error.code(),
                fmt::format("interrupted after step {}; {}, {} {}", with_thousands(last_.step),
                            what_is_left(), options_.checkpoint.string(),
                            keeps_finished() ? "holds where this run stood" : "where it stood"),
                "the same command with --resume goes on");
  }

  void finish(const Model& model) {
    progress_ = {};
    model.save(arguments_.output);
    make_durable(arguments_.output);  // before the checkpoint goes
    log_->draw();
    std::filesystem::remove(options_.checkpoint);
  }

  // `seconds`: since the verb began.
  void report(const Model& model, bool json, double seconds) const {
    if (json) {
      const Json report = {{"model", arguments_.output},
                           {"measure", name_of(options_.measure)},
                           {"space", Json::parse(model.space.to_json())},
                           {"preset", arguments_.preset},
                           {"seed", options_.seed},
                           {"device", name_of(options_.device)},
                           {"steps", last_.step},
                           {"best_step", best_.step},
                           {"seconds", std::max(seconds, last_.all_seconds)},
                           {"training_seconds", last_.seconds},
                           {"label_seconds", facts_.label_seconds},
                           {"hr10", best_.score.hr10},
                           {"hr50", best_.score.hr50},
                           {"r10at50", best_.score.r10at50},
                           {"validation_base", best_.score.base},
                           {"train_trajectories", facts_.train},
                           {"validation_trajectories", facts_.validation},
                           {"validation_drawn_from", facts_.for_validation},
                           {"composed_trajectories", facts_.composed},
                           {"parameters", facts_.parameters},
                           {"peak_memory_bytes", peak_bytes()}};
      print_document(report);
      return;
    }
    console_.say("{} among {} for validation, at step {}", scores_of(best_.score, ", "),
                 with_thousands(best_.score.base + 1), with_thousands(best_.step));
    // A resumed run counts what was done before.
    const double all = std::max(seconds, last_.all_seconds);
    console_.say("{} in {} (training {}), {} of memory -> {}", counted(last_.step, "step"),
                 human_seconds(all), human_seconds(last_.seconds), human_bytes(peak_bytes()),
                 arguments_.output);
  }

 private:
  bool keeps_finished() const { return held_finished_ && !validated_; }

  static std::string words_of(TrainStage stage) {
    switch (stage) {
      case TrainStage::reading: return "reading trips";
      case TrainStage::composing: return "composing trips";
      case TrainStage::measuring: return "measuring true distances";
    }
    return "";
  }

  void say_where_it_goes_on() const {
    console_.say("resuming after step {}", with_thousands(facts_.step));
    if (facts_.other_budget) {
      console_.say(
          "the budget is another one: {:.0f} % of it are spent, and learning rate and validations "
          "follow it from there",
          100 * facts_.spent);
    }
  }

  std::string title() const {
    return fmt::format("{}, {}, {} preset, seed {}", name_of_file(arguments_.data),
                       name_of(options_.measure), arguments_.preset, options_.seed);
  }

  const TrainArguments& arguments_;
  const std::filesystem::path lines_ = beside(arguments_.output, ".jsonl");
  const TrainOptions& options_;
  Console console_;
  std::optional<TrainLog> log_;
  TrainFacts facts_;
  TrainEvent last_, best_;
  std::string note_;
  Progress progress_;
  std::optional<TrainStage> stage_;
  std::set<TrainStage> said_;
  std::uint64_t prepared_ = 0;     // of the stage
  std::optional<FileLock> alone_;  // on the log: two runs would replace each other's files
  // What was at the output when this run began.
  const bool held_model_ = has_content(arguments_.output);
  const bool held_finished_ =
      held_model_ && says(Model::load_description(arguments_.output), "finished", true);
  bool rescued_ = false, validated_ = false;  // what was left of a run that was stopped
};

}  // namespace

void train_model(TrainArguments arguments, const CommonOptions& common) {
  const Laps laps;
  if (arguments.preset.empty())
    arguments.preset = arguments.device == name_of(Device::cuda) ? "default" : "quick";
  check_outputs({arguments.data, arguments.init, arguments.picking.ids_from},
                {arguments.output, beside(arguments.output, ".jsonl"),
                 beside(arguments.output, ".svg"), beside(arguments.output, ".checkpoint")});
  const Trips trips = open_trips(arguments.data, Console(common.quiet));
  const Picking picking = picking_of(arguments.picking);
  const Dataset data = picked_data(trips, picking);
  TrainOptions options = options_for(arguments, data);
  options.started = laps.start();
  options.threads = common.threads;
  check_replaced(arguments.output);
  check_checkpoint(options);
  check_not_finished(arguments, options);
  { const OutputFile writable(arguments.output); }
  check_recipe(options.recipe, options.device);
  check_picked(trips, data, picking, options.recipe);
  check_long_enough(arguments.data, data, options);
  Run run(arguments, options, common);
  TrainObserver observer;
  observer.preparing = [&](TrainStage stage, const ProgressState& state) {
    run.prepare(stage, state);
  };
  observer.ready = [&](const TrainFacts& facts) { run.begin(facts); };
  observer.event = [&](const TrainEvent& event) { run.follow(event); };
  observer.stopped = [&](const Model& model) { run.rescue(model); };
  run.announce();
  note_long_trip(run.console(), data);
  try {
    if (!trips.is_collection())
      read_ahead(arguments.data, run.console().progress("reading", Unit::bytes));
    if (!options.init || options.rebox)
      check_reach_of(data, options, arguments.data, run.console());
    const Model model = train(data, options, observer);
    run.finish(model);
    run.report(model, common.json, laps.seconds());
  } catch (const Error& error) {
    if (error.code() == ErrorCode::interrupted) run.stopped(error);
    if (run.rescued())
      throw error.with_message(fmt::format("{}; {}", error.what(), run.what_is_left()));
    throw;
  } catch (const std::bad_alloc&) {
    throw Error(
        ErrorCode::failure,
        fmt::format("out of memory{}", run.rescued() ? "; " + run.what_is_left() : ""),
        "use a smaller `batch` or `augment_to`, `labels=batch`, shorter trips, or a machine with "
        "more of it");
  }
}

}  // namespace tsmini::cli
