#include "learn/trainer.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/error.h"

#include "base/random.h"
#include "learn/checkpoint.h"
#include "learn/device.h"
#include "learn/recipe_fields.h"
#include "learn/stepper.h"
#include "learn/train_setup.h"
#include "learn/validation.h"

namespace tsmini::learn {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr std::array<const char*, 4> optimiser_names{
    "optimiser.first", "optimiser.second", "optimiser.average", "optimiser.average_buffers"};

class Training {
 public:
  Training(const Dataset& data, const TrainRequest& request, const TrainWatch& watch)
      : request_(request), recipe_(request.recipe), watch_(watch), setup_(data, request) {
    if (request.resume && std::filesystem::exists(request.checkpoint)) resume();
    setup_.measure(data, request);
    setup_.facts.step = state_.step;
    if (request.ready) request.ready(setup_.facts);
  }

  Model run() {
    stepper_ = make_stepper(
        {setup_.net, setup_.optimiser, setup_.train, *setup_.labels, recipe_.loss, setup_.largest});
    start_ = Clock::now();
    try {
      for (const TrainEvent& event : state_.events) tell(event);
      loop();
    } catch (...) {
      keep_what_there_is();
      throw;
    }
    return model();
  }

 private:
  void loop() {
    if (finished() && best_weights_.defined()) return;
    StepInput input = input_for(state_.step);
    for (;;) {
      const bool last = progress(state_.step + 1) >= 1;
      StepInput next;
      if (!last) next = input_for(state_.step + 1);
      stepper_->step(input, last ? nullptr : &next);
      ++state_.step;
      ++steps_here_;
      const auto due = static_cast<std::uint64_t>(progress(state_.step) *
                                                  static_cast<double>(recipe_.validations));
      const bool end = last || progress(state_.step) >= 1;
      if (end || (due > state_.validations && can_afford_validation())) {
        state_.validations = due;
        validate(static_cast<double>(input.rates.rate));
      } else if (seconds_since(told_) > 0.1) {
        tell(event_now(static_cast<double>(input.rates.rate)));
      }
      if (end || finished()) return;
      input = std::move(next);
    }
  }

  // A budget of time is for training: a sixth of it at most goes to validations.
  bool can_afford_validation() const {
    return request_.time_budget <= 0 || judging_seconds_ <= seconds() / 6;
  }

  bool finished() const {
    return progress(state_.step) >= 1 ||
           (recipe_.patience > 0 && state_.since_best >= recipe_.patience);
  }

  double seconds() const { return state_.seconds + seconds_since(start_); }

  // Share of the budget that is spent after `steps`.
  double progress(std::uint64_t steps) const {
    if (request_.time_budget > 0) return seconds() / request_.time_budget;
    return static_cast<double>(steps) / static_cast<double>(recipe_.steps);
  }

  std::uint64_t expected_steps() const {
    if (request_.time_budget <= 0) return recipe_.steps;
    const double share = std::clamp(progress(state_.step), 1e-9, 1.0);
    return static_cast<std::uint64_t>(static_cast<double>(state_.step) / share);
  }

  StepInput input_for(std::uint64_t step) const {
    const double rate = recipe_.rate * rate_share(recipe_, progress(step), step);
    return {sample_batch(request_.seed, step, setup_.train.size(), recipe_.batch),
            setup_.optimiser.rates(step, rate),
            static_cast<std::int64_t>(Random(request_.seed, ~step).bits())};
  }

  TrainEvent event_now(double rate) const {
    TrainEvent event;
    event.step = state_.step;
    event.steps = expected_steps();
    event.seconds = seconds();
    event.rate = rate;
    event.best_hr10 = state_.best.hr10;
    return event;
  }

  void tell(const TrainEvent& event) {
    told_ = Clock::now();
    if (!watch_) return;
    try {
      watch_(event);
    } catch (...) {
      stopped_ = true;
      throw;
    }
  }

  void take_loss() {
    state_.loss_sum += stepper_->take_loss() * static_cast<double>(steps_here_);
    state_.loss_steps += std::exchange(steps_here_, 0);
  }

  void validate(double rate) {
    take_loss();
    TrainEvent event = event_now(rate);
    event.loss = state_.loss_sum / static_cast<double>(state_.loss_steps);
    if (!std::isfinite(event.loss))
      throw Error(
          ErrorCode::failure,
          fmt::format("training went astray: the loss before step {} is not a number", state_.step),
          "lower the learning rate: --set rate=0.0005");
    state_.loss_sum = 0;
    state_.loss_steps = 0;
    const Clock::time_point judging = Clock::now();
    const Verdict verdict = judge(setup_.net, setup_.optimiser, setup_.valid, setup_.truth);
    judging_seconds_ += seconds_since(judging);
    event.validated = true;
    event.score = verdict.score;
    event.improved = verdict.score.hr10 > state_.best.hr10 || !best_weights_.defined();
    ++state_.since_best;
    if (event.improved) {
      state_.best = verdict.score;
      state_.best_step = state_.step;
      state_.since_best = 0;
      state_.calibration = verdict.calibration;
      best_weights_ = verdict.weights;
      best_buffers_ = verdict.buffers;
    }
    event.best_hr10 = state_.best.hr10;
    state_.events.push_back(event);
    save();
    tell(event);
  }

  std::map<std::string, at::Tensor> tensors() const {
    std::map<std::string, at::Tensor> all{{"weights", setup_.net.parameters().weights()},
                                          {"buffers", setup_.net.parameters().buffers()}};
    const std::vector<at::Tensor> optimiser = setup_.optimiser.state();
    for (std::size_t i = 0; i < optimiser_names.size(); ++i) all[optimiser_names[i]] = optimiser[i];
    if (best_weights_.defined()) {
      all["best.weights"] = best_weights_;
      all["best.buffers"] = best_buffers_;
    }
    return all;
  }

  void save() const {
    if (request_.checkpoint.empty()) return;
    Checkpoint checkpoint = state_;
    checkpoint.request = setup_.plan.fingerprint;
    checkpoint.seconds = seconds();
    checkpoint.tensors = tensors();
    checkpoint.save(request_.checkpoint);
  }

  void resume() {
    state_ = Checkpoint::load(request_.checkpoint);
    check_same_request(state_, setup_.plan.fingerprint, request_.checkpoint);
    const at::NoGradGuard no_grad;
    const auto best = state_.tensors.find("best.weights");
    if (best != state_.tensors.end()) {
      best_weights_ = at::empty_like(setup_.net.parameters().weights());
      best_buffers_ = at::empty_like(setup_.net.parameters().buffers());
    }
    for (auto& [name, target] : tensors()) {
      const auto found = state_.tensors.find(name);
      if (found == state_.tensors.end() || found->second.numel() != target.numel())
        throw Error(ErrorCode::bad_input,
                    fmt::format("{}: its '{}' is missing or of another size",
                                request_.checkpoint.string(), name),
                    "leave out --resume to start over");
      at::Tensor(target).copy_(found->second.view_as(target));
    }
    state_.tensors.clear();
  }

  void keep_what_there_is() {
    if (stopped_) {
      take_loss();
      save();
    }
    if (best_weights_.defined() && request_.rescue) request_.rescue(model());
  }

  Model model() const {
    Model model;
    model.net = recipe_.net;
    model.frame = setup_.plan.frame;
    model.measure = request_.measure;
    model.measure_settings = request_.measure_settings;
    model.space = setup_.plan.space;
    model.calibration = state_.calibration;
    model.tensors = setup_.net.parameters().to_tensors(best_weights_, best_buffers_);
    Json provenance = Json::parse(request_.provenance);
    provenance.update(Json{{"seed", request_.seed},
                           {"device", request_.device},
                           {"batch", recipe_.batch},
                           {"step", state_.best_step},
                           {"validation_base", state_.best.base + 1},
                           {"validation_hr10", state_.best.hr10},
                           {"validation_hr50", state_.best.hr50},
                           {"train_trajectories", setup_.facts.train}});
    for (const RecipeField& field : recipe_fields())
      provenance["recipe"][std::string(field.name)] = field_value(recipe_, field.name);
    model.provenance = provenance.dump();
    return model;
  }

  const TrainRequest& request_;
  const Recipe& recipe_;
  const TrainWatch& watch_;
  TrainSetup setup_;
  Checkpoint state_;  // but for its request and tensors, which are filled in when it is saved
  at::Tensor best_weights_, best_buffers_;
  std::unique_ptr<Stepper> stepper_;
  bool stopped_ = false;  // by the watch
  double judging_seconds_ = 0;
  std::uint64_t steps_here_ = 0;  // since the loss was last taken
  Clock::time_point start_ = Clock::now(), told_ = start_;
};

}  // namespace

Model train(const Dataset& data, const TrainRequest& request, const TrainWatch& watch) {
  const DeviceSession session(request.device, request.threads);
  return Training(data, request, watch).run();
}

}  // namespace tsmini::learn
