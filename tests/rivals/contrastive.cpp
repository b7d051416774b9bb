#include "rivals/contrastive.h"

#include <algorithm>
#include <cmath>

namespace tsmini::rivals {

using plain::Row;
using plain::Rows;

RivalKind quick(RivalKind kind) {
  kind.add_ground = [](Ground& ground, const City&, const Settings&, const Progress&) {
    const auto cells = static_cast<std::int64_t>(ground.cells.known().size());
    ground.tensors["vectors"] = torch::randn({cells, dimension});
  };
  return kind;
}

PlanarSet odd_trips(const City& city) {
  std::vector<Planar> points;
  std::vector<std::uint64_t> offsets{0};
  const auto end = [&] { offsets.push_back(points.size()); };
  const Planar start = city.all[0][0];
  points.push_back(start);
  end();
  points.insert(points.end(), 5, start);
  end();
  for (int i = 0; i < 4; ++i) points.push_back({start.x + 1e5, start.y - 3e3 * i});
  end();
  for (const std::size_t trip : {0U, 7U, 20U}) {
    points.insert(points.end(), city.all[trip].begin(), city.all[trip].end());
    end();
  }
  return {std::move(points), std::move(offsets)};
}

Collapsed collapsed(const Small& small, std::span<const Planar> trip) {
  const Rows vectors = plain::rows_of(small.ground.tensors.at("vectors"));
  const Cells& cells = small.ground.cells;
  Collapsed out;
  std::int64_t last = -1;
  for (const Planar& point : trip) {
    const std::int64_t number = cells.number_at(point);
    if (number != last) {
      out.points.push_back(point);
      out.vectors.push_back(vectors[static_cast<std::size_t>(cells.row_at(point))]);
    }
    last = number;
  }
  return out;
}

Row headed(const plain::Weights& weights, const Row& encoded) {
  Row middle = plain::linear(weights.matrix("head.first.weight"), encoded,
                             weights.vector("head.first.bias"));
  for (double& value : middle) value = std::max(value, 0.0);
  const Row out = plain::linear(weights.matrix("head.second.weight"), middle,
                                weights.vector("head.second.bias"));
  return plain::scaled(out, 1 / std::sqrt(plain::dot(out, out)));
}

double company(const RivalKind& kind, const Settings& settings) {
  const Small small = small_rival(quick(kind), settings, 24);
  const Streams streams = small.rival->prepare(odd_trips(small.city));
  small.rival->eval();
  const torch::NoGradGuard no_grad;
  double most = 0;
  const Tensor together = small.rival->embed(streams, all_ids(streams[0].size()));
  for (const std::int64_t id : all_ids(streams[0].size())) {
    const Tensor alone = small.rival->embed(streams, std::vector{id});
    most = std::max(most, (alone[0] - together[id]).abs().max().item<double>());
  }
  return most;
}

double unit_error(const RivalKind& kind, const Settings& settings, double unit) {
  const Small small = small_rival(quick(kind), settings, 8);
  const TrainingSet set = training_set(*small.rival, small.city.train, Measure::frechet);
  small.rival->eval();
  const double loss = small.rival->training(set)->loss().item<double>();
  const Tensor distances = small.rival->distances(set.streams, all_ids(8), {});
  const double error =
      (distances / unit - set.labels.matrix).square().sum().item<double>() / (8 * 7);
  return std::abs(loss - error);
}

}  // namespace tsmini::rivals
