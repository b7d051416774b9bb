// A matrix file (tsmini/matrix.h) computed on an NVIDIA GPU, in one go.
//
//   MatrixOptions options;
//   options.measure = Measure::dtw;
//   write_cuda_matrix(trips, nullptr, "d.npy", options);
#pragma once

#include <filesystem>

#include "tsmini/matrix.h"

namespace tsmini {

// Does what write_matrix() does, in single precision and without a band, for the measures that
// CudaPairs has. What an earlier call left half done is computed anew. Throws Error as
// write_matrix() and CudaPairs do.
MatrixSummary write_cuda_matrix(const PlanarSet& rows, const PlanarSet* columns,
                                const std::filesystem::path& path, const MatrixOptions& options);

}  // namespace tsmini
