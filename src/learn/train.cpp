#include "tsmini/train.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tbb/task_arena.h>

#include "tsmini/error.h"

#include "base/random.h"
#include "base/stopwatch.h"
#include "learn/checkpoint.h"
#include "learn/parallel.h"
#include "learn/rate_share.h"
#include "learn/step.h"
#include "learn/thrown.h"
#include "learn/train_setup.h"
#include "learn/train_with.h"
#include "learn/validation.h"

namespace tsmini {
namespace learn {
namespace {

using Json = nlohmann::ordered_json;

// What cannot be looked at is there: whoever reads it says what is wrong.
bool may_be_there(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::status(path, error).type() != std::filesystem::file_type::not_found;
}

class Training {
 public:
  Training(const Dataset& data, const TrainOptions& options, const TrainObserver& observer,
           Products products)
      : options_(options),
        recipe_(options.recipe),
        observer_(observer),
        setup_(data, options, observer, products) {
    if (options.resume && may_be_there(options.checkpoint)) resume();
    setup_.measure(data, options, observer, [this] { breathe(); });
    setup_.learner->set_loss_sum(state_.loss_sum);
  }

  Model run() {
    preparing_seconds_ = state_.preparing_seconds + whole_.seconds();
    steps_.restart();
    take_up_budget();
    if (observer_.ready) observer_.ready(setup_.facts);
    try {
      for (const TrainEvent& event : state_.events) tell(event);
      loop();
    } catch (const WentAstray&) {
      rescue_if_asked();
      throw;
    } catch (...) {
      keep_what_there_is();
      throw;
    }
    return model();
  }

 private:
  // A budget that is longer than the checkpoint's has validations to come where that had them.
  void take_up_budget() {
    state_.validations = std::min(state_.validations, validations_due());
    setup_.facts.step = state_.step;
    setup_.facts.spent = std::min(progress(state_.step), 1.0);
  }

  void loop() {
    rate_ = rate_at(state_.step);
    if (state_.step > 0) validate_if_due();  // it may have been stopped in the midst of one
    if (state_.step > 0 && finished()) return;
    StepInput input = input_for(state_.step);
    for (;;) {
      const bool last = progress(state_.step + 1) >= 1;
      StepInput next;
      if (!last) next = input_for(state_.step + 1);
      rate_ = static_cast<double>(input.rates.rate);
      setup_.learner->step(input, last ? nullptr : &next);
      ++state_.step;
      ++steps_here_;
      last_ = last;
      validate_if_due();
      if (finished()) return;
      breathe();
      input = std::move(next);
    }
  }

  std::uint64_t validations_due() const {
    return static_cast<std::uint64_t>(std::min(progress(state_.step), 1.0) *
                                      static_cast<double>(recipe_.validations));
  }

  void validate_if_due() {
    last_ = last_ || progress(state_.step) >= 1;
    const bool judged = best_ && !state_.events.empty() && state_.events.back().step == state_.step;
    if (judged) return;
    const std::uint64_t due = validations_due();
    if (!last_ && (due <= state_.validations || !can_afford_validation())) return;
    validate(due);
  }

  // A budget of time is for training: no validation but the last begins where those before took
  // more than a sixth of the time.
  bool can_afford_validation() const {
    return options_.time_budget <= 0 || state_.judging_seconds <= seconds() / 6;
  }

  bool finished() const {
    return last_ || (recipe_.patience > 0 && state_.since_best >= recipe_.patience);
  }

  double seconds() const { return state_.seconds + steps_.seconds(); }

  // Share of the budget that is spent after `steps`, of which training knows nothing but what is
  // left of it: reading and measuring before the first step, and the last validation, come off.
  double progress(std::uint64_t steps) const {
    const bool timed = options_.time_budget > 0;
    double share = 0;
    if (!timed || options_.steps_too)
      share = static_cast<double>(steps) / static_cast<double>(recipe_.steps);
    if (!timed) return share;
    const double left = options_.time_budget - preparing_seconds_ - state_.last_judging_seconds;
    return std::max(share, left > 0 ? seconds() / left : 1.0);
  }

  std::uint64_t expected_steps() const {
    if (options_.time_budget <= 0) return recipe_.steps;
    const double share = std::clamp(progress(state_.step), 1e-9, 1.0);
    return static_cast<std::uint64_t>(static_cast<double>(state_.step) / share);
  }

  // Where the budget is used up before the first step, that step is as a first one would be.
  double rate_at(std::uint64_t step) const {
    return recipe_.rate * rate_share(recipe_, step == 0 ? 0 : progress(step), step);
  }

  StepInput input_for(std::uint64_t step) const {
    return {sample_batch(options_.seed, step, setup_.train.size(), recipe_.batch),
            rates_of(step, rate_at(step), recipe_.average),
            static_cast<std::int64_t>(Random(options_.seed, ~step).bits())};
  }

  TrainEvent event_now() const {
    TrainEvent event;
    event.step = state_.step;
    event.steps = expected_steps();
    event.seconds = seconds();
    event.all_seconds = event.seconds + preparing_seconds_;
    event.rate = rate_;
    event.best_hr10 = state_.best.hr10;
    return event;
  }

  // Lets the observer in, where it has waited long enough.
  void breathe() {
    if (untold_.seconds() >= observer_.pause) tell(event_now());
  }

  void tell(const TrainEvent& event) {
    untold_.restart();
    if (!observer_.event) return;
    try {
      observer_.event(event);
    } catch (...) {
      stopped_ = true;
      throw;
    }
  }

  void take_loss() {
    state_.loss_sum = setup_.learner->loss_sum();
    state_.loss_steps += std::exchange(steps_here_, 0);
  }

  void validate(std::uint64_t due) {
    take_loss();
    TrainEvent event = event_now();
    event.loss = state_.loss_sum / static_cast<double>(state_.loss_steps);
    const Stopwatch judging;
    const Verdict verdict =
        setup_.learner->judge(setup_.truth, [this](const ProgressState&) { breathe(); });
    state_.last_judging_seconds = judging.seconds();
    state_.judging_seconds += state_.last_judging_seconds;
    event.all_seconds = preparing_seconds_ + seconds();
    state_.validations = due;
    setup_.learner->set_loss_sum(state_.loss_sum = 0);
    state_.loss_steps = 0;
    event.validated = true;
    event.score = verdict.score;
    // Among ten others or fewer every answer is a hit: the latest weights are the best guess then.
    const bool tells = verdict.score.base > 10;
    event.improved = !tells || verdict.score.hr10 > state_.best.hr10 || !best_;
    ++state_.since_best;
    if (event.improved) {
      state_.best = verdict.score;
      state_.best_step = state_.step;
      state_.since_best = 0;
      state_.calibration = verdict.calibration;
      best_ = verdict;
    }
    event.best_hr10 = state_.best.hr10;
    last_ = last_ || progress(state_.step) >= 1;  // the validation itself took time
    state_.events.push_back(event);
    save();
    tell(event);
  }

  void save() {
    if (options_.checkpoint.empty()) return;
    Checkpoint checkpoint = state_;
    checkpoint.request = setup_.plan.fingerprint;
    checkpoint.seconds = seconds();
    checkpoint.preparing_seconds = preparing_seconds_;
    checkpoint.tensors = setup_.learner->numbers();
    if (best_) {
      checkpoint.tensors["best.weights"] = best_->weights;
      checkpoint.tensors["best.buffers"] = best_->buffers;
    }
    checkpoint.save(options_.checkpoint);
  }

  void resume() {
    state_ = Checkpoint::load(options_.checkpoint);
    check_same_request(state_, setup_.plan.fingerprint, options_.checkpoint);
    setup_.facts.other_budget = other_budget(state_, setup_.plan.fingerprint);
    std::optional<std::string> wrong = setup_.learner->set_numbers(state_.tensors);
    if (!wrong && state_.tensors.contains("best.weights")) {
      best_ = Verdict{state_.best, state_.calibration, state_.tensors["best.weights"],
                      state_.tensors["best.buffers"]};
      if (best_->weights.size() != state_.tensors["weights"].size()) wrong = "best.weights";
      if (best_->buffers.size() != state_.tensors["buffers"].size()) wrong = "best.buffers";
    }
    if (wrong)
      throw Error(ErrorCode::bad_input,
                  fmt::format("{}: its '{}' is missing or of another size",
                              options_.checkpoint.string(), *wrong),
                  "leave out `resume` to start over", "checkpoint");
    state_.tensors.clear();
  }

  // Once a step was made: a checkpoint, and a model, though it may be one that nobody has judged. A
  // run that was stopped says why there is no checkpoint; one that failed, why it failed.
  void keep_what_there_is() {
    if (state_.step == 0) return;
    std::exception_ptr unsaved;
    try {
      take_loss();
      save();
    } catch (...) {
      if (stopped_) unsaved = std::current_exception();
    }
    try {
      rescue_if_asked();
    } catch (...) {
      if (!unsaved) throw;
    }
    if (unsaved) std::rethrow_exception(unsaved);
  }

  void rescue_if_asked() {
    if (observer_.stopped && state_.step > 0) rescue();
  }

  void rescue() {
    Json figures{{"finished", false}};
    if (best_) {
      figures.update(best_figures());
      observer_.stopped(model_of(*best_, figures));
    } else if (stopped_) {
      figures.update(Json{{"step", state_.step}, {"validated", false}});
      observer_.stopped(model_of(setup_.learner->calibrate_quickly(setup_.truth), figures));
    }
  }

  Json best_figures() const {
    return {{"step", state_.best_step},
            {"validation_base", state_.best.base + 1},
            {"validation_hr10", state_.best.hr10},
            {"validation_hr50", state_.best.hr50}};
  }

  Model model() const { return model_of(*best_, best_figures()); }

  Model model_of(const Verdict& verdict, const Json& figures) const {
    Model model;
    model.net = recipe_.net;
    model.frame = setup_.plan.frame;
    model.measure = options_.measure;
    model.measure_settings = options_.measure_settings;
    model.space = setup_.plan.space;
    model.calibration = verdict.calibration;
    model.tensors = setup_.learner->tensors(verdict);
    Json provenance =
        options_.provenance.empty() ? Json::object() : Json::parse(options_.provenance);
    provenance.update(Json{
        {"seed", options_.seed}, {"device", name_of(options_.device)}, {"batch", recipe_.batch}});
    if (options_.time_budget > 0) provenance["time_budget"] = options_.time_budget;
    provenance.update(figures);
    provenance.update(Json{{"train_trajectories", setup_.facts.train},
                           {"validation_trajectories", setup_.facts.validation},
                           {"validation_drawn_from", setup_.facts.for_validation}});
    Json& recipe = provenance["recipe"] = Json::object();
    for (const RecipeField& field : recipe_fields())
      recipe[std::string(field.name)] = field_value(recipe_, field.name);
    model.provenance = provenance.dump();
    return model;
  }

  const TrainOptions& options_;
  const Stopwatch whole_{options_.started.value_or(Stopwatch::Clock::now())};
  const Recipe& recipe_;
  const TrainObserver& observer_;
  TrainSetup setup_;
  Checkpoint state_;  // but for its request and tensors, which are filled in when it is saved
  std::optional<Verdict> best_;
  bool stopped_ = false;  // by the observer
  bool last_ = false;     // the budget is used up
  double rate_ = 0;       // of the step that was made last
  double preparing_seconds_ = 0;
  std::uint64_t steps_here_ = 0;  // since the loss was last taken
  Stopwatch steps_, untold_;      // since the first step, since the observer was told
};

// The size of a oneTBB arena for `threads`, 0 of which are all cores.
int size_for(std::size_t threads) {
  constexpr std::size_t most = 4096;
  if (threads > most)
    throw Error(ErrorCode::usage, fmt::format("{} threads are too many", threads),
                fmt::format("`threads` takes {} at most, or 0 for all cores", most), "threads");
  return static_cast<int>(allowed_threads(threads));
}

}  // namespace

Model train_with(Products products, const Dataset& data, const TrainOptions& options,
                 const TrainObserver& observer) {
  try {
    const TrainObserver mine = marked(observer);
    tbb::task_arena threads(size_for(options.threads));
    return threads.execute([&] { return Training(data, options, mine, products).run(); });
  } catch (const Thrown& thrown) {
    std::rethrow_exception(thrown.what);
  } catch (const std::bad_alloc&) {
    throw Error(
        ErrorCode::failure,
        fmt::format("out of memory, in training with a batch of {}", options.recipe.batch),
        "use a smaller `batch` or `augment_to`, `labels=batch`, shorter trips, or a machine with "
        "more of it");
  } catch (const std::filesystem::filesystem_error& error) {
    throw Error(ErrorCode::failure, fmt::format("training cannot go on: {}", error.what()),
                "check the folder of the checkpoint, or choose another", "checkpoint");
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::failure, fmt::format("training cannot go on: {}", error.what()),
                "free what the machine lacks, or raise the limit on it (ulimit -a lists them)");
  }
}

}  // namespace learn

Model train(const Dataset& data, const TrainOptions& options, const TrainObserver& observer) {
  return learn::train_with(learn::Products::tf32, data, options, observer);
}

}  // namespace tsmini
