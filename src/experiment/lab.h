// Where the runs of experiments are made.
//
// An experiment is a function that asks a lab for runs and puts what it learns into a report. With
// a PlanLab it finds out what that will cost; with a WorkLab it is done. A WorkLab keeps every
// model in a folder, under a name that follows from all that decides it: what two experiments share
// is trained once, and after an interruption only what is missing is made.
//
//   PlanLab plan(folder, "cuda");
//   ablation(setting, plan);
//   std::cout << plan.cost().runs << " runs";
//   WorkLab lab(folder, "cuda", 0, watch);
//   Report report = ablation(setting, lab);
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "tsmini/evaluate.h"
#include "tsmini/model.h"
#include "tsmini/progress.h"
#include "tsmini/train.h"

#include "base/file_lock.h"
#include "experiment/rival_maker.h"
#include "experiment/rival_run.h"
#include "experiment/setting.h"
#include "learn/train_plan.h"

namespace tsmini::experiment {

// How far training had come after some time.
struct Stage {
  std::uint64_t step = 0;
  double seconds = 0;
  double hr10 = 0;  // on validation
};

struct Trained {
  Model model;
  std::uint64_t parameters = 0;
  std::uint64_t steps = 0;
  double seconds = 0;        // of training, validations included
  double label_seconds = 0;  // for true distances before the first step
  std::vector<Stage> stages;
};

class Lab {
 public:
  virtual ~Lab() = default;

  // The model of a request on a city; `label` tells people which run it is. Device and checkpoint
  // of the request are the lab's business.
  virtual Trained train(const City& city, const std::string& label, TrainOptions request) = 0;

  // The model against true distances: of the data's own test part, or known ones (of all to all,
  // in the order of the test part).
  virtual Evaluation judge(const Model& model, const Dataset& data,
                           std::span<const float> known = {}) = 0;

  // True distances of all to all of a test part, row-major; none where nothing is made.
  virtual std::span<const float> truth(Measure measure, const Space& space,
                                       const Dataset& data) = 0;

  // The run of a rival on a city.
  virtual RivalRun rival(const City& city, const std::string& label,
                         const RivalRequest& request) = 0;

  // What such a run says of a test part; none where nothing is made. `moved`: that of another city,
  // whose box the rival is to take.
  virtual Predicted rival_distances(const RivalRun& run, const Dataset& data, bool moved) = 0;
};

struct Cost {
  std::size_t runs = 0;        // to be made, of rivals too
  std::size_t done = 0;        // made before
  std::uint64_t steps = 0;     // left of those to be made that are not of rivals
  double operations = 0;       // of these, in multiplications and additions
  std::size_t rival_runs = 0;  // of those to be made
  // The most that runs of rivals take; none where no cap was set.
  std::optional<double> rival_seconds = 0;
};

// Makes nothing and counts. A model that was not made before has its frame and space, but no
// weights.
class PlanLab : public Lab {
 public:
  PlanLab(std::filesystem::path folder, std::string device)
      : folder_(std::move(folder)), device_(std::move(device)) {}

  const Cost& cost() const { return cost_; }

  Trained train(const City& city, const std::string& label, TrainOptions request) override;
  Evaluation judge(const Model& model, const Dataset& data, std::span<const float> known) override;
  std::span<const float> truth(Measure measure, const Space& space, const Dataset& data) override;
  RivalRun rival(const City& city, const std::string& label, const RivalRequest& request) override;
  Predicted rival_distances(const RivalRun& run, const Dataset& data, bool moved) override;

 private:
  std::filesystem::path folder_;
  std::string device_;
  Cost cost_;
  std::set<std::string> seen_;
};

// What a WorkLab tells: that a run begins (`training` is empty then), and how it goes. May throw to
// stop: the run goes on from there the next time.
struct RunEvent {
  std::size_t run = 0;  // from 1 on, of those made here
  const std::string& label;
  const TrainEvent& training;
  bool is_rival = false;  // begins in another program, which tells of its steps itself
};
using RunWatch = std::function<void(const RunEvent&)>;

class WorkLab : public Lab {
 public:
  // `progress` is called where nothing is trained yet or any more, and may throw, too. Throws
  // Error(failure) where the folder cannot be made.
  WorkLab(std::filesystem::path folder, std::string device, std::size_t threads, RunWatch watch,
          Progress progress = {}, RivalTools rivals = {});

  Trained train(const City& city, const std::string& label, TrainOptions request) override;
  Evaluation judge(const Model& model, const Dataset& data, std::span<const float> known) override;
  std::span<const float> truth(Measure measure, const Space& space, const Dataset& data) override;
  RivalRun rival(const City& city, const std::string& label, const RivalRequest& request) override;
  Predicted rival_distances(const RivalRun& run, const Dataset& data, bool moved) override;

 private:
  FileLock lock_of(const std::string& run) const;

  std::filesystem::path folder_;
  std::string device_;
  std::size_t threads_;
  RunWatch watch_;
  Progress progress_;
  RivalMaker rivals_;
  std::size_t runs_ = 0;
  std::map<std::string, std::vector<float>> truths_;  // by data, measure and space
};

}  // namespace tsmini::experiment
