// A network while it is trained, on the CPU or on a GPU.
//
//   auto learner = make_learner(Device::cpu, start);
//   learner->begin(context);
//   learner->step(input, &next);
//   Verdict verdict = learner->judge(truth, progress);
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tsmini/model.h"
#include "tsmini/recipe.h"
#include "tsmini/train.h"

#include "learn/feature_store.h"
#include "learn/step.h"
#include "learn/truth.h"
#include "learn/validation.h"

namespace tsmini::learn {

// How the factors of matrix products are rounded on a GPU; on the CPU never. Attention, which makes
// its own products, rounds to TF32 whatever is said here.
enum class Products { tf32, exact };

// What a network begins with. Stores outlive the learner.
struct LearnerStart {
  const FeatureStore& train;
  const FeatureStore& validation;
  FeatureFrame frame;
  std::vector<std::int64_t> cells;  // of a net without sub-views
  std::uint64_t seed = 1;
  double weight_decay = 0;
  const Model* init = nullptr;  // with weights to start from, or null
  Products products = Products::tf32;
};

// What it is taught: true distances, and what the loss makes of them. Trips are those of the
// training store, in its order.
struct StepContext {
  LabelRequest labels;
  LossSettings loss;
  double largest = 0;  // distance that labels are divided by
};

class Learner {
 public:
  virtual ~Learner() = default;

  // To be called before the first step. It takes long where labels are made at once.
  virtual void begin(const StepContext& context) = 0;

  // Trains on `input`; `next` is what the following call will bring, if there is one. Throws
  // Error(failure) where the loss is not a number; weights, but not the running statistics, are
  // then as they were. On a GPU it returns before the step is done, and loss_sum() throws.
  virtual void step(const StepInput& input, const StepInput* next) = 0;
  // The sum of the losses of all steps since begin(), and of what it was set to since: a run that
  // goes on sets what it had, so that its sums are those of a run without a stop.
  virtual double loss_sum() = 0;
  virtual void set_loss_sum(double sum) = 0;

  // The verdicts of learn/validation.h, on the validation store.
  virtual Verdict judge(std::span<const float> truth, const Progress& progress) = 0;
  virtual Verdict calibrate_quickly(std::span<const float> truth) = 0;

  // All numbers that go on from step to step, by name: what a checkpoint keeps.
  using Numbers = std::map<std::string, std::vector<float>>;
  virtual Numbers numbers() = 0;
  // Takes them back. Returns the name of one that is missing or of another size, if there is one.
  virtual std::optional<std::string> set_numbers(const Numbers& numbers) = 0;

  // What a verdict has scored, by name, as a model holds it.
  virtual std::map<std::string, Tensor, std::less<>> tensors(const Verdict& verdict) const = 0;

  virtual std::size_t memory_bytes() const = 0;  // that steps take, on the GPU where it is there
};

// Throws Error(failure) where there is no such device.
std::unique_ptr<Learner> make_learner(Device device, const LearnerStart& start);

}  // namespace tsmini::learn
