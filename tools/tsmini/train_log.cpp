#include "train_log.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/error.h"

#include "base/file.h"

namespace tsmini::cli {

namespace {

constexpr std::string_view first_panel = "hit ratio on validation";

}  // namespace

TrainLog::TrainLog(std::filesystem::path lines, std::filesystem::path picture, std::string title)
    : lines_path_(std::move(lines)), picture_path_(std::move(picture)), title_(std::move(title)) {}

// Lines begin with their step, pictures have their panels named.
bool TrainLog::is_one(const std::filesystem::path& path) {
  std::string front(4096, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(front.data(), static_cast<std::streamsize>(front.size()));
  return path.extension() == ".jsonl" ? front.starts_with(R"({"step":)")
                                      : front.find(first_panel) != std::string::npos;
}

void TrainLog::begin() {
  if (!lines_.is_open()) lines_.open(lines_path_);
}

void TrainLog::add(const TrainEvent& event) {
  begin();
  steps_per_second_ =
      static_cast<double>(event.step - last_.step) / std::max(event.seconds - last_.seconds, 1e-9);
  last_ = event;
  const nlohmann::ordered_json line = {{"step", event.step},
                                       {"seconds", event.seconds},
                                       {"rate", event.rate},
                                       {"loss", event.loss},
                                       {"hr10", event.score.hr10},
                                       {"hr50", event.score.hr50},
                                       {"r10at50", event.score.r10at50},
                                       {"steps_per_second", steps_per_second_}};
  lines_ << line.dump() << std::endl;
  if (!lines_) {
    throw Error(ErrorCode::failure, fmt::format("{}: cannot write", lines_path_.string()),
                "check the folder and the space on the disk");
  }
  const auto step = static_cast<double>(event.step);
  hr10_.push_back({step, event.score.hr10});
  hr50_.push_back({step, event.score.hr50});
  loss_.push_back({step, event.loss});
}

void TrainLog::draw() {
  begin();
  LineChart chart;
  chart.title = title_;
  chart.x_title = "step";
  chart.x_low = 0;
  chart.panels = {{std::string(first_panel), {{"HR@10", hr10_}, {"HR@50", hr50_}}, 0.0, 1.0},
                  {"loss", {{"mean since the validation before", loss_}}, {}, {}}};
  OutputFile file(picture_path_);
  file.write(svg_of(chart));
  file.commit();
}

}  // namespace tsmini::cli
