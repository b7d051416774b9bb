#include "rivals/core/tensors.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"

namespace tsmini::rivals {

void save_tensors(const std::filesystem::path& path, const Tensors& tensors,
                  const TensorMetadata& metadata) {
  Tensors kept;
  TensorViews views;
  for (const auto& [name, tensor] : tensors) {
    const Tensor& here =
        kept.emplace(name, tensor.detach().to(torch::kCPU, torch::kFloat).contiguous())
            .first->second;
    std::vector<std::size_t> shape;
    for (const std::int64_t size : here.sizes()) shape.push_back(static_cast<std::size_t>(size));
    views[name] = {
        std::move(shape),
        std::as_bytes(std::span(here.data_ptr<float>(), static_cast<std::size_t>(here.numel())))};
  }
  write_safetensors(path, views, metadata);
}

LoadedTensors load_tensors(const std::filesystem::path& path) {
  const SafetensorsFile file(path);
  LoadedTensors loaded;
  loaded.metadata = file.metadata();
  for (const auto& [name, view] : file.tensors()) {
    std::vector<std::int64_t> shape(view.shape.begin(), view.shape.end());
    const std::vector<float> values = view.values();
    if (!std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); }))
      throw Error(ErrorCode::bad_input,
                  fmt::format("{}: '{}' has values that are not finite", path.string(), name),
                  "make the file again");
    loaded.tensors[name] = torch::tensor(values).reshape(shape);
  }
  return loaded;
}

}  // namespace tsmini::rivals
