// What learners on the CPU and on a GPU share: all but the steps.
#pragma once

#include <algorithm>

#include "learn/learner.h"

namespace tsmini::learn {

template <typename T>
class LearnerOf : public Learner {
 public:
  // `of_arena`: what the arena is made of.
  template <typename... OfArena>
  explicit LearnerOf(const LearnerStart& start, OfArena... of_arena)
      : train_(start.train),
        validation_(start.validation),
        net_(start.train.settings(), start.frame, start.cells, start.seed,
             std::max(start.train.longest(), start.validation.longest())),
        optimiser_(begun(net_, start.init).parameters(), start.weight_decay),
        arena_(of_arena...) {}

  Verdict judge(std::span<const float> truth, const Progress& progress) override {
    return learn::judge<T>(net_, optimiser_, judged(), truth, progress);
  }
  Verdict calibrate_quickly(std::span<const float> truth) override {
    return learn::calibrate_quickly<T>(net_, optimiser_, judged(), truth);
  }

  Numbers numbers() override {
    Numbers all;
    for (const auto& [name, values] : blocks()) all[name] = copy_out<T>(std::span<const T>(values));
    return all;
  }

  std::optional<std::string> set_numbers(const Numbers& numbers) override {
    for (const auto& [name, target] : blocks()) {
      const auto found = numbers.find(name);
      if (found == numbers.end() || found->second.size() != target.size()) return name;
      copy_in<T>(found->second, target);
    }
    return {};
  }

  std::map<std::string, Tensor, std::less<>> tensors(const Verdict& verdict) const override {
    return net_.parameters().to_tensors(verdict.weights, verdict.buffers);
  }

  std::size_t memory_bytes() const override { return arena_.bytes(); }

 protected:
  // Features of validation trajectories, in the arena.
  virtual Points<T> validation_batch(std::span<const int> ids) = 0;

  const FeatureStore& train_;
  const FeatureStore& validation_;
  Net<T> net_;
  Optimiser<T> optimiser_;
  typename Storage<T>::Arena arena_;

 private:
  // The net, with the weights of the model to start from, where there is one.
  static Net<T>& begun(Net<T>& net, const Model* init) {
    if (init != nullptr) net.parameters().from_tensors(init->tensors);
    return net;
  }

  Judged<T> judged() {
    return {validation_, [this](std::span<const int> ids) { return validation_batch(ids); },
            arena_};
  }

  std::map<std::string, std::span<T>> blocks() {
    std::map<std::string, std::span<T>> all{{"weights", net_.parameters().weights()},
                                            {"buffers", net_.parameters().buffers()}};
    for (const auto& [name, values] : optimiser_.state()) all.emplace(name, values);
    return all;
  }
};

}  // namespace tsmini::learn
