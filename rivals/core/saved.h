// A trained rival in a file: safetensors with "net.NAME" for each weight, "ground.NAME" for what it
// knows of its city, and in the metadata its settings.
#pragma once

#include <filesystem>
#include <memory>

#include "tsmini/space.h"

#include "rivals/core/rival.h"

namespace tsmini::rivals {

// Parameters and buffers of a network as a file keeps them, and back. Throws Error(bad_input) where
// one is missing or of another shape. In a network that was `moved` to another ground, buffers that
// belong to the ground stay as they are.
Tensors net_of(const Rival& rival);
void give_net(Rival& rival, const Tensors& tensors, bool moved = false);

struct SavedRival {
  const RivalKind* kind = nullptr;
  Settings settings;
  SpaceKind space = SpaceKind::zscore;  // in which the distances were that it has learned
  Ground ground;
  std::shared_ptr<Rival> rival;
};

void save_rival(const std::filesystem::path& path, const SavedRival& saved);
// Ready for inference on the device. Throws Error(bad_input) where the file is not of a rival.
SavedRival load_rival(const std::filesystem::path& path, const torch::Device& device);

}  // namespace tsmini::rivals
