// A rival: a published way to learn embeddings of trips whose distances stand in for a measure.
//
// Seven of them stand beside TSMini in its paper. Each has a folder of its own, with what only it
// has; what several share is here. All see the same trips and the same true distances, and our own
// scoring alone judges what they return. A rival knows of a city, before any true distance, its
// ground (box, cells, statistics, vectors of cells); then its network may learn without labels
// (pretraining), and with them (training).
//
//   const RivalKind& kind = rival_named("trajcl");
//   Ground ground = settle(kind, city, settings, progress);
//   std::shared_ptr<Rival> rival = kind.make(settings, ground);
//   Streams test = rival->prepare(test_trips);
//   Tensor rows = embeddings(*rival, test);        // [trips, 128], on the CPU
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tsmini/embedding.h"
#include "tsmini/measure.h"
#include "tsmini/planar_set.h"
#include "tsmini/progress.h"

#include "rivals/core/ground.h"
#include "rivals/core/labels.h"
#include "rivals/core/ragged.h"
#include "rivals/core/tensors.h"

namespace tsmini::rivals {

inline constexpr std::int64_t dimension = 128;  // of every rival's embedding, as in the paper

// What a rival is told besides its data.
struct Settings {
  std::uint64_t seed = 1;
  torch::Device device = torch::kCPU;
  Measure measure = Measure::frechet;  // some recipes depend on it
  // Mistakes of the released code that are kept, by the names in RivalKind::mistakes.
  std::set<std::string, std::less<>> released = {};
  // The most that vectors of cells may take; none: as long as they take.
  std::optional<double> cell_seconds = {};

  bool keeps(std::string_view mistake) const { return released.contains(mistake); }
};

// What a trip is to a rival's network: several sequences of vectors a trip, on the device.
using Streams = std::vector<Ragged>;

// Training trips with all that a recipe may ask of them.
struct TrainingSet {
  Streams streams;  // as prepare() makes them
  Labels labels;
};

// One way to train: what is done in a step, and how many steps the recipe has. The trainer may cut
// it short by a budget of time.
struct Stage {
  struct Group {
    std::vector<Tensor> parameters;
    double weight_decay = 0;
  };

  std::uint64_t steps = 0;
  std::vector<Group> groups;
  std::function<Tensor()> loss;              // of one step, with its gradient
  std::function<double(double share)> rate;  // of Adam, after so much of the budget
  std::function<void()> stepped = {};        // after every step
};

// A rate that is halved after each of so many equal parts of the budget.
std::function<double(double share)> halving(double rate, int parts);

class Rival : public torch::nn::Module {
 public:
  // All that embed() needs to know of trips; they are in metres, as the ground's. Linear.
  virtual Streams prepare(const PlanarSet& trips) const = 0;

  // [ids.size(), dimension]. Not for a rival that knows pairs alone.
  virtual Tensor embed(const Streams& trips, std::span<const std::int64_t> ids) = 0;
  virtual EmbeddingMetric metric() const = 0;

  // Distances of some trips to all, [queries, trips], on the CPU. By embeddings, but for a rival of
  // pairs.
  virtual Tensor distances(const Streams& trips, std::span<const std::int64_t> queries,
                           const Progress& progress);

  // What it learns without labels and with them; none where it does not. What is given must outlive
  // the stage.
  virtual std::optional<Stage> pretraining(const PlanarSet&) { return {}; }
  virtual std::optional<Stage> training(const TrainingSet&) { return {}; }

  // Whether a buffer of that name belongs to the ground, and not to what was learned.
  virtual bool is_of_ground(std::string_view) const { return false; }

  std::uint64_t parameter_count() const;  // of the network that is trained
};

// A mistake of released code that was mended here, and can be had back.
struct Mistake {
  std::string_view name, meaning;
};

struct RivalKind {
  std::string_view name;     // "trajcl"
  std::string_view title;    // "TrajCL"
  std::string_view summary;  // one line
  bool pairs = false;        // it has distances of pairs, and no embedding of one trip
  std::vector<Mistake> mistakes;
  // Adds to the ground what only this one needs, without labels: vectors of cells, say. May be
  // null.
  void (*add_ground)(Ground& ground, const City& city, const Settings& settings,
                     const Progress& progress) = nullptr;
  // Makes a rival on settings.device, with weights from torch's random generator.
  std::shared_ptr<Rival> (*make)(const Settings& settings, const Ground& ground) = nullptr;
};

// All rivals in the order of the paper.
const std::vector<RivalKind>& rival_kinds();
// Throws Error(usage) that lists the names.
const RivalKind& rival_named(std::string_view name);

// "TrajCL", or "TrajCL with unscaled" where mistakes are kept.
std::string title_of(const RivalKind& kind, const Settings& settings);

// The whole ground of a city for a rival.
Ground settle(const RivalKind& kind, const City& city, const Settings& settings,
              const Progress& progress = {});

// The embeddings of all trips, in order, on the CPU; without gradients, in the network's mode of
// inference.
Tensor embeddings(Rival& rival, const Streams& trips, const Progress& progress = {});

}  // namespace tsmini::rivals
