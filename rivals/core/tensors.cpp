#include "rivals/core/tensors.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/checksum.h"

namespace tsmini::rivals {
namespace {

constexpr const char* checksum_key = "checksum";

// A checksum of names, shapes and values of tensors, and of metadata.
class TensorsChecksum {
 public:
  void add(const std::string& name, const Tensor& tensor) {
    sum_.piece(name);
    for (const std::int64_t size : tensor.sizes()) sum_.piece(std::to_string(size));
    sum_.piece(std::as_bytes(
        std::span(tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel()))));
  }
  void add(const TensorMetadata& metadata) {
    for (const auto& [key, value] : metadata)
      if (key != checksum_key) sum_.piece(key).piece(value);
  }
  std::string digits() const { return sum_.digits(); }

 private:
  Checksum sum_;
};

}  // namespace

void save_tensors(const std::filesystem::path& path, const Tensors& tensors,
                  const TensorMetadata& metadata) {
  Tensors kept;
  TensorViews views;
  TensorsChecksum checksum;
  for (const auto& [name, tensor] : tensors) {
    const Tensor& here =
        kept.emplace(name, tensor.detach().to(torch::kCPU, torch::kFloat).contiguous())
            .first->second;
    checksum.add(name, here);
    std::vector<std::size_t> shape;
    for (const std::int64_t size : here.sizes()) shape.push_back(static_cast<std::size_t>(size));
    views[name] = {
        std::move(shape),
        std::as_bytes(std::span(here.data_ptr<float>(), static_cast<std::size_t>(here.numel())))};
  }
  TensorMetadata all = metadata;
  checksum.add(metadata);
  all[checksum_key] = checksum.digits();
  write_safetensors(path, views, all);
}

LoadedTensors load_tensors(const std::filesystem::path& path) {
  const SafetensorsFile file(path);
  LoadedTensors loaded;
  loaded.metadata = file.metadata();
  TensorsChecksum checksum;
  for (const auto& [name, view] : file.tensors()) {
    std::vector<std::int64_t> shape(view.shape.begin(), view.shape.end());
    const std::vector<float> values = view.values();
    if (!std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); }))
      throw Error(ErrorCode::bad_input,
                  fmt::format("{}: '{}' has values that are not finite", path.string(), name),
                  "make the file again");
    const Tensor tensor = torch::tensor(values).reshape(shape);
    checksum.add(name, tensor);
    loaded.tensors[name] = tensor;
  }
  checksum.add(loaded.metadata);
  const auto noted = loaded.metadata.find(checksum_key);
  if (noted != loaded.metadata.end() && noted->second != checksum.digits())
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: its checksum does not fit: it was damaged", path.string()),
                "make the file again");
  return loaded;
}

}  // namespace tsmini::rivals
