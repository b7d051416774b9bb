// True distances for training and evaluation.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tsmini/measure.h"
#include "tsmini/planar_set.h"
#include "tsmini/progress.h"
#include "tsmini/train.h"

#include "learn/projected_trips.h"

namespace tsmini::learn {

// The square matrix among all trajectories of a set, row-major: n² floats. Progress counts pairs.
std::vector<float> true_distances(Measure measure, const MeasureSettings& settings,
                                  const PlanarSet& trips, Device device,
                                  const Progress& progress = {});

// The largest distance within a seeded sample of at most 2,000 trajectories (of the first `among`,
// where given): what labels are divided by. Throws Error(bad_input) where it is 0.
double largest_distance(Measure measure, const MeasureSettings& settings,
                        const ProjectedTrips& trips, std::uint64_t seed, Device device,
                        std::optional<std::size_t> among = {}, const Progress& progress = {});

// Throws Error(failure) where the matrix among so many exceeds the memory of this machine.
void check_room(std::size_t trips);

// Where the labels of a batch come from.
class LabelSource {
 public:
  virtual ~LabelSource() = default;

  // Says which batch follows the current one, so that its labels can be made meanwhile.
  virtual void prepare(std::span<const int> ids) = 0;
  // Writes the square matrix of the batch that was prepared last. While it waits for it, it calls
  // what it was made with, which may throw.
  virtual void fetch(std::span<float> labels) = 0;
};

// How label sources let their owner in: while a matrix is made, and while a batch is waited for.
struct LabelWatch {
  Progress matrix;  // counts pairs
  // Called some twenty times a second while a batch is waited for, and on the CPU within steps too;
  // by any thread, but one at a time.
  std::function<void()> waiting;
};

// Labels for batches of which trips.
struct LabelRequest {
  LabelKind kind;
  Measure measure;
  MeasureSettings settings;
  ProjectedTrips trips;
  LabelWatch watch = {};
};

// A source that measures on the CPU. Throws Error(failure) where a matrix that was asked for
// exceeds the memory of this machine.
std::unique_ptr<LabelSource> make_labels(const LabelRequest& request);

}  // namespace tsmini::learn
