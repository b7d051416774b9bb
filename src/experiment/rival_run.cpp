#include "experiment/rival_run.h"

#include <span>
#include <vector>

#include "tsmini/error.h"
#include "tsmini/rivals.h"
#include "tsmini/version.h"

#include "base/checksum.h"
#include "experiment/record.h"
#include "experiment/rival_program.h"

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
                    {"revision", rival_revision}};
  return "rival-" + Checksum().piece(all.dump()).digits();
}

std::optional<RivalRun> RivalFile::run_of(const Json& told) const {
  bool sound = true;
  const auto number = [&](const char* key) {
    const double value = told.at(key).get<double>();
    sound &= value >= 0 && value <= 1e15;
    return value;
  };
  const auto count = [&](const char* key) {
    const double value = number(key);
    return sound ? static_cast<std::uint64_t>(value) : 0;
  };
  RivalRun run;
  try {
    run.name = name_;
    run.parameters = count("parameters");
    run.table = count("table");
    run.steps = count("steps");
    run.recipe_steps = count("recipe_steps");
    run.seconds = number("seconds");
    run.pretraining_seconds = number("pretraining_seconds");
    run.label_seconds = number("label_seconds");
    run.rising = told.at("rising");
  } catch (const Json::exception&) {
    return {};
  }
  if (!sound) return {};
  return run;
}

std::optional<RivalRun> RivalFile::load() const {
  if (!std::filesystem::is_regular_file(record_) || !std::filesystem::is_regular_file(weights_))
    return {};
  try {
    const Json record = read_record(record_);
    if (record.contains("weights") && record["weights"] != file_checksum(weights_)) return {};
    return run_of(record.value("told", Json()));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_input) throw;
  } catch (const Json::exception&) {  // no object
  }
  return {};
}

RivalRun RivalFile::save(const Json& told, const std::string& label) const {
  const std::optional<RivalRun> run = run_of(told);
  if (!run || !std::filesystem::is_regular_file(weights_))
    throw RivalFailed(ErrorCode::failure, "tsmini-rivals told something else than of a run",
                      "use one of the same version as tsmini");
  write_record(record_, {{"run", label}, {"weights", file_checksum(weights_)}, {"told", told}});
  return *run;
}

}  // namespace tsmini::experiment
