// What a training run leaves beside its model: a line of JSON for each validation, and the learning
// curve as a picture.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tsmini/line_chart.h"
#include "tsmini/train.h"

namespace tsmini::cli {

class TrainLog {
 public:
  // The file is begun anew when there is something to tell, so that a run that comes to nothing
  // leaves that of the model before; a run that is resumed tells its past again.
  TrainLog(std::filesystem::path lines, std::filesystem::path picture, std::string title);

  // Whether a file is one of these two, by what is in it.
  static bool is_one(const std::filesystem::path& path);

  void add(const TrainEvent& event);  // of a validation
  // Steps a second between the last two validations.
  double steps_per_second() const { return steps_per_second_; }
  void draw();

 private:
  void begin();

  std::filesystem::path lines_path_, picture_path_;
  std::string title_;
  std::ofstream lines_;
  std::vector<ChartPoint> hr10_, hr50_, loss_;
  TrainEvent last_;
  double steps_per_second_ = 0;
};

}  // namespace tsmini::cli
