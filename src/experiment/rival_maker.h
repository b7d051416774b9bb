// Makes runs of rivals with tsmini-rivals, and asks them how far test trips are apart.
//
//   RivalMaker maker(folder, "cuda", 0, {});
//   RivalRun run = maker.run_of(name, city.data, request, "porto, dtw, TrajCL, seed 1", progress);
//   Predicted predicted = maker.distances_of(run, city.data, false, progress);
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "tsmini/dataset.h"
#include "tsmini/progress.h"

#include "experiment/data_files.h"
#include "experiment/rival_program.h"
#include "experiment/rival_run.h"

namespace tsmini::experiment {

struct RivalTools {
  std::filesystem::path program;  // empty: where it is found, when it is first needed
  Tell tell;                      // its narration; empty: it is quiet
};

class RivalMaker {
 public:
  RivalMaker(const std::filesystem::path& folder, std::string device, std::size_t threads,
             RivalTools tools);

  // Trains. Throws as RivalProgram::run() does.
  RivalRun run_of(const std::string& name, const Dataset& data, const RivalRequest& request,
                  const std::string& label, const Progress& progress);

  // The distances between the test trips, in order. `moved`: box, cells and statistics are those of
  // `data`, another city than that of the run. What was asked before is kept. Throws likewise.
  Predicted distances_of(const RivalRun& run, const Dataset& data, bool moved,
                         const Progress& progress);

 private:
  nlohmann::ordered_json told(std::vector<std::string> words, const Progress& progress);

  std::filesystem::path folder_;
  std::string device_;
  std::size_t threads_;
  RivalTools tools_;
  DataFiles data_;
};

}  // namespace tsmini::experiment
