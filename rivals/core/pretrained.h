// What a rival learns without labels, made once and shared.
//
// Vectors of cells and contrastive learning are the same for every measure: they are kept in a file
// FOLDER/pretrained-DIGITS.safetensors, whose digits follow from all that decides them, and other
// runs take them from there. Where another process is making it, this one waits. A rival that has
// neither leaves no file.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "rivals/core/run.h"

namespace tsmini::rivals {

struct Pretrained {
  Ground ground;
  Tensors net;            // weights and buffers
  TrainingResult result;  // of learning without labels
  double ground_seconds = 0;

  // A network with these weights.
  std::shared_ptr<Rival> rival(const RunRequest& request) const;
};

// `data` identifies the trips of the city. A file that is damaged is made again.
Pretrained pretrained(const RunRequest& request, const City& city, const std::string& data,
                      const std::filesystem::path& folder, const RunWatch& watch);

}  // namespace tsmini::rivals
