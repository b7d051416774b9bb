#include "rivals/core/pretrained.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/error.h"
#include "tsmini/rivals.h"
#include "tsmini/version.h"

#include "base/checksum.h"
#include "base/file_lock.h"
#include "rivals/core/saved.h"
#include "rivals/core/timer.h"

namespace tsmini::rivals {
namespace {

using Json = nlohmann::ordered_json;

std::string digits_of(const RunRequest& request, const std::string& data) {
  const Settings& settings = request.settings;
  const Json facts = {{"version", version()},
                      {"revision", rival_revision},
                      {"rival", request.kind->name},
                      {"data", data},
                      {"seed", settings.seed},
                      {"device", settings.device.str()},
                      {"released", settings.released},
                      {"steps", request.budget.steps.value_or(0)},
                      {"seconds", request.budget.seconds.value_or(0)}};
  return Checksum().piece(facts.dump()).digits();
}

Pretrained make(const RunRequest& request, const City& city, const RunWatch& watch) {
  Pretrained made;
  const Settings& settings = request.settings;
  const Timer timer;
  if (watch.begins) watch.begins("settling");
  made.ground = settle(*request.kind, city, settings, watch.progress);
  made.ground_seconds = timer.seconds();
  torch::manual_seed(settings.seed);
  const std::shared_ptr<Rival> rival = request.kind->make(settings, made.ground);
  if (const std::optional<Stage> stage = rival->pretraining(city.train)) {
    if (watch.begins) watch.begins("pretraining");
    made.result = train(*rival, *stage, request.budget, {}, watch.training);
  }
  made.net = net_of(*rival);
  return made;
}

void save(const Pretrained& made, const std::filesystem::path& path) {
  Tensors tensors = tensors_of(made.ground);
  tensors.insert(made.net.begin(), made.net.end());
  const Json record = {{"steps", made.result.steps},
                       {"seconds", made.result.seconds},
                       {"loss", made.result.loss},
                       {"ground_seconds", made.ground_seconds}};
  save_tensors(path, tensors, {{"ground", made.ground.facts()}, {"record", record.dump()}});
}

Pretrained load(const std::filesystem::path& path) {
  LoadedTensors loaded = load_tensors(path);
  Pretrained made;
  try {
    made.ground = ground_from(loaded.metadata.at("ground"), loaded.tensors);
    const Json record = Json::parse(loaded.metadata.at("record"));
    made.result.steps = record.at("steps");
    made.result.seconds = record.at("seconds");
    made.result.loss = record.at("loss");
    made.ground_seconds = record.at("ground_seconds");
  } catch (const std::exception& error) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: not what a rival has learned ({})", path.string(), error.what()));
  }
  made.net = std::move(loaded.tensors);
  return made;
}

}  // namespace

std::shared_ptr<Rival> Pretrained::rival(const RunRequest& request) const {
  torch::manual_seed(request.settings.seed);
  std::shared_ptr<Rival> rival = request.kind->make(request.settings, ground);
  give_net(*rival, net);
  return rival;
}

Pretrained pretrained(const RunRequest& request, const City& city, const std::string& data,
                      const std::filesystem::path& folder, const RunWatch& watch) {
  // Nothing that another run could use.
  if (request.kind->add_ground == nullptr) return make(request, city, watch);
  const std::string name = "pretrained-" + digits_of(request, data);
  const std::filesystem::path path = folder / (name + ".safetensors");
  const FileLock lock(folder / (name + ".lock"), watch.progress);
  try {
    if (std::filesystem::exists(path)) {
      Pretrained found = load(path);
      found.rival(request);  // whether it fits
      return found;
    }
  } catch (const Error&) {
    if (std::filesystem::is_directory(path)) throw;
  }
  Pretrained made = make(request, city, watch);
  save(made, path);
  return made;
}

}  // namespace tsmini::rivals
