#include "learn/small_batch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

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

template <typename T>
PackedFeatures<T>::PackedFeatures(const std::vector<Matrix>& features)
    : columns_(features[0][0].size()) {
  for (const Matrix& trip : features) {
    for (const Vector& row : trip) values_.insert(values_.end(), row.begin(), row.end());
    starts_.push_back(static_cast<int>(values_.size() / columns_));
  }
}

template class PackedFeatures<float>;
template class PackedFeatures<double>;

template <typename T>
Weights by_name(const learn::Parameters<T>& parameters, std::span<const T> weights,
                std::span<const T> buffers) {
  Weights result;
  for (const auto& [spec, offset] : parameters.entries()) {
    const auto values = (spec.trained() ? weights : buffers).subspan(offset, spec.size());
    result[spec.name] = Vector(values.begin(), values.end());
  }
  return result;
}

template Weights by_name(const learn::Parameters<float>&, std::span<const float>,
                         std::span<const float>);
template Weights by_name(const learn::Parameters<double>&, std::span<const double>,
                         std::span<const double>);

namespace {

template <typename T>
Matrix matrix_of(const learn::Array<T>& array) {
  Matrix matrix;
  for (std::size_t r = 0; r < array.rows; ++r)
    matrix.emplace_back(array.row(r), array.row(r) + array.columns);
  return matrix;
}

}  // namespace

template <typename T>
Matrix embeddings_of(learn::Net<T>& net, const std::vector<Matrix>& features) {
  PackedFeatures<T> points(features);
  learn::Arena arena;
  learn::Tape<T> tape(arena, learn::Tape<T>::Purpose::embedding);
  return matrix_of(net.embed(tape, points.rows(), points.packing()));
}

template Matrix embeddings_of(learn::Net<float>&, const std::vector<Matrix>&);
template Matrix embeddings_of(learn::Net<double>&, const std::vector<Matrix>&);

template <typename T>
Learned<T> learn_from(learn::Net<T>& net, const std::vector<Matrix>& features,
                      const SmallBatch& batch, const LossSettings& loss) {
  PackedFeatures<T> points(features);
  std::vector<T> truth;
  for (const Vector& row : batch.truth) truth.insert(truth.end(), row.begin(), row.end());
  learn::Arena arena;
  learn::Tape<T> tape(arena, learn::Tape<T>::Purpose::training);
  net.parameters().forget_gradient();
  const auto embeddings = net.embed(tape, points.rows(), points.packing());
  const auto distances = learn::pair_distances(tape, embeddings, net.settings().metric);
  double sum = 0;
  learn::similarity_loss(tape, distances, truth.data(), batch.largest, loss, &sum);
  Learned<T> learned{matrix_of(embeddings), matrix_of(distances), sum};
  tape.backward();
  return learned;
}

template Learned<float> learn_from(learn::Net<float>&, const std::vector<Matrix>&,
                                   const SmallBatch&, const LossSettings&);
template Learned<double> learn_from(learn::Net<double>&, const std::vector<Matrix>&,
                                    const SmallBatch&, const LossSettings&);

double relative_error(const Matrix& actual, const Matrix& expected) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(actual.size(), expected.size());
  if (actual.size() != expected.size()) return infinity;
  double error = 0, largest = 0;
  for (std::size_t r = 0; r < expected.size(); ++r) {
    EXPECT_EQ(actual[r].size(), expected[r].size());
    if (actual[r].size() != expected[r].size()) return infinity;
    for (std::size_t c = 0; c < expected[r].size(); ++c) {
      if (!std::isfinite(actual[r][c]) || !std::isfinite(expected[r][c])) return infinity;
      error = std::max(error, std::abs(actual[r][c] - expected[r][c]));
      largest = std::max(largest, std::abs(expected[r][c]));
    }
  }
  return largest > 0 ? error / largest : error;
}

}  // namespace tsmini
