#include "experiment/run_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/error.h"

#include "base/checksum.h"
#include "base/file.h"

namespace tsmini::experiment {

using Json = nlohmann::ordered_json;

std::string run_name(const learn::TrainPlan& plan) {
  const std::string text = plan.fingerprint.dump();
  return checksum_digits(checksum_of(std::as_bytes(std::span(text))));
}

bool RunFile::exists() const {
  return std::filesystem::exists(record_) && std::filesystem::exists(model_);
}

Trained RunFile::load() const {
  Trained trained;
  trained.model = Model::load(model_);
  const MappedFile file(record_);
  const auto bytes = file.bytes();
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  try {
    const Json json = Json::parse(text, text + bytes.size());
    trained.parameters = json.at("parameters");
    trained.steps = json.at("steps");
    trained.seconds = json.at("seconds");
    trained.label_seconds = json.at("label_seconds");
    for (const Json& stage : json.at("stages"))
      trained.stages.push_back({stage.at("step"), stage.at("seconds"), stage.at("hr10")});
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: not the record of a run ({})", record_.string(), error.what()),
                "remove it, and the run is made again");
  }
  return trained;
}

void RunFile::save(const Trained& trained, const std::string& label) const {
  trained.model.save(model_);
  Json json = {{"run", label},
               {"parameters", trained.parameters},
               {"steps", trained.steps},
               {"seconds", trained.seconds},
               {"label_seconds", trained.label_seconds},
               {"stages", Json::array()}};
  for (const Stage& stage : trained.stages)
    json["stages"].push_back(
        {{"step", stage.step}, {"seconds", stage.seconds}, {"hr10", stage.hr10}});
  OutputFile file(record_);
  file.write(json.dump(1) + "\n");
  file.commit();
  std::filesystem::remove(checkpoint_);
}

}  // namespace tsmini::experiment
