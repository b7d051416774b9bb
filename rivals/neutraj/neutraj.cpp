#include "rivals/neutraj/neutraj.h"

#include <cmath>
#include <vector>

#include "rivals/core/pair_losses.h"
#include "rivals/neutraj/neighbourhood.h"
#include "rivals/neutraj/recurrence.h"

namespace tsmini::rivals {
namespace {

constexpr std::int64_t reach = 2, around = (2 * reach + 1) * (2 * reach + 1);
constexpr std::int64_t batch = 20, epochs = 20, partners = 10;
constexpr double rate = .01;
constexpr const char* padding_writes = "padding-writes";
constexpr const char* mixed_neighbours = "mixed-neighbours";
constexpr const char* far_below = "far-below";

Tensor neighbours_with_padding(const Cells& cells) {
  const auto padding = static_cast<std::int64_t>(cells.known().size()), none = padding + 1;
  Tensor of_padding = torch::full({1, around}, none, torch::kInt);
  of_padding.select(1, around / 2).fill_(padding);
  return torch::cat({neighbourhoods(cells, reach, none), of_padding});
}

}  // namespace

// What the cell is stepped through.
struct NeuTraj::Steps {
  SamSteps sam;
  Tensor points;  // [sum of active, 2], step after step
  Tensor back;    // places of the ids asked for among the trips of `sam`
};

NeuTraj::NeuTraj(const Settings& settings, const Ground& ground)
    : settings_(settings),
      ground_(ground),
      mixes_neighbours_(settings.keeps(mixed_neighbours)),
      writes_padding_(settings.keeps(padding_writes)) {
  from_point_ = register_module("from_point", torch::nn::Linear(2, 5 * dimension));
  from_state_ = register_module("from_state", torch::nn::Linear(dimension, 5 * dimension));
  read_ = register_module("read", torch::nn::Linear(2 * dimension, dimension));
  const double bound = 1 / std::sqrt(static_cast<double>(dimension));
  for (Tensor& parameter : parameters()) torch::nn::init::uniform_(parameter, -bound, bound);
  const auto cells = static_cast<std::int64_t>(ground.cells.known().size());
  memory_ = register_buffer("memory", torch::zeros({cells + 2, dimension}));
  neighbours_ = neighbours_with_padding(ground.cells).to(settings.device);
  to(settings.device);
}

Streams NeuTraj::prepare(const PlanarSet& trips) const {
  RaggedBuilder runs(3);
  for (std::size_t i = 0; i < trips.size(); ++i) {
    for (const CellRun& run : runs_of(ground_.cells, trips[i])) {
      runs.add({ground_.statistics.x(run.point), ground_.statistics.y(run.point),
                static_cast<double>(run.row)});
    }
    runs.end_sequence();
  }
  return {runs.finish(settings_.device)};
}

NeuTraj::Steps NeuTraj::steps_of(const Ragged& trips, std::span<const std::int64_t> ids) const {
  const ByLength sorted = by_length(trips, ids);
  const Padded padded = trips.padded(sorted.ids);
  const std::int64_t longest = padded.longest();
  Steps steps;
  SamSteps& sam = steps.sam;
  sam.mixes_neighbours = mixes_neighbours_;
  sam.writes = is_training();
  sam.writes_padding = writes_padding_;
  std::vector<std::int64_t> taken;
  std::int64_t going = padded.count();
  for (std::int64_t step = 0; step <= longest; ++step) {
    while (going > 0 && padded.counted[static_cast<std::size_t>(going - 1)] <= step) --going;
    sam.going.push_back(going);
    if (step == longest) break;
    // As released, all trips are stepped through to the end of the longest.
    sam.active.push_back(mixes_neighbours_ || writes_padding_ ? padded.count() : going);
    for (std::int64_t i = 0; i < sam.active.back(); ++i) taken.push_back(i * longest + step);
  }
  const Tensor rows = torch::tensor(taken, torch::kLong).to(settings_.device);
  const Tensor values = padded.values.reshape({-1, 3});
  const Tensor cells =
      values.select(1, 2)
          .to(torch::kLong)
          .masked_fill(padded.mask.reshape(-1).logical_not(), neighbours_.size(0) - 1);
  steps.points = values.narrow(1, 0, 2).index_select(0, rows);
  sam.cells = cells.index_select(0, rows);
  sam.neighbours = neighbours_.index_select(0, sam.cells);
  steps.back = sorted.back;
  return steps;
}

Tensor NeuTraj::embed(const Streams& trips, std::span<const std::int64_t> ids) {
  const Steps steps = steps_of(trips[0], ids);
  const Tensor from_points =
      torch::addmm(from_point_->bias + from_state_->bias, steps.points, from_point_->weight.t());
  return sam_lstm(steps.sam, memory_, from_points, from_state_->weight, read_->weight, read_->bias)
      .index_select(0, steps.back);
}

Tensor NeuTraj::loss(const TrainingSet& set, const Tensor& anchors, double alpha) {
  const auto [near, far] = draw_near_and_far(set.labels, anchors, alpha, partners);
  const Tensor drawn = torch::cat({near.ids, far.ids}, 1).to(torch::kCPU);
  const Tensor all = torch::cat({anchors, drawn.reshape(-1)});
  // Every trip once.
  const auto [ids, places, counts] = torch::_unique2(all, true, true);
  const Tensor embedded = embed(set.streams, ids_of(ids));
  const Tensor rows = embedded.index_select(0, places.to(embedded.device()));
  const auto parts = rows.split_with_sizes({anchors.size(0), drawn.numel()});
  const Tensor similarities =
      distances_along(MetricKind::l2, parts[0].unsqueeze(1),
                      parts[1].view({drawn.size(0), drawn.size(1), dimension}))
          .neg()
          .exp();
  const auto predicted = similarities.chunk(2, 1);
  return weighted_loss(predicted[0], (near.labels * -alpha).exp(), predicted[1],
                       (far.labels * -alpha).exp(), settings_.keeps(far_below));
}

std::optional<Stage> NeuTraj::training(const TrainingSet& set) {
  const double alpha = alpha_of(set.labels.measure);
  return anchor_stage(
      {set.streams[0].size(), batch}, epochs, *this, rate,
      [this, &set, alpha](const Tensor& anchors) { return loss(set, anchors, alpha); });
}

RivalKind neutraj_kind() {
  return {
      .name = "neutraj",
      .title = "NeuTraj",
      .summary = "an LSTM with a memory of what trips met in every cell",
      .mistakes = {{mixed_neighbours, "a trip reads the memory around other trips of its batch"},
                   {far_below, "far pairs are corrected where they seem too far, not too near"},
                   {padding_writes, "trips that have ended keep writing to the memory"}},
      .make = [](const Settings& settings, const Ground& ground) -> std::shared_ptr<Rival> {
        return std::make_shared<NeuTraj>(settings, ground);
      }};
}

}  // namespace tsmini::rivals
