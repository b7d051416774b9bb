#include "tsmini/encoder.h"

#include <cassert>

#include <tbb/parallel_for.h>

#include "tsmini/error.h"
#include "tsmini/flaws.h"

#include "base/pulse.h"
#include "encode/network.h"
#include "model/net_features.h"

namespace tsmini {
namespace {

// The numbers of a trajectory on their way into the network.
struct Input {
  std::vector<Planar> points;
  std::vector<float> features;
};

}  // namespace

class Encoder::Impl {
 public:
  explicit Impl(const Model& model)
      : frame_(model.frame),
        target_(encode::target_in_use()),
        network_(encode::make_network(model, target_.geometry)) {}

  const encode::Network& network() const { return network_; }
  const FeatureFrame& frame() const { return frame_; }

  void embed(std::span<const Position> positions, std::string_view id, float* embedding,
             const Heartbeat& heartbeat) const {
    if (positions.empty()) {
      throw Error(ErrorCode::bad_input, "a trajectory without points has no embedding",
                  "drop such trajectories before embedding");
    }
    thread_local Input input;
    project_into(frame_, positions, id, input.points);
    const std::size_t rows = feature_rows(positions.size());
    input.features.resize(rows * feature_columns(network_.settings));
    net_features(frame_, network_.settings, input.points, input.features);
    Pulse pulse(heartbeat);
    target_.forward(network_, input.features.data(), rows, embedding, pulse);
  }

 private:
  FeatureFrame frame_;
  encode::Target target_;
  encode::Network network_;
};

Encoder::Encoder(const Model& model) : impl_(std::make_unique<const Impl>(model)) {}

Encoder::~Encoder() = default;
Encoder::Encoder(Encoder&&) noexcept = default;

std::size_t Encoder::dimension() const {
  return impl_->network().settings.dimension;
}

void Encoder::embed(std::span<const Position> points, std::span<float> embedding,
                    const Heartbeat& heartbeat) const {
  assert(embedding.size() == dimension());
  impl_->embed(points, {}, embedding.data(), heartbeat);
}

void Encoder::embed(const Dataset& data, std::span<const std::size_t> indices,
                    std::span<float> rows, const Progress& progress) const {
  assert(rows.size() == indices.size() * dimension());
  check_coordinates(impl_->frame(), data);
  const Heartbeat heartbeat(progress, indices.size());
  tbb::parallel_for(std::size_t{0}, indices.size(), [&](std::size_t i) {
    const Trajectory trajectory = data[indices[i]];
    impl_->embed(trajectory.points, trajectory.id, rows.data() + i * dimension(), heartbeat);
    heartbeat.advance(1);
  });
}

}  // namespace tsmini
