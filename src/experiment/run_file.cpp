#include "experiment/run_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/error.h"

#include "base/checksum.h"
#include "base/file.h"
#include "experiment/record.h"
#include "learn/checkpoint.h"

namespace tsmini::experiment {

using Json = nlohmann::ordered_json;

std::string run_name(const learn::TrainPlan& plan) {
  const std::string text = plan.fingerprint.dump();
  return checksum_digits(checksum_of(std::as_bytes(std::span(text))));
}

bool RunFile::exists() const {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(record_, error);
  return !error && size > 0 && std::filesystem::exists(model_);
}

std::uint64_t RunFile::steps_done() const {
  if (!std::filesystem::exists(checkpoint_)) return 0;
  try {
    return learn::Checkpoint::load(checkpoint_).step;
  } catch (const Error& error) {
    if (error.field() != "checkpoint") throw;  // it may be whole, and could not be opened
    return 0;
  }
}

Trained RunFile::load() const {
  const Json json = read_record(record_);
  Trained trained;
  try {
    if (json.contains("model") && json["model"] != file_checksum(model_))
      throw Error(ErrorCode::bad_input,
                  fmt::format("{}: is not the model that this run made", model_.string()),
                  "remove it, and the run is made again");
    trained.model = Model::load(model_);
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
  make_durable(model_);
  Json json = {{"run", label},
               {"parameters", trained.parameters},
               {"steps", trained.steps},
               {"seconds", trained.seconds},
               {"label_seconds", trained.label_seconds},
               {"model", file_checksum(model_)},
               {"stages", Json::array()}};
  for (const Stage& stage : trained.stages)
    json["stages"].push_back(
        {{"step", stage.step}, {"seconds", stage.seconds}, {"hr10", stage.hr10}});
  write_record(record_, json);
  make_durable(record_);
  std::filesystem::remove(checkpoint_);
}

}  // namespace tsmini::experiment
