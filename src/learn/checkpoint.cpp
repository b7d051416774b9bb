#include "learn/checkpoint.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/checksum.h"
#include "base/file.h"
#include "base/safetensors.h"
#include "learn/train_plan.h"

namespace tsmini::learn {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view key = "tsmini-checkpoint", checksum_key = "checksum";
constexpr int format_version = 5;
constexpr const char* start_over = "leave out `resume` to start over";
constexpr const char* other_file = "remove it to start over, or name another file";
// What a resumed run may have otherwise.
constexpr std::array<std::string_view, 3> budget_names{"steps", "time_budget", "steps_too"};

// A checksum of the numbers, and of the names, sizes and values of the tensors.
std::string checksum_of(std::string_view numbers, const TensorViews& tensors) {
  Checksum sum;
  sum.piece(numbers);
  for (const auto& [name, view] : tensors) sum.piece(name).piece(view.bytes);
  return sum.digits();
}

Json to_json(const RetrievalScore& s) {
  return {s.queries, s.base, s.hr1, s.hr5, s.hr10, s.hr50, s.r10at50, s.rerank50};
}

RetrievalScore score_from(const Json& j) {
  return {j.at(0), j.at(1), j.at(2), j.at(3), j.at(4), j.at(5), j.at(6), j.at(7)};
}

Json to_json(const TrainEvent& e) {
  return {e.step, e.steps,          e.seconds,   e.all_seconds, e.rate,
          e.loss, to_json(e.score), e.best_hr10, e.improved};
}

TrainEvent event_from(const Json& j) {
  TrainEvent event;
  event.step = j.at(0);
  event.steps = j.at(1);
  event.seconds = j.at(2);
  event.all_seconds = j.at(3);
  event.rate = j.at(4);
  event.loss = j.at(5);
  event.score = score_from(j.at(6));
  event.best_hr10 = j.at(7);
  event.improved = j.at(8);
  event.validated = true;
  event.past = true;
  return event;
}

// A file that cannot be opened is told as such; another one, with what to do about a checkpoint.
SafetensorsFile opened(const std::filesystem::path& path) {
  static_cast<void>(open_for_reading(path));
  try {
    return SafetensorsFile(path);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_input) throw;
    throw Error(ErrorCode::bad_input, error.what(), other_file, "checkpoint");
  }
}

bool is_budget(std::string_view name) {
  return std::find(budget_names.begin(), budget_names.end(), name) != budget_names.end();
}

Json without_budget(Json request) {
  for (const std::string_view name : budget_names) request.erase(std::string(name));
  return request;
}

// What a key of a request says to a reader, where its name alone would not.
std::string words_for(std::string_view name) {
  if (name == "train_trips") return "number of training trajectories";
  if (name == "validation_trips") return "number of validation trajectories";
  if (name == "frame") return "feature frame";
  if (name == "init_checksum") return "checksum of the model to start from";
  return std::string(name);
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
               {"preparing_seconds", preparing_seconds},
               {"judging_seconds", judging_seconds},
               {"last_judging_seconds", last_judging_seconds},
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
  TensorViews views;
  for (const auto& [name, values] : tensors)
    views[name] = {{values.size()}, std::as_bytes(std::span(values))};
  const std::string numbers = json.dump();
  write_safetensors(
      path, views,
      {{std::string(key), numbers}, {std::string(checksum_key), checksum_of(numbers, views)}});
}

Checkpoint Checkpoint::load(const std::filesystem::path& path) {
  const auto refuse = [&](const std::string& what, const char* remedy = start_over) {
    throw Error(ErrorCode::bad_input, fmt::format("{}: {}", path.string(), what), remedy,
                "checkpoint");
  };
  const SafetensorsFile file = opened(path);
  const auto found = file.metadata().find(key), sum = file.metadata().find(checksum_key);
  if (found == file.metadata().end()) refuse("is not a checkpoint of ours", other_file);
  if (sum == file.metadata().end()) refuse("has no checksum: an older version wrote it");
  if (sum->second != checksum_of(found->second, file.tensors())) refuse("was altered or damaged");
  Checkpoint checkpoint;
  try {
    const Json json = Json::parse(found->second);
    if (json.at("version") != format_version) refuse("is a checkpoint of another version");
    checkpoint.request = json.at("request");
    if (!checkpoint.request.is_object()) refuse("has a request that is no object");
    checkpoint.step = json.at("step");
    checkpoint.seconds = json.at("seconds");
    checkpoint.preparing_seconds = json.at("preparing_seconds");
    checkpoint.judging_seconds = json.at("judging_seconds");
    checkpoint.last_judging_seconds = json.at("last_judging_seconds");
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
  for (const auto& [name, view] : file.tensors()) checkpoint.tensors[name] = view.values();
  return checkpoint;
}

void check_replaceable(const std::filesystem::path& path) {
  { const OutputFile writable(path); }
  std::error_code error;
  if (!std::filesystem::exists(path) || std::filesystem::is_empty(path, error)) return;
  try {
    if (opened(path).metadata().contains(key)) return;
  } catch (const Error& problem) {
    if (problem.field() != "checkpoint") throw;
  }
  throw Error(ErrorCode::usage,
              fmt::format("{} is there, and is no checkpoint that can be read", path.string()),
              other_file, "checkpoint");
}

bool other_budget(const Checkpoint& checkpoint, const nlohmann::ordered_json& request) {
  const Json& before = checkpoint.request;
  return std::any_of(budget_names.begin(), budget_names.end(), [&](std::string_view name) {
    const std::string key_of(name);
    return before.value(key_of, Json()) != request.value(key_of, Json());
  });
}

void check_same_request(const Checkpoint& checkpoint, const nlohmann::ordered_json& request,
                        const std::filesystem::path& path) {
  const Json& before = checkpoint.request;
  if (without_budget(before) == without_budget(request)) return;
  std::string what = "other settings";
  for (const auto& [name, value] : request.items()) {
    if (is_budget(name) || (before.contains(name) && before[name] == value)) continue;
    if (!before.contains(name)) {
      what = fmt::format("it knows no {}", words_for(name));
    } else if (name == data_key) {
      what = "the data is not what it was";
    } else {
      what = fmt::format("{} was {} and is now {}", words_for(name), text_of(before[name]),
                         text_of(value));
    }
    break;
  }
  throw Error(
      ErrorCode::usage, fmt::format("{} belongs to another request: {}", path.string(), what),
      "ask for the same as then, but for `steps` and `time_budget`, or leave out `resume` to "
      "start over",
      "resume");
}

}  // namespace tsmini::learn
