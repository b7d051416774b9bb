#include "learn/checkpoint.h"

#include <cstring>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/safetensors.h"

namespace tsmini::learn {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view key = "tsmini-checkpoint";
constexpr int format_version = 1;

Json to_json(const RetrievalScore& s) {
  return {s.queries, s.base, s.hr1, s.hr5, s.hr10, s.hr50, s.r10at50, s.rerank50};
}

RetrievalScore score_from(const Json& j) {
  return {j.at(0), j.at(1), j.at(2), j.at(3), j.at(4), j.at(5), j.at(6), j.at(7)};
}

Json to_json(const TrainEvent& e) {
  return {e.step, e.steps, e.seconds, e.rate, e.loss, to_json(e.score), e.best_hr10, e.improved};
}

TrainEvent event_from(const Json& j) {
  TrainEvent event;
  event.step = j.at(0);
  event.steps = j.at(1);
  event.seconds = j.at(2);
  event.rate = j.at(3);
  event.loss = j.at(4);
  event.score = score_from(j.at(5));
  event.best_hr10 = j.at(6);
  event.improved = j.at(7);
  event.validated = true;
  event.past = true;
  return event;
}

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

void Checkpoint::save(const std::filesystem::path& path) const {
  Json json = {{"version", format_version},
               {"request", request},
               {"step", step},
               {"seconds", seconds},
               {"loss_sum", loss_sum},
               {"loss_steps", loss_steps},
               {"validations", validations},
               {"since_best", since_best},
               {"best_step", best_step},
               {"scale", calibration.scale},
               {"exponent", calibration.exponent},
               {"best", to_json(best)},
               {"events", Json::array()}};
  for (const TrainEvent& event : events) json["events"].push_back(to_json(event));
  std::vector<at::Tensor> kept;
  TensorViews views;
  for (const auto& [name, tensor] : tensors) {
    kept.push_back(tensor.to(at::kCPU).contiguous());
    const at::Tensor& values = kept.back();
    const std::span all(values.data_ptr<float>(), static_cast<std::size_t>(values.numel()));
    views[name] = {{all.size()}, std::as_bytes(all)};
  }
  write_safetensors(path, views, {{std::string(key), json.dump()}});
}

Checkpoint Checkpoint::load(const std::filesystem::path& path) {
  const SafetensorsFile file(path);
  const auto found = file.metadata().find(key);
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorCode::bad_input, fmt::format("{}: {}", path.string(), what),
                "leave out --resume to start over");
  };
  if (found == file.metadata().end()) refuse("is not a checkpoint of ours");
  Checkpoint checkpoint;
  try {
    const Json json = Json::parse(found->second);
    if (json.at("version") != format_version) refuse("is a checkpoint of another version");
    checkpoint.request = json.at("request");
    checkpoint.step = json.at("step");
    checkpoint.seconds = json.at("seconds");
    checkpoint.loss_sum = json.at("loss_sum");
    checkpoint.loss_steps = json.at("loss_steps");
    checkpoint.validations = json.at("validations");
    checkpoint.since_best = json.at("since_best");
    checkpoint.best_step = json.at("best_step");
    checkpoint.calibration = {json.at("scale"), json.at("exponent")};
    checkpoint.best = score_from(json.at("best"));
    for (const Json& event : json.at("events")) checkpoint.events.push_back(event_from(event));
  } catch (const Json::exception& error) {
    refuse(fmt::format("its numbers cannot be read ({})", error.what()));
  }
  for (const auto& [name, view] : file.tensors()) {
    const at::Tensor values = at::empty({static_cast<std::int64_t>(view.bytes.size() / 4)});
    std::memcpy(values.data_ptr<float>(), view.bytes.data(), view.bytes.size());
    checkpoint.tensors[name] = values;
  }
  return checkpoint;
}

void check_same_request(const Checkpoint& checkpoint, const nlohmann::ordered_json& request,
                        const std::filesystem::path& path) {
  const Json& before = checkpoint.request;
  if (before == request) return;
  std::string what = "other settings";
  for (const auto& [name, value] : request.items()) {
    if (before.contains(name) && before[name] == value) continue;
    what = before.contains(name)
               ? fmt::format("{} was {} and is now {}", name, text_of(before[name]), text_of(value))
               : fmt::format("it knows no {}", name);
    break;
  }
  throw Error(ErrorCode::usage,
              fmt::format("{} belongs to another request: {}", path.string(), what),
              "ask for the same as then, or leave out --resume to start over");
}

}  // namespace tsmini::learn
