// Tensors of LibTorch by name, and how a file keeps them.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <torch/torch.h>

#include "base/safetensors.h"

namespace tsmini::rivals {

using torch::Tensor;
using Tensors = std::map<std::string, Tensor>;

// Writes the tensors as float32, with a checksum, whole or not at all.
void save_tensors(const std::filesystem::path& path, const Tensors& tensors,
                  const TensorMetadata& metadata);

struct LoadedTensors {
  Tensors tensors;  // on the CPU
  TensorMetadata metadata;
};
// Throws Error(bad_input) where the file is not such a one, a value is not finite, or something has
// changed since it was written.
LoadedTensors load_tensors(const std::filesystem::path& path);

}  // namespace tsmini::rivals
