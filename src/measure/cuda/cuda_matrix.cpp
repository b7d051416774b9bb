#include "tsmini/cuda_matrix.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "tsmini/cuda_pairs.h"
#include "tsmini/version.h"

#include "base/enum_names.h"
#include "base/stopwatch.h"
#include "measure/matrix_part.h"

namespace tsmini {
namespace {

using Json = MatrixPart::Json;

// Spreads the pairs i < j, condensed at the beginning of a square matrix of n rows, over it.
void spread(std::span<float> values, std::size_t n) {
  for (std::size_t i = n; i-- > 0;) {
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(i * n - i * (i + 1) / 2);
    const auto row = values.begin() + static_cast<std::ptrdiff_t>(i * n);
    std::copy_backward(from, from + static_cast<std::ptrdiff_t>(n - 1 - i),
                       row + static_cast<std::ptrdiff_t>(n));
  }
  for (std::size_t i = 0; i < n; ++i) {
    values[i * n + i] = 0;
    for (std::size_t j = i + 1; j < n; ++j) values[j * n + i] = values[i * n + j];
  }
}

void compute(const PlanarSet& rows, const PlanarSet* columns, const MatrixOptions& options,
             std::span<float> values) {
  const std::size_t n = rows.size();
  if (columns != nullptr) {
    CudaPairs(*columns).many_to_many(options.measure, rows, values);
    return;
  }
  CudaPairs(rows).all_pairs(options.measure, values.first(n * (n - 1) / 2));
  if (!options.condensed) spread(values, n);
}

}  // namespace

MatrixSummary write_cuda_matrix(const PlanarSet& rows, const PlanarSet* columns,
                                const std::filesystem::path& path, const MatrixOptions& options) {
  const Stopwatch watch;
  const std::size_t n = rows.size(), width = columns != nullptr ? columns->size() : n;
  const std::size_t pairs =
      columns != nullptr ? n * width : n * (std::max<std::size_t>(n, 1) - 1) / 2;
  NpyHeader header{NpyType::float32, {n, width}};
  if (options.condensed) header.shape = {pairs};
  Json request;
  request["tsmini"] = version();
  request["measure"] = name_of(options.measure);
  request["settings"] = Json::object();
  request["space"] = Json::parse(options.space.to_json());
  request["precision"] = name_in(precision_names, Precision::single_precision);
  request["device"] = CudaPairs::name();
  request["rows"] = n;
  request["columns"] = width;
  request["condensed"] = options.condensed;
  MatrixPart part(path, header, request, options.restart);
  if (pairs > 0) compute(rows, columns, options, part.values<float>());
  part.set_rows_done(n);
  part.finish(options.ids, options.column_ids);
  return {n, width, 0, pairs, 0, watch.seconds()};
}

}  // namespace tsmini
