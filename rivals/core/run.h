// One run of a rival, from a data set to a file with its weights, and what it then says of trips.
//
//   RunRequest request{.kind = &rival_named("trajcl")};
//   RunRecord record = make_run(data, request, "runs/a.safetensors", watch);
//   Predicted rows =
//       predict(load_rival("runs/a.safetensors", device), other_data, false, progress);
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

#include "tsmini/dataset.h"
#include "tsmini/space.h"

#include "rivals/core/rival.h"
#include "rivals/core/training.h"

namespace tsmini::rivals {

struct RunRequest {
  const RivalKind* kind = nullptr;
  Settings settings = {};
  SpaceKind space = SpaceKind::zscore;  // in which true distances are taken
  Budget budget = {};                   // of training, and once more of pretraining
};

struct RunRecord {
  std::uint64_t parameters = 0;  // of the network
  std::uint64_t table = 0;       // numbers in the frozen table of vectors of cells
  std::uint64_t cells = 0;       // known ones
  TrainingResult pretraining, training;
  double ground_seconds = 0;  // for cells and their vectors
  double label_seconds = 0;   // for true distances and features
};

// What happens, for a screen and a log. May throw to stop.
struct RunWatch {
  std::function<void(std::string_view stage)> begins = {};  // settling, pretraining, …
  Progress progress = {};                                   // within stages that are no training
  TrainingWatch training = {};
};

// Learns from the trips marked train and chooses weights by those marked validation (a sample of
// 2,000 where there are more; 50 queries where the rival knows pairs alone). Beside the output it
// leaves what it has learned without labels (pretrained.h). Throws Error(bad_input) where there is
// no split, trips are too few, or one has more than 1,000 points.
RunRecord make_run(const Dataset& data, const RunRequest& request,
                   const std::filesystem::path& output, const RunWatch& watch);

struct SavedRival;

struct Predicted {
  Tensor values;  // on the CPU: [trips, dimension]; distances [trips, trips] of a rival of pairs
  double seconds = 0;  // for features and network, once libraries are loaded
};
// What the rival makes of the trips marked test, in order. `move`: in the ground of this data, not
// in that of its own city.
Predicted predict(const SavedRival& saved, const Dataset& data, bool move,
                  const Progress& progress = {});

// The share of the points of these trips outside the box that the rival knows: above a half, it is
// in another city, and should be moved.
double share_outside(const SavedRival& saved, const Dataset& data);

// What that is worth, against true distances in the space that the rival was trained in.
struct Judged {
  RetrievalScore score;
  double seconds = 0;  // as above
};
Judged judge(const SavedRival& saved, const Dataset& data, bool move,
             const Progress& progress = {});

}  // namespace tsmini::rivals
