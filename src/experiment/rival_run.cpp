#include "experiment/rival_run.h"

#include <span>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/version.h"

#include "base/checksum.h"
#include "base/file.h"
#include "experiment/rival_program.h"
#include "learn/rivals.h"

namespace tsmini::experiment {

using Json = nlohmann::ordered_json;

std::string contents_of(const Dataset& data) {
  std::vector<Part> parts(data.size());
  for (std::size_t i = 0; i < data.size(); ++i) parts[i] = data.part(i);
  return Checksum()
      .piece(name_of(data.info().coordinates))
      .piece(std::as_bytes(data.offsets()))
      .piece(std::as_bytes(data.points()))
      .piece(std::as_bytes(std::span(parts)))
      .digits();
}

std::string rival_run_name(const std::string& contents, const RivalRequest& request,
                           const std::string& device) {
  const Json all = {{"data", contents},
                    {"rival", request.contender.rival.name},
                    {"as released", request.contender.as_released},
                    {"measure", name_of(request.measure)},
                    {"space", name_of(request.space)},
                    {"seed", request.seed},
                    {"seconds", request.seconds ? Json(*request.seconds) : Json()},
                    {"device", device},
                    {"version", version()},
                    {"revision", learn::rival_revision}};
  return "rival-" + Checksum().piece(all.dump()).digits();
}

Json read_record(const std::filesystem::path& path) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  try {
    return Json::parse(text, text + bytes.size());
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: not the record of a run ({})", path.string(), error.what()),
                "remove it, and the run is made again");
  }
}

void write_record(const std::filesystem::path& path, const Json& record) {
  OutputFile file(path);
  file.write(record.dump(1) + "\n");
  file.commit();
}

bool RivalFile::exists() const {
  return std::filesystem::exists(record_) && std::filesystem::exists(weights_);
}

RivalRun RivalFile::run_of(const Json& told) const {
  RivalRun run;
  run.name = name_;
  run.parameters = told.at("parameters");
  run.table = told.at("table");
  run.steps = told.at("steps");
  run.recipe_steps = told.at("recipe_steps");
  run.seconds = told.at("seconds");
  run.pretraining_seconds = told.at("pretraining_seconds");
  run.label_seconds = told.at("label_seconds");
  run.rising = told.at("rising");
  return run;
}

RivalRun RivalFile::load() const {
  const Json record = read_record(record_);
  try {
    return run_of(record.at("told"));
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: not the record of a run ({})", record_.string(), error.what()),
                "remove it, and the run is made again");
  }
}

RivalRun RivalFile::save(const Json& told, const std::string& label) const {
  try {
    RivalRun run = run_of(told);
    write_record(record_, {{"run", label}, {"told", told}});
    return run;
  } catch (const Json::exception& error) {
    throw RivalFailed(ErrorCode::failure,
                      fmt::format("tsmini-rivals told something else ({})", error.what()),
                      "use one of the same version as tsmini");
  }
}

}  // namespace tsmini::experiment
