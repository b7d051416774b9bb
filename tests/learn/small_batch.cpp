#include "learn/small_batch.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <torch/csrc/autograd/autograd.h>

#include "base/random.h"

namespace tsmini {

std::vector<Matrix> SmallBatch::features(const NetSettings& settings) const {
  std::vector<Matrix> all;
  for (const auto& trip : trips)
    all.push_back(reference_features(frame, trip, settings.fourier_octaves));
  return all;
}

std::vector<std::int64_t> SmallBatch::known_cells(const NetSettings& settings) const {
  std::vector<std::int64_t> known;
  if (settings.sub_views) return known;
  const CellGrid grid(settings, frame);
  std::set<std::int64_t> touched;
  for (const Matrix& trip : features(settings)) {
    for (const Vector& point : trip)
      touched.insert(grid.number_at(static_cast<float>(point[0]), static_cast<float>(point[1])));
  }
  bool odd = false;
  for (const std::int64_t number : touched) {
    if ((odd = !odd)) known.push_back(number);
  }
  return known;
}

Dataset SmallBatch::dataset() const {
  DatasetBuilder builder(Coordinates::planar);
  for (std::size_t i = 0; i < trips.size(); ++i) {
    std::vector<Position> points;
    for (const Planar& p : trips[i]) points.push_back({p.x, p.y});
    const std::string id = std::to_string(i);
    builder.add({id, points, {}});
  }
  return builder.finish();
}

SmallBatch small_batch(std::uint64_t seed, const std::vector<std::size_t>& lengths) {
  SmallBatch batch;
  batch.frame = {Space(), {-500, -250}, {2500, 2250}};
  Random random(seed);
  const auto inside = [](double value) { return std::clamp(value, 0.0, 2000.0); };
  for (const std::size_t length : lengths) {
    std::vector<Planar> trip{{random.uniform(200, 1800), random.uniform(200, 1800)}};
    double heading = random.uniform(0, 6.28);
    while (trip.size() < length) {
      heading += random.uniform(-0.8, 0.8);
      const double step = random.uniform(20, 180);
      trip.push_back({inside(trip.back().x + step * std::cos(heading)),
                      inside(trip.back().y + step * std::sin(heading))});
    }
    batch.trips.push_back(std::move(trip));
  }
  const std::size_t n = lengths.size();
  batch.truth.assign(n, Vector(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j)
      batch.truth[i][j] = batch.truth[j][i] = random.uniform(100, 900);
  }
  batch.largest = 1000;
  return batch;
}

at::Tensor tensor_of(const Matrix& matrix, at::ScalarType type) {
  const auto rows = static_cast<std::int64_t>(matrix.size());
  const auto columns = static_cast<std::int64_t>(matrix[0].size());
  at::Tensor tensor = at::empty({rows, columns}, at::kDouble);
  auto* out = tensor.data_ptr<double>();
  for (const Vector& row : matrix) out = std::copy(row.begin(), row.end(), out);
  return tensor.to(type);
}

Matrix matrix_of(const at::Tensor& tensor) {
  const at::Tensor exact = tensor.detach().to(at::kCPU, at::kDouble).contiguous();
  Matrix matrix;
  for (std::int64_t r = 0; r < exact.size(0); ++r) {
    const double* row = exact.data_ptr<double>() + r * exact.size(1);
    matrix.emplace_back(row, row + exact.size(1));
  }
  return matrix;
}

learn::Packed pack(const std::vector<Matrix>& features, at::ScalarType type, std::int64_t spare) {
  Matrix rows;
  at::Tensor starts = at::zeros({static_cast<std::int64_t>(features.size()) + 1}, at::kInt);
  for (std::size_t b = 0; b < features.size(); ++b) {
    rows.insert(rows.end(), features[b].begin(), features[b].end());
    starts.data_ptr<int>()[b + 1] = static_cast<int>(rows.size());
  }
  for (std::int64_t i = 0; i < spare; ++i) rows.emplace_back(features[0][0].size(), 0.3);
  const auto capacity = static_cast<std::int64_t>(rows.size());
  return {tensor_of(rows, type), {starts, static_cast<std::int64_t>(features.size()), capacity, 0}};
}

NamedBlocks::NamedBlocks(const learn::Parameters& parameters) {
  // Numbers that tell where they stood: from 1 up in the weights, from -1 down in the buffers.
  const at::Tensor up = at::arange(1, parameters.weights().numel() + 1, at::kFloat);
  const at::Tensor down = -at::arange(1, parameters.buffers().numel() + 1, at::kFloat);
  for (const auto& [name, tensor] : parameters.to_tensors(up, down)) {
    const float first = tensor.values[0];
    places_[name] = {first < 0, static_cast<std::size_t>(std::abs(first)) - 1,
                     tensor.values.size()};
  }
}

Weights NamedBlocks::read(const at::Tensor& weights, const at::Tensor& buffers) const {
  const at::Tensor blocks[2] = {weights.to(at::kCPU, at::kDouble),
                                buffers.to(at::kCPU, at::kDouble)};
  Weights result;
  for (const auto& [name, place] : places_) {
    const double* first = blocks[place.buffer ? 1 : 0].data_ptr<double>() + place.offset;
    result[name] = Vector(first, first + place.size);
  }
  return result;
}

at::Tensor loss_of(const learn::Net& net, const learn::Packed& points, const SmallBatch& batch,
                   const LossSettings& loss, const learn::Pass& pass) {
  const at::TensorOptions options = net.parameters().weights().options();
  const at::Tensor predicted =
      learn::pair_distances(net.embed(points, pass), net.settings().metric);
  return learn::similarity_loss(predicted, tensor_of(batch.truth).to(options),
                                at::full({1}, batch.largest, options), loss);
}

at::Tensor gradient_of(const learn::Net& net, const at::Tensor& loss) {
  const at::Tensor weights = net.parameters().weights();
  const std::vector<at::Tensor> trained = net.parameters().trained();
  const auto gradients = torch::autograd::grad({loss}, trained);
  at::Tensor block = at::zeros_like(weights);
  for (std::size_t i = 0; i < trained.size(); ++i)
    block.narrow(0, trained[i].storage_offset(), trained[i].numel())
        .copy_(gradients[i].reshape({-1}));
  return block;
}

double relative_error(const at::Tensor& actual, const at::Tensor& expected) {
  const at::Tensor a = actual.detach().to(at::kCPU, at::kDouble);
  const at::Tensor b = expected.detach().to(at::kCPU, at::kDouble);
  const double largest = b.abs().max().item<double>();
  const double error = (a - b).abs().max().item<double>();
  return largest > 0 ? error / largest : error;
}

double relative_error(const Matrix& actual, const Matrix& expected) {
  return relative_error(tensor_of(actual), tensor_of(expected));
}

}  // namespace tsmini
