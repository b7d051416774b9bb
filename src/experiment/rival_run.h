// A run of a rival: what is asked for, what came of it, and what a lab keeps of it.
//
// FOLDER/rival-NAME.safetensors holds the weights, .jsonl the log, .json the record, which is
// written last: without it there is no run. What the weights say of a set of test trips is kept
// likewise, FOLDER/rival-NAME-DATA.npy with its own record.
//
//   const std::string name = rival_run_name(contents_of(city.data), request, "cuda");
//   const RivalFile file(folder, name);
//   if (const auto run = file.load()) std::cout << run->seconds;
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tsmini/dataset.h"
#include "tsmini/measure.h"
#include "tsmini/space.h"

#include "experiment/rival.h"

namespace tsmini::experiment {

struct RivalRequest {
  Contender contender;
  Measure measure = Measure::frechet;
  SpaceKind space = SpaceKind::zscore;
  std::uint64_t seed = 1;
  std::optional<double> seconds;  // at most; see RivalChoice
};

struct RivalRun {
  std::string name;              // of its files, without folder and ending
  std::uint64_t parameters = 0;  // that are learned
  std::uint64_t table = 0;       // numbers in frozen tables of cell vectors
  std::uint64_t steps = 0;
  std::uint64_t recipe_steps = 0;  // that its recipe has; 0 where it learns without labels alone
  double seconds = 0;              // of training
  double pretraining_seconds = 0;  // before, for what does not depend on the measure
  double label_seconds = 0;        // for true distances
  bool rising = false;             // was still getting better when its time was over
};

// What a run says of the test trips of a data set.
struct Predicted {
  std::vector<float> distances;  // of all to all, row-major
  double seconds = 0;            // to embed them; for one that compares pairs, all pairs
};

// A checksum of trips and split, as hexadecimal digits. Linear in the points.
std::string contents_of(const Dataset& data);

// Tells everything apart that trains differently: "rival-" and 16 hexadecimal digits.
std::string rival_run_name(const std::string& contents, const RivalRequest& request,
                           const std::string& device);

class RivalFile {
 public:
  RivalFile(const std::filesystem::path& folder, const std::string& name)
      : name_(name),
        weights_(folder / (name + ".safetensors")),
        record_(folder / (name + ".json")) {}

  const std::filesystem::path& weights() const { return weights_; }

  // The run; none where it is not there, is damaged, or its weights are others: it is then to be
  // made.
  std::optional<RivalRun> load() const;
  // Removes the record, so that the run is made again.
  void remove() const { std::filesystem::remove(record_); }
  // What `tsmini-rivals train` told. Throws RivalFailed where that is something else.
  RivalRun save(const nlohmann::ordered_json& told, const std::string& label) const;

 private:
  // The run that was told; none where something is missing or cannot be.
  std::optional<RivalRun> run_of(const nlohmann::ordered_json& told) const;

  std::string name_;
  std::filesystem::path weights_, record_;
};

}  // namespace tsmini::experiment
