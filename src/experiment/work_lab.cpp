#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/train.h"

#include "experiment/lab.h"
#include "experiment/run_file.h"
#include "learn/truth.h"

namespace tsmini::experiment {

WorkLab::WorkLab(std::filesystem::path folder, std::string device, std::size_t threads,
                 RunWatch watch, Progress progress, RivalTools rivals)
    : folder_(std::move(folder)),
      device_(std::move(device)),
      threads_(threads),
      watch_(std::move(watch)),
      progress_(std::move(progress)),
      rivals_(folder_, device_, threads_, std::move(rivals)) {
  device_from(device_);  // is there one?
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error)
    throw Error(ErrorCode::failure,
                fmt::format("{}: cannot make the folder: {}", folder_.string(), error.message()),
                "choose another folder");
}

Trained WorkLab::train(const City& city, const std::string& label, TrainOptions request) {
  request.device = device_from(device_);
  request.threads = threads_;
  const std::string name = run_name(learn::TrainPlan(city.data, request));
  const RunFile file(folder_, name);
  if (file.exists()) return file.load();
  ++runs_;
  if (watch_) watch_({runs_, label, {}});
  const FileLock lock = lock_of(name);
  if (file.exists()) return file.load();
  Trained trained;
  request.checkpoint = file.checkpoint();
  request.resume = file.steps_done() > 0;
  if (!request.resume)
    std::filesystem::remove(request.checkpoint);  // damaged, or another version's
  TrainObserver observer;
  observer.preparing = [this](TrainStage, const ProgressState& state) {
    if (progress_) progress_(state);
  };
  observer.ready = [&](const TrainFacts& facts) {
    trained.parameters = facts.parameters;
    trained.label_seconds = facts.label_seconds;
  };
  observer.event = [&](const TrainEvent& event) {
    trained.steps = event.step;
    trained.seconds = event.seconds;
    if (event.validated) trained.stages.push_back({event.step, event.seconds, event.score.hr10});
    if (watch_ && !event.past) watch_({runs_, label, event});
  };
  trained.model = tsmini::train(city.data, request, observer);
  file.save(trained, label);
  return trained;
}

// Waits while another process makes the run, which is then there to load.
FileLock WorkLab::lock_of(const std::string& run) const {
  return FileLock(folder_ / (run + ".lock"), progress_);
}

Evaluation WorkLab::judge(const Model& model, const Dataset& data, std::span<const float> known) {
  const auto test = data.indices_of(Part::test);
  EvaluateRequest request;
  request.known = known.empty() ? truth(model.measure, model.space, data) : known;
  return evaluate(model, data, test, request, progress_);
}

std::span<const float> WorkLab::truth(Measure measure, const Space& space, const Dataset& data) {
  const learn::DataParts test{data.indices_of(Part::test), {}};
  const std::string key =
      fmt::format("{} {} {}", learn::checksum_of(data, test), name_of(measure), space.to_json());
  auto found = truths_.find(key);
  if (found == truths_.end())
    found = truths_
                .emplace(key, learn::true_distances(measure, {}, PlanarSet(data, space, test.train),
                                                    device_from(device_), progress_))
                .first;
  return found->second;
}

RivalRun WorkLab::rival(const City& city, const std::string& label, const RivalRequest& request) {
  const std::string name = rival_run_name(contents_of(city.data), request, device_);
  const RivalFile file(folder_, name);
  if (const std::optional<RivalRun> made = file.load()) return *made;
  ++runs_;
  if (watch_) watch_({runs_, label, {}, true});
  const FileLock lock = lock_of(name);
  if (const std::optional<RivalRun> made = file.load()) return *made;
  return rivals_.run_of(name, city.data, request, label, progress_);
}

Predicted WorkLab::rival_distances(const RivalRun& run, const Dataset& data, bool moved) {
  return rivals_.distances_of(run, data, moved, progress_);
}

}  // namespace tsmini::experiment
