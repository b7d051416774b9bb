#include "rivals/core/labels.h"

#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#ifdef TSMINI_CUDA
#include "tsmini/cuda_pairs.h"
#endif
#include "tsmini/error.h"
#include "tsmini/pair_engine.h"

#include "base/random.h"
#include "base/sampling.h"

namespace tsmini::rivals {
namespace {

void check_room(std::size_t trips) {
  const double wanted = static_cast<double>(trips) * static_cast<double>(trips) * sizeof(float);
  const double there =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (wanted > there / 2)
    throw Error(ErrorCode::failure,
                fmt::format("rivals keep the distances of all to all of {} training trips, which "
                            "takes {:.0f} GB",
                            trips, wanted / 1e9),
                "use fewer training trips, or a machine with twice that memory");
}

// The largest among the same sample whatever made the matrix.
double largest_in_sample(const Tensor& matrix, std::uint64_t seed) {
  constexpr std::size_t most = 2000;
  const auto all = static_cast<std::size_t>(matrix.size(0));
  const Tensor chosen =
      torch::tensor(sample_below<std::int64_t>(all, most, Random(seed, 0xd3a)), torch::kLong);
  return matrix.index_select(0, chosen).index_select(1, chosen).max().item<double>();
}

}  // namespace

Tensor true_distances(Measure measure, const PlanarSet& trips, const torch::Device& device,
                      const Progress& progress) {
  const std::size_t n = trips.size();
  Tensor matrix = torch::empty({static_cast<std::int64_t>(n), static_cast<std::int64_t>(n)});
  const std::span<float> values(matrix.data_ptr<float>(), n * n);
#ifdef TSMINI_CUDA
  if (device.is_cuda() && CudaPairs::supports(measure)) {
    CudaPairs(trips).many_to_many(measure, trips, values);
    return matrix;
  }
#endif
  static_cast<void>(device);
  PairEngine(measure, trips).many_to_many(trips, values, progress);
  return matrix;
}

Labels labels_of(Measure measure, const PlanarSet& trips, std::uint64_t seed,
                 const torch::Device& device, const Progress& progress) {
  check_room(trips.size());
  Tensor matrix = true_distances(measure, trips, device, progress);
  const double largest = largest_in_sample(matrix, seed);
  if (!(largest > 0))
    throw Error(ErrorCode::bad_input, "all training trajectories are at distance 0 of each other",
                "train on data with more than one shape of trip");
  matrix.div_(largest);
  return {measure, trips, matrix.to(device), largest};
}

Tensor Labels::among(const Tensor& ids) const {
  const Tensor there = ids.to(matrix.device());
  return matrix.index_select(0, there).index_select(1, there);
}

}  // namespace tsmini::rivals
