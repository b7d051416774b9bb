#include <cstdint>
#include <filesystem>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/error.h"
#include "tsmini/rivals.h"
#include "tsmini/train.h"
#include "tsmini/version.h"

#include "base/amounts.h"
#include "common/console.h"
#include "common/document.h"
#include "common/outputs.h"
#include "common/shell_word.h"
#include "experiment/experiments.h"
#include "experiment/rival.h"
#include "experiment/rival_program.h"
#include "experiment/training_pace.h"
#include "experiment/trip_sets.h"
#include "learn_verbs.h"
#include "open_trips.h"

namespace tsmini::cli {
namespace {

using experiment::City;
using experiment::Cost;
using experiment::Experiment;
using experiment::Report;
using experiment::Setting;

City open_city(const std::string& file) {
  if (is_collection(file)) {
    throw Error(
        ErrorCode::bad_input,
        fmt::format("{}: is a folder; experiments take a data set (.tsd)", file),
        fmt::format("write one of a collection: tsmini export {} -o DATA.tsd", shell_word(file)));
  }
  return {std::filesystem::path(file).stem().string(),
          experiment::with_split(Dataset::open(file), 1)};
}

experiment::RivalChoice rivals_for(const ExperimentOptions& options) {
  experiment::RivalChoice choice = experiment::rivals_from(options.rivals);
  choice.as_released = options.as_released;
  if (options.quick) choice.seconds = 2;
  if (options.full) choice.seconds.reset();
  if (options.rival_seconds) choice.seconds = options.rival_seconds;
  return choice;
}

Setting setting_for(const ExperimentOptions& options) {
  Setting setting;
  setting.city = open_city(options.data);
  if (!options.other.empty()) setting.other = open_city(options.other);
  setting.space = space_kind_from(options.space);
  setting.seeds.resize(options.seeds);
  std::iota(setting.seeds.begin(), setting.seeds.end(), std::uint64_t{1});
  if (options.quick) {
    setting.steps = 100;
    setting.validations = 4;
    setting.measures = {Measure::dtw, Measure::frechet};
    setting.synthetic = 700;
  }
  if (options.steps) setting.steps = options.steps;
  if (options.full) setting.steps.reset();
  setting.rivals = rivals_for(options);
  if (!options.measures.empty()) setting.measures.clear();
  for (const std::string& name : options.measures) {
    setting.measures.push_back(measure_from(name));
    if (needs_epsilon(setting.measures.back()))
      throw Error(ErrorCode::usage,
                  fmt::format("experiments have no epsilon, which the measure '{}' needs", name),
                  "choose another, as dtw, edwp, frechet or hausdorff");
  }
  return setting;
}

std::vector<Experiment> chosen(const ExperimentOptions& options, const Console& console) {
  if (options.name != "all") return {experiment::experiment_named(options.name)};
  std::vector<Experiment> all;
  for (const Experiment& one : experiment::experiments()) {
    if (one.needs_other && options.other.empty()) {
      console.say("without {}, which needs a second city: --other DATA", one.name);
    } else {
      all.push_back(one);
    }
  }
  return all;
}

void check_rivals(const ExperimentOptions& options, const std::vector<Experiment>& experiments) {
  if (options.rivals.empty()) return;
  std::string names;
  for (const Experiment& one : experiment::experiments()) {
    if (experiment::has_rivals(one.name))
      names += fmt::format("{}{}", names.empty() ? "" : ", ", one.name);
  }
  for (const Experiment& one : experiments)
    if (experiment::has_rivals(one.name)) return;
  throw Error(ErrorCode::usage, fmt::format("{} has no rivals", options.name),
              fmt::format("leave out --rivals, or choose one of {}", names));
}

std::string words_of(const Cost& cost, double seconds) {
  std::string text =
      fmt::format("{} to make, {} in all", counted(cost.runs, "run"), counted(cost.steps, "step"));
  if (cost.done > 0) text += fmt::format(" ({} made before)", with_thousands(cost.done));
  const bool own = cost.runs > cost.rival_runs || cost.rival_runs == 0;
  if (own)
    text += fmt::format("; about {}{}, judged by a trial of two seconds", human_seconds(seconds),
                        cost.rival_runs > 0 ? " for ours" : "");
  if (cost.rival_runs == 0) return text;
  text +=
      fmt::format("{} {} of rivals ", own ? ", and for" : "; for", counted(cost.rival_runs, "run"));
  return text + (cost.rival_seconds ? fmt::format("up to {}", human_seconds(*cost.rival_seconds))
                                    : std::string("as long as the epochs of their recipes take"));
}

// The plan is what was asked for: on standard output, with --quiet too.
void print_plan(const Cost& cost, double seconds, bool json) {
  if (!json) {
    fmt::print("{}\n", words_of(cost, seconds));
    return;
  }
  nlohmann::ordered_json plan = {{"runs", cost.runs},
                                 {"runs_made_before", cost.done},
                                 {"steps", cost.steps},
                                 {"seconds", seconds},
                                 {"rival_runs", cost.rival_runs}};
  plan["rival_seconds"] =
      cost.rival_seconds ? nlohmann::ordered_json(*cost.rival_seconds) : nullptr;
  print_document(plan);
}

std::string device_words(const std::string& name, std::size_t threads) {
  return describe(device_from(name), threads);
}

// A label as a terminal has it: those of reports are of Markdown.
std::string without_backticks(std::string label) {
  std::erase(label, '`');
  return label;
}

// Follows the runs: a line for each, and its steps.
class Follower {
 public:
  Follower(const Console& console, std::size_t runs) : console_(console), runs_(runs) {}

  void follow(const experiment::RunEvent& event) {
    if (event.run != run_) {
      run_ = event.run;
      console_.say("run {} of {}: {}", event.run, runs_, without_backticks(event.label));
      progress_ = event.is_rival ? Progress() : console_.progress("training", Unit::steps);
    }
    throw_if_interrupted();
    if (progress_) progress_({event.training.step, event.training.steps});
  }

  // What an interruption means here.
  template <class Work>
  auto made(const Work& work) const {
    try {
      return work();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::interrupted) throw;
      throw Error(ErrorCode::interrupted,
                  fmt::format("interrupted in run {} of {}; what was made is kept", run_, runs_),
                  "the same command goes on where it stopped");
    }
  }

 private:
  const Console& console_;
  std::size_t runs_, run_ = 0;
  Progress progress_;
};

Cost cost_of(const std::vector<Experiment>& experiments, const Setting& setting,
             const std::filesystem::path& folder, const std::string& device) {
  experiment::PlanLab plan(folder, device);
  for (const Experiment& one : experiments) one.run(setting, plan);
  return plan.cost();
}

// Told before anything is made, not after hours. A plan may be made without the program.
std::filesystem::path program_for_rivals(const Setting& setting, bool plan,
                                         const Console& console) {
  check_fit_for_rivals(setting.city.data, setting.seeds.front());
  if (setting.other) check_fit_for_rivals(setting.other->data, setting.seeds.front());
  try {
    return experiment::found_program(experiment::program_folders());
  } catch (const Error& error) {
    // The library's hint says where the program has to be, not how it is made.
    constexpr const char* hint =
        "run scripts/setup.sh --rivals, build with -DTSMINI_RIVALS=ON, and put tsmini-rivals "
        "beside tsmini";
    if (!plan) throw Error(error.code(), error.what(), hint);
    console.say("note: {}\n  hint: {}", error.what(), hint);
    return {};
  }
}

// Tables are there, with gaps: a script should know.
void throw_if_failed(const std::vector<Report>& reports) {
  std::size_t failures = 0;
  for (const Report& report : reports) failures += report.failures.size();
  if (failures == 0) return;
  throw Error(ErrorCode::failure,
              fmt::format("{} of rivals failed: their figures are missing in the tables",
                          counted(failures, "run")),
              "the reports say why; the same command tries them again");
}

// The folder, and what has a fixed name in it.
std::vector<std::filesystem::path> outputs_of(const std::vector<Experiment>& experiments,
                                              const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> outputs{folder, folder / "all.md", folder / "all.json"};
  for (const Experiment& one : experiments) {
    for (const char* ending : {".md", ".json", ".svg"}) {
      outputs.push_back(folder / (std::string(one.name) + ending));
    }
  }
  return outputs;
}

}  // namespace

void make_experiments(const ExperimentOptions& options, const CommonOptions& common) {
  const Console console(common.quiet);
  const std::vector<Experiment> experiments = chosen(options, console);
  check_rivals(options, experiments);
  if (options.output.empty() && !options.plan) {
    throw Error(ErrorCode::usage, "where should tables, figures and models go?",
                "name a folder with -o FOLDER; only --plan needs none");
  }
  if (!options.output.empty()) {
    check_outputs({options.data, options.other}, outputs_of(experiments, options.output));
  }
  const Setting setting = setting_for(options);
  const std::filesystem::path folder = options.output,
                              runs = folder.empty() ? folder : folder / "runs";
  const std::string device = device_words(options.device, common.threads);
  const Cost cost = cost_of(experiments, setting, runs, options.device);
  Follower follower(console, cost.runs);
  const Progress stopping = [](const ProgressState&) { throw_if_interrupted(); };
  experiment::RivalTools rivals;
  if (cost.rival_runs > 0) rivals.program = program_for_rivals(setting, options.plan, console);
  if (!common.quiet) rivals.tell = [&](std::string_view line) { console.say("{}", line); };
  const bool is_told = !common.quiet || options.plan;
  const double pace = is_told && cost.operations > 0
                          ? experiment::pace_of(setting, options.device, common.threads, stopping)
                          : 1;
  if (options.plan) {
    print_plan(cost, cost.operations / pace, common.json);
    return;
  }
  console.say("{}", words_of(cost, cost.operations / pace));
  experiment::WorkLab lab(
      runs, options.device, common.threads,
      [&](const experiment::RunEvent& event) { follower.follow(event); }, stopping, rivals);
  std::vector<Report> reports;
  for (const Experiment& one : experiments) {
    Report report = follower.made([&] { return one.run(setting, lab); });
    report.made_with.push_back(fmt::format("{}, tsmini {}", device, version()));
    report.save(folder);
    console.say("{} ({}) -> {}", one.name, one.in_paper, (folder / (report.name + ".md")).string());
    reports.push_back(std::move(report));
  }
  if (options.name == "all") {
    experiment::save_together(reports, folder);
    console.say("all on one page -> {}", (folder / "all.md").string());
  }
  if (common.json) {
    fmt::print("{}", experiment::json_list(reports, 2));
  } else {
    for (const Report& report : reports) fmt::print("{}\n", report.markdown());
  }
  throw_if_failed(reports);
}

}  // namespace tsmini::cli
