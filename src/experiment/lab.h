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
#include <set>
#include <span>
#include <string>
#include <vector>

#include "tsmini/evaluate.h"
#include "tsmini/model.h"
#include "tsmini/progress.h"

#include "experiment/setting.h"
#include "learn/train_request.h"
#include "learn/trainer.h"

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
  virtual Trained train(const City& city, const std::string& label,
                        learn::TrainRequest request) = 0;

  // The model against true distances: of the data's own test part, or known ones (of all to all,
  // in the order of the test part).
  virtual Evaluation judge(const Model& model, const Dataset& data,
                           std::span<const float> known = {}) = 0;

  // True distances of all to all of a test part, in the model's space and measure, row-major.
  virtual std::span<const float> truth(const Model& model, const Dataset& data) = 0;
};

struct Cost {
  std::size_t runs = 0;     // to be made
  std::size_t done = 0;     // made before
  std::uint64_t steps = 0;  // of those to be made
  double operations = 0;    // of these, in multiplications and additions
};

// Makes nothing and counts. A model that was not made before has its frame and space, but no
// weights.
class PlanLab : public Lab {
 public:
  PlanLab(std::filesystem::path folder, std::string device)
      : folder_(std::move(folder)), device_(std::move(device)) {}

  const Cost& cost() const { return cost_; }

  Trained train(const City& city, const std::string& label, learn::TrainRequest request) override;
  Evaluation judge(const Model& model, const Dataset& data, std::span<const float> known) override;
  std::span<const float> truth(const Model& model, const Dataset& data) override;

 private:
  std::filesystem::path folder_;
  std::string device_;
  Cost cost_;
  std::set<std::string> seen_;
};

// What a WorkLab tells while it trains. May throw to stop: the run goes on from there the next
// time.
struct RunEvent {
  std::size_t run = 0;  // from 1 on, of those made here
  const std::string& label;
  const learn::TrainEvent& training;
};
using RunWatch = std::function<void(const RunEvent&)>;

class WorkLab : public Lab {
 public:
  // `progress` is called where nothing is trained yet or any more, and may throw, too. Throws
  // Error(failure) where the folder cannot be made.
  WorkLab(std::filesystem::path folder, std::string device, std::size_t threads, RunWatch watch,
          Progress progress = {});

  Trained train(const City& city, const std::string& label, learn::TrainRequest request) override;
  Evaluation judge(const Model& model, const Dataset& data, std::span<const float> known) override;
  std::span<const float> truth(const Model& model, const Dataset& data) override;

 private:
  std::filesystem::path folder_;
  std::string device_;
  std::size_t threads_;
  RunWatch watch_;
  Progress progress_;
  std::size_t runs_ = 0;
  std::map<std::string, std::vector<float>> truths_;  // by data, measure and space
};

}  // namespace tsmini::experiment
