// The safetensors format: named arrays of float32 and a few texts about them.
//
// Eight bytes with the length of the header (little-endian), the header, which is JSON such as
//   {"__metadata__":{"key":"text"},"weight":{"data_offsets":[0,24],"dtype":"F32","shape":[2,3]}}
// padded with blanks, and the values, row-major, at the offsets it names, without gaps.
//
//   SafetensorsFile in(path);                        // throws where the file lies
//   std::vector<float> weight = in.tensors().at("weight").values();
//
//   write_safetensors(path, {{"weight", {{2, 3}, std::as_bytes(values)}}}, {{"key", "text"}});
//
// Reading maps the file: the cost is that of its header. Of the format's types only F32 is
// supported.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"

namespace tsmini {

struct TensorView {
  std::vector<std::size_t> shape;
  std::span<const std::byte> bytes;  // of float32, perhaps not aligned

  std::vector<float> values() const;
};

using TensorViews = std::map<std::string, TensorView, std::less<>>;
using TensorMetadata = std::map<std::string, std::string, std::less<>>;

class SafetensorsFile {
 public:
  // Throws Error(bad_input) naming file, tensor and value for anything but a file whose header is
  // JSON of that form and describes every byte behind it exactly once.
  explicit SafetensorsFile(const std::filesystem::path& path);

  const TensorViews& tensors() const { return tensors_; }  // valid while this is
  const TensorMetadata& metadata() const { return metadata_; }

 private:
  MappedFile file_;
  TensorViews tensors_;
  TensorMetadata metadata_;
};

// Whole or not at all; the same input gives the same bytes. Texts are UTF-8.
void write_safetensors(const std::filesystem::path& path, const TensorViews& tensors,
                       const TensorMetadata& metadata);

}  // namespace tsmini
