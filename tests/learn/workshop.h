// A training run of a few steps on a few trips.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/random.h"
#include "learn/small_batch.h"
#include "learn/stepper.h"
#include "learn/validation.h"

namespace tsmini {

struct WorkshopSettings {
  std::uint64_t seed = 1;
  std::size_t batch = 16;
  LabelKind labels = LabelKind::matrix;
  Measure measure = Measure::frechet;
  NetSettings net;
  LossSettings loss;
  double rate = 0.002;
  std::vector<std::size_t> lengths = {};  // of the trips; empty: 40 of 1 to 47 points
};

class Workshop {
 public:
  explicit Workshop(const WorkshopSettings& settings)
      : settings_(settings),
        trips_(small_batch(5, settings.lengths.empty() ? some_lengths() : settings.lengths)),
        data_(trips_.dataset()),
        store_(data_, numbers(data_.size()), trips_.frame, settings.net),
        net_(settings.net, trips_.frame, trips_.known_cells(settings.net), settings.seed,
             store_.longest()),
        optimiser_(net_.parameters(), 1e-5),
        labels_(learn::make_labels({settings.labels, settings.measure, {}, source()})),
        stepper_({net_, optimiser_, arena_, store_, *labels_, settings_.loss,
                  learn::largest_distance(settings.measure, {}, source(), settings.seed, cpu)}) {}
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  // The loss of each step.
  std::vector<double> train(std::uint64_t steps) {
    std::vector<double> losses;
    for (std::uint64_t step = 0; step < steps; ++step) {
      const learn::StepInput input = input_for(step), next = input_for(step + 1);
      stepper_.step(input, step + 1 < steps ? &next : nullptr);
      losses.push_back(stepper_.loss_sum());
      stepper_.set_loss_sum(0);
    }
    return losses;
  }

  learn::StepInput input_for(std::uint64_t step) const {
    Random random(settings_.seed, step);
    std::vector<int> ids;
    for (int id = 0; id < static_cast<int>(store_.size()); ++id) {  // ascending, each as likely
      const auto left = store_.size() - static_cast<std::size_t>(id);
      if (random.below(left) < settings_.batch - ids.size()) ids.push_back(id);
    }
    return {ids, learn::rates_of(step, settings_.rate, 0.99),
            static_cast<std::int64_t>(random.bits())};
  }

  const SmallBatch& trips() const { return trips_; }
  learn::ProjectedTrips source() const { return {data_, numbers(data_.size()), Space()}; }
  const learn::FeatureStore& store() const { return store_; }
  learn::Net<float>& net() { return net_; }
  learn::Arena& arena() { return arena_; }
  learn::Optimiser<float>& optimiser() { return optimiser_; }
  std::vector<float> weights() const {
    const std::span<const float> all = net_.parameters().weights();
    return {all.begin(), all.end()};
  }
  // Those of all trips.
  std::vector<float> embeddings() { return learn::embed_all(net_, store_, arena_); }

 private:
  static std::vector<std::size_t> some_lengths() {
    std::vector<std::size_t> lengths;
    for (std::size_t i = 0; i < 40; ++i) lengths.push_back(1 + i * 17 % 47);
    return lengths;
  }
  static std::vector<std::size_t> numbers(std::size_t count) {
    std::vector<std::size_t> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = i;
    return all;
  }

  static constexpr Device cpu = Device::cpu;

  WorkshopSettings settings_;
  SmallBatch trips_;
  Dataset data_;
  learn::FeatureStore store_;
  learn::Net<float> net_;
  learn::Optimiser<float> optimiser_;
  std::unique_ptr<learn::LabelSource> labels_;
  learn::Arena arena_;
  learn::Stepper stepper_;
};

}  // namespace tsmini
