// What TrajCL and MovSemCL have in common: the cells of a trip with four features each, learning
// without labels from two views of every trip (MoCo), then with them (fine-tuning). Each has its
// own features, views and encoder.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/random.h"
#include "rivals/core/contrast.h"
#include "rivals/core/fine_tuning.h"
#include "rivals/core/rival.h"

namespace tsmini::rivals {

class ContrastiveRival : public Rival {
 public:
  static constexpr std::int64_t feature_count = 4;
  using Features = std::vector<std::array<double, feature_count>>;
  using Points = std::vector<Planar>;
  struct Views {
    Points first, second;  // of one trip; neither is empty
  };
  using MakeEncoder = std::function<std::shared_ptr<Encoder>()>;  // on the device

  ContrastiveRival(const Settings& settings, const Ground& ground, const MakeEncoder& make_encoder);

  // One stream: the row of the cell, then its features.
  Streams prepare(const PlanarSet& trips) const override;
  Tensor embed(const Streams& trips, std::span<const std::int64_t> ids) override;
  EmbeddingMetric metric() const override { return {MetricKind::l1}; }
  std::optional<Stage> pretraining(const PlanarSet& trips) override;
  std::optional<Stage> training(const TrainingSet& set) override;

  // The features of a trip, no two neighbouring runs of which are in one cell.
  virtual Features features_of(std::span<const CellRun> runs) const = 0;
  virtual Views views_of(std::span<const Planar> trip, Random& random) const = 0;

 protected:
  const Ground& ground() const { return ground_; }

 private:
  using Trip = std::function<std::span<const Planar>(std::size_t)>;
  Ragged sequences_of(std::size_t count, const Trip& trip) const;

  Settings settings_;
  Ground ground_;
  MakeEncoder make_encoder_;
  std::shared_ptr<Encoder> encoder_;
  RegressionHead head_{nullptr};
};

// The parts of such sequences, [count, longest, 5]: [count, longest] and [count, longest, 4].
struct CellsAndFeatures {
  Tensor rows, features;
};
CellsAndFeatures parts_of(const Tensor& values);

inline constexpr Mistake unscaled{
    "unscaled", "l1 distances of unit vectors are themselves regressed on labels of at most 1"};

}  // namespace tsmini::rivals
