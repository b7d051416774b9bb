// What a lab keeps of a run: FOLDER/NAME.safetensors and FOLDER/NAME.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "experiment/lab.h"

namespace tsmini::experiment {

// A name that tells everything apart that trains differently: 16 hexadecimal digits.
std::string run_name(const learn::TrainPlan& plan);

class RunFile {
 public:
  RunFile(const std::filesystem::path& folder, const std::string& name)
      : model_(folder / (name + ".safetensors")),
        record_(folder / (name + ".json")),
        checkpoint_(folder / (name + ".checkpoint")) {}

  // A record that a power cut left empty is none: the run is made again, from its checkpoint.
  bool exists() const;
  const std::filesystem::path& checkpoint() const { return checkpoint_; }
  // How many steps a run that was stopped had done, by its checkpoint. 0 where there is none, or
  // another version wrote it, or it is damaged, which is no reason to stop: the run begins again.
  std::uint64_t steps_done() const;

  // Throws Error(bad_input) where the files are not what save() wrote, another model among it.
  Trained load() const;
  // The record appears last: without it there is no run. Removes the checkpoint once both files are
  // on the disk.
  void save(const Trained& trained, const std::string& label) const;

 private:
  std::filesystem::path model_, record_, checkpoint_;
};

}  // namespace tsmini::experiment
