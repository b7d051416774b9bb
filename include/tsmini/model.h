// A trained model as a value and as a file: what training writes and everything else reads.
//
// The file is safetensors: float32 tensors under the names of the network's parameters, and in its
// metadata the key "tsmini" with all of the below as JSON, and a checksum. Any PyTorch user can
// open it.
//
//   Model model = Model::load("frechet.safetensors");
//   std::cout << name_of(model.measure) << " in " << model.space.to_json() << '\n';
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tsmini/calibration.h"
#include "tsmini/embedding.h"
#include "tsmini/features.h"
#include "tsmini/measure.h"
#include "tsmini/net_settings.h"
#include "tsmini/space.h"

namespace tsmini {

struct Tensor {
  std::vector<std::size_t> shape;
  std::vector<float> values;  // row-major
};

struct Model {
  NetSettings net;
  FeatureFrame frame;
  Measure measure = Measure::frechet;
  MeasureSettings measure_settings;
  Space space;              // in which the measure was taken: distances come in its unit
  Calibration calibration;  // from a distance of embeddings to one in that unit
  std::string provenance;   // JSON: preset, seed, steps, data, validation figures
  std::map<std::string, Tensor, std::less<>> tensors;

  // Throws Error(bad_input) naming the file and what is wrong with it: not safetensors, a header
  // that lies (overlaps, gaps, sizes beyond the file), no or a newer "tsmini" entry, NaN in a
  // tensor.
  static Model load(const std::filesystem::path& path);
  // Loads all but the tensors, at the cost of a header, and so without checks of what they hold.
  static Model load_description(const std::filesystem::path& path);
  // Appears whole or not at all; the same model gives the same bytes. Throws Error(failure) for
  // what load() would refuse: NaN in a tensor, a calibration that is not above 0.
  void save(const std::filesystem::path& path) const;
};

// What the model measures by, as text: "frechet", "edr, epsilon 150".
std::string measure_text(const Model& model);

}  // namespace tsmini
