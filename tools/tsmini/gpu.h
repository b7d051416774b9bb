// What the program does on an NVIDIA GPU. A build without CUDA has none, and says so.
#pragma once

#include <filesystem>
#include <string>

#include "tsmini/evaluate.h"
#include "tsmini/matrix.h"

namespace tsmini::cli {

// Empty where there is no GPU, or none that this build can use.
std::string gpu_name();

// Whether write_matrix_on_gpu() can do what is asked.
bool fits_gpu(const MatrixOptions& options);

// Does what write_matrix() does, on the GPU and in one go. Throws Error: usage for what it cannot
// do, failure without a GPU.
MatrixSummary write_matrix_on_gpu(const PlanarSet& rows, const PlanarSet* columns,
                                  const std::filesystem::path& path, const MatrixOptions& options);

// Distances by the GPU, for EvaluateRequest::truth. Throws Error: usage for a measure that has no
// kernel there, failure without a GPU.
std::function<DistanceRows(const PlanarSet& base)> rows_on_gpu(Measure measure,
                                                               const MeasureSettings& settings);

}  // namespace tsmini::cli
