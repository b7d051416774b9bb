#include "learn/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unordered_set>

#include "base/random.h"
#include "learn/device.h"
#include "learn/stepper.h"
#include "tsmini/error.h"

namespace tsmini::learn {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Parts {
  std::vector<std::size_t> train, validation;
};

Parts parts_of(const Dataset& data, std::uint64_t seed) {
  Parts parts{data.indices_of(Part::train), data.indices_of(Part::validation)};
  if (data.info().has_split) return parts;
  std::vector<std::size_t> all(data.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  Random random(seed, 0x5b1);
  const std::size_t held = std::min<std::size_t>(1000, all.size() / 10);
  for (std::size_t i = 0; i < held; ++i)
    std::swap(all[i], all[i + random.below(all.size() - i)]);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(held);
  std::sort(all.begin(), middle);
  std::sort(middle, all.end());
  return {{middle, all.end()}, {all.begin(), middle}};
}

void check_parts(const Parts& parts, const Recipe& recipe) {
  if (parts.train.size() < recipe.batch)
    throw Error(ErrorCode::bad_input,
                fmt::format("{} training trajectories do not fill a batch of {}",
                            parts.train.size(), recipe.batch),
                "use more data or a smaller --batch");
  if (parts.validation.size() < 2)
    throw Error(ErrorCode::bad_input,
                fmt::format("{} validation trajectories are too few to choose weights by",
                            parts.validation.size()),
                "import with --split TRAIN,VAL,TEST, or use more data");
}

// `count` different numbers below n, ascending; they depend on seed and step alone.
std::vector<int> sample_batch(std::uint64_t seed, std::uint64_t step, std::size_t n,
                              std::size_t count) {
  Random random(seed, step + 1);
  std::unordered_set<int> drawn;
  while (drawn.size() < count) drawn.insert(static_cast<int>(random.below(n)));
  std::vector<int> ids(drawn.begin(), drawn.end());
  std::sort(ids.begin(), ids.end());
  return ids;
}

class Training {
 public:
  Training(const Dataset& data, const TrainRequest& request, const TrainWatch& watch)
      : request_(request),
        recipe_(request.recipe),
        watch_(watch),
        device_(device_from(request.device)),
        parts_(parts_of(data, request.seed)),
        space_(Space::fit(request.space, data)),
        frame_(FeatureFrame::fit(data)),
        train_((check_recipe(recipe_), check_parts(parts_, recipe_), data), parts_.train, frame_,
               recipe_.net, device_),
        validation_(data, parts_.validation, frame_, recipe_.net, device_),
        net_(recipe_.net, frame_, request.seed, std::max(train_.longest(), validation_.longest()),
             device_),
        optimiser_(net_.parameters(), recipe_.weight_decay, recipe_.average) {
    const PlanarSet trips(data, space_, parts_.train);
    largest_ = largest_distance(request.measure, request.measure_settings, trips, request.seed,
                                device_);
    truth_ = true_distances(request.measure, request.measure_settings,
                            PlanarSet(data, space_, parts_.validation), device_);
    labels_ = make_labels(request.labels, request.measure, request.measure_settings, trips, device_);
  }

  Model run() {
    const Bench bench{net_, optimiser_, train_, *labels_, recipe_.loss, largest_};
    const auto stepper = make_stepper(bench);
    start_ = Clock::now();
    StepInput input = input_for(0);
    std::uint64_t validated = 0;
    for (std::uint64_t step = 0;; ++step) {
      const bool last = progress(step + 1) >= 1;
      StepInput next;
      if (!last) next = input_for(step + 1);
      stepper->step(input, last ? nullptr : &next);
      const auto due = static_cast<std::uint64_t>(progress(step + 1) *
                                                  static_cast<double>(recipe_.validations));
      TrainEvent event;
      event.step = step + 1;
      event.steps = expected_steps(event.step);
      event.seconds = seconds_since(start_);
      event.rate = static_cast<double>(input.rates.rate);
      if (due > validated || last) {
        validated = due;
        event.loss = stepper->take_loss();
        validate(event);
        if (watch_) watch_(event);
        if (recipe_.patience > 0 && since_best_ >= recipe_.patience) break;
      } else if (watch_ && step % 16 == 15) {
        watch_(event);
      }
      if (last) break;
      input = std::move(next);
    }
    return model();
  }

 private:
  // Share of the budget that is spent after `steps`.
  double progress(std::uint64_t steps) const {
    if (request_.time_budget > 0) return seconds_since(start_) / request_.time_budget;
    return static_cast<double>(steps) / static_cast<double>(recipe_.steps);
  }

  std::uint64_t expected_steps(std::uint64_t steps) const {
    if (request_.time_budget <= 0) return recipe_.steps;
    return static_cast<std::uint64_t>(static_cast<double>(steps) /
                                      std::max(progress(steps), 1e-9));
  }

  StepInput input_for(std::uint64_t step) const {
    const double rate = recipe_.rate * rate_share(recipe_, progress(step), step);
    return {sample_batch(request_.seed, step, train_.size(), recipe_.batch),
            optimiser_.rates(step, rate),
            static_cast<std::int64_t>(Random(request_.seed, ~step).bits())};
  }

  // Scores the averaged weights; keeps them where they are the best so far.
  void validate(TrainEvent& event) {
    const at::NoGradGuard no_grad;
    Parameters& parameters = net_.parameters();
    const at::Tensor weights = parameters.weights().clone();
    const at::Tensor buffers = parameters.buffers().clone();
    parameters.weights().copy_(optimiser_.average_weights());
    parameters.buffers().copy_(optimiser_.average_buffers());
    const at::Tensor embeddings = embed_all(net_, validation_);
    const at::Tensor predicted =
        predicted_distances(embeddings.to(device_), recipe_.net.metric).to(at::kCPU);
    event.validated = true;
    event.score = score_retrieval(predicted, truth_);
    ++since_best_;
    if (event.score.hr10 > best_.hr10 || !best_weights_.defined()) {
      best_ = event.score;
      best_step_ = event.step;
      since_best_ = 0;
      best_weights_ = parameters.weights().clone();
      best_buffers_ = parameters.buffers().clone();
      scale_ = fit_scale({predicted.data_ptr<float>(), truth_.size()}, truth_);
    }
    event.best_hr10 = best_.hr10;
    parameters.weights().copy_(weights);
    parameters.buffers().copy_(buffers);
  }

  Model model() const {
    Model model;
    model.net = recipe_.net;
    model.frame = frame_;
    model.measure = request_.measure;
    model.measure_settings = request_.measure_settings;
    model.space = space_;
    model.scale = scale_;
    model.tensors = net_.parameters().to_tensors(best_weights_, best_buffers_);
    model.provenance = nlohmann::json{{"seed", request_.seed},
                                      {"device", request_.device},
                                      {"batch", recipe_.batch},
                                      {"step", best_step_},
                                      {"validation_base", best_.base + 1},
                                      {"validation_hr10", best_.hr10},
                                      {"validation_hr50", best_.hr50},
                                      {"train_trajectories", train_.size()}}
                           .dump();
    return model;
  }

  const TrainRequest& request_;
  const Recipe& recipe_;
  const TrainWatch& watch_;
  at::Device device_;
  Parts parts_;
  Space space_;
  FeatureFrame frame_;
  FeatureStore train_, validation_;
  Net net_;
  Optimiser optimiser_;
  double largest_ = 0;
  std::vector<float> truth_;
  std::unique_ptr<LabelSource> labels_;
  Clock::time_point start_;
  RetrievalScore best_;
  std::uint64_t best_step_ = 0, since_best_ = 0;
  at::Tensor best_weights_, best_buffers_;
  double scale_ = 1;
};

}  // namespace

Model train(const Dataset& data, const TrainRequest& request, const TrainWatch& watch) {
  const DeviceSession session(request.device);
  return Training(data, request, watch).run();
}

at::Tensor predicted_distances(const at::Tensor& embeddings, const EmbeddingMetric& metric) {
  const at::NoGradGuard no_grad;
  return pair_distances(embeddings, metric);
}

RetrievalScore score_retrieval(const at::Tensor& predicted, const std::vector<float>& truth) {
  const auto n = static_cast<std::size_t>(predicted.size(0));
  RetrievalMeter meter;
  for (std::size_t q = 0; q < n; ++q)
    meter.add(q, {predicted.data_ptr<float>() + q * n, n}, {truth.data() + q * n, n});
  return meter.score();
}

}  // namespace tsmini::learn
