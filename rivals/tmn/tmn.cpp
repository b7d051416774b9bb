#include "rivals/tmn/tmn.h"

#include <algorithm>
#include <vector>

#include "tsmini/error.h"

#include "rivals/tmn/pair_matrix.h"
#include "rivals/tmn/prefix_distances.h"

namespace tsmini::rivals {
namespace {

constexpr std::int64_t point_width = dimension / 2;
constexpr std::int64_t batch = 10, epochs = 20, partners = 20;
constexpr std::int64_t prefix_step = 10;
constexpr double rate = .001;
constexpr double point_slope = .1, gate_slope = .01;  // of LeakyReLU below 0
constexpr double left_out = -1e9;                     // a logit that has no share in a softmax
constexpr const char* one_sided = "one-sided";
constexpr const char* rising_exponent = "rising-exponent";
constexpr const char* far_below = "far-below";

Padded rows_of(const Padded& all, std::int64_t from, std::int64_t count) {
  const auto first = all.counted.begin() + from;
  return {all.values.narrow(0, from, count),
          all.mask.narrow(0, from, count),
          all.lengths.narrow(0, from, count),
          {first, first + count}};
}

// Each point less what it attends to in the other trip: logits [pairs, points, other points].
Tensor unmatched(const Tensor& x, const Tensor& other, const Tensor& logits,
                 const Tensor& other_mask) {
  const Tensor shares =
      logits.masked_fill(other_mask.logical_not().unsqueeze(1), left_out).softmax(2);
  return torch::baddbmm(x, shares, other, 1, -1);
}

// 10, 20, … up to the last that some pair has.
std::vector<std::size_t> prefix_lengths(const Padded& a, const Padded& b) {
  std::int64_t longest = 0;
  for (std::size_t i = 0; i < a.counted.size(); ++i)
    longest = std::max(longest, std::min(a.counted[i], b.counted[i]));
  std::vector<std::size_t> lengths;
  for (std::int64_t length = prefix_step; length <= longest; length += prefix_step)
    lengths.push_back(static_cast<std::size_t>(length));
  return lengths;
}

// True distances of beginnings, [pairs, lengths], and the share of each in the loss of its pair: 0
// where the pair is shorter. One below the other, [2, pairs, lengths], on the CPU.
Tensor truth_of(std::span<const std::size_t> prefixes, const Labels& labels,
                std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
  const auto found = prefix_distances(labels.measure, labels.trips, a, b, prefixes);
  const auto pairs = static_cast<std::int64_t>(a.size());
  const auto lengths = static_cast<std::int64_t>(prefixes.size());
  Tensor both = torch::zeros({2, pairs, lengths});
  auto* const values = both.data_ptr<float>();
  for (std::int64_t i = 0; i < pairs; ++i) {
    const std::vector<double>& of_pair = found[static_cast<std::size_t>(i)];
    for (std::size_t k = 0; k < of_pair.size(); ++k) {
      const std::int64_t place = i * lengths + static_cast<std::int64_t>(k);
      values[place] = static_cast<float>(of_pair[k] / labels.largest);
      values[pairs * lengths + place] = 1 / static_cast<float>(of_pair.size());
    }
  }
  return both;
}

}  // namespace

Tmn::Tmn(const Settings& settings, const Ground& ground)
    : settings_(settings),
      ground_(ground),
      one_sided_(settings.keeps(one_sided)),
      rising_exponent_(settings.keeps(rising_exponent)) {
  point_ = register_module("point", torch::nn::Linear(2, point_width));
  lstm_ = register_module(
      "lstm",
      torch::nn::LSTM(torch::nn::LSTMOptions(2 * point_width, dimension).batch_first(true)));
  gates_ = register_module("gates", torch::nn::Linear(dimension, 3 * dimension));
  to(settings.device);
}

Streams Tmn::prepare(const PlanarSet& trips) const {
  RaggedBuilder points(2);
  for (std::size_t i = 0; i < trips.size(); ++i) {
    for (const Planar& point : trips[i])
      points.add({ground_.statistics.x(point), ground_.statistics.y(point)});
    points.end_sequence();
  }
  return {points.finish(settings_.device)};
}

Tensor Tmn::embed(const Streams&, std::span<const std::int64_t>) {
  throw Error(ErrorCode::usage, "TMN knows pairs alone: a trip has no embedding of its own",
              "ask for distances, or choose another rival");
}

std::pair<Tensor, Tensor> Tmn::outputs(const Padded& a, const Padded& b) {
  const Tensor x = torch::leaky_relu(point_(a.values), point_slope);
  const Tensor y = torch::leaky_relu(point_(b.values), point_slope);
  const Tensor logits = torch::bmm(x, y.transpose(1, 2));
  const Tensor of_a = torch::cat({x, unmatched(x, y, logits, b.mask)}, 2);
  const Tensor of_b = torch::cat({y, unmatched(y, x, logits.transpose(1, 2), a.mask)}, 2);
  if (a.longest() != b.longest()) return {std::get<0>(lstm_(of_a)), std::get<0>(lstm_(of_b))};
  const auto both = std::get<0>(lstm_(torch::cat({of_a, of_b}))).chunk(2);
  return {both[0], both[1]};
}

Tensor Tmn::gated(const Tensor& o) {
  const auto parts = gates_(o).chunk(3, -1);
  const Tensor u = parts[0].sigmoid() * torch::leaky_relu(parts[1], gate_slope);
  return torch::addcmul(o, parts[2].sigmoid(), torch::leaky_relu(u, gate_slope));
}

Tensor Tmn::pair_distances(const Streams& trips, std::span<const std::int64_t> a,
                           std::span<const std::int64_t> b) {
  const Padded left = trips[0].padded(a), right = trips[0].padded(b);
  const auto [of_a, of_b] = outputs(left, right);
  const Tensor last_a = last_of(of_a, left), last_b = last_of(of_b, right);
  return distances_along(MetricKind::l2, gated(last_a), one_sided_ ? last_b : gated(last_b));
}

Tensor Tmn::distances(const Streams& trips, std::span<const std::int64_t> queries,
                      const Progress& progress) {
  const torch::NoGradGuard no_grad;
  const std::int64_t most = settings_.device.is_cuda() ? 64'000'000 : 4'000'000;
  return PairMatrix(trips[0], queries, !one_sided_)
      .filled(
          most, [](std::int64_t a, std::int64_t b) { return a * b + point_width * (a + b); },
          [&](std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
            return pair_distances(trips, a, b);
          },
          progress);
}

Tensor Tmn::apart_at(const Padded& left, const Padded& right,
                     std::span<const std::size_t> prefixes) {
  const std::int64_t pairs = left.count();
  const auto [of_a, of_b] = outputs(left, right);
  const Tensor last = torch::cat({last_of(of_a, left), last_of(of_b, right)}).unsqueeze(1);
  Tensor y = last;
  if (!prefixes.empty()) {
    const auto places = torch::indexing::Slice(
        prefix_step - 1, static_cast<std::int64_t>(prefixes.back()), prefix_step);
    y = torch::cat({last, torch::cat({of_a, of_b}).index({torch::indexing::Slice(), places})}, 1);
  }
  y = gated(y);
  Tensor y_b = y.narrow(0, pairs, pairs);
  if (one_sided_)
    y_b = torch::cat({last.narrow(0, pairs, pairs), y_b.narrow(1, 1, y_b.size(1) - 1)}, 1);
  return distances_along(MetricKind::l2, y.narrow(0, 0, pairs), y_b);
}

Tensor Tmn::loss(const TrainingSet& set, const Tensor& anchors, double alpha) {
  const Drawn drawn = draw_near(set.labels, anchors, alpha, partners);
  const std::int64_t count = drawn.ids.size(1), half = std::max<std::int64_t>(1, count / 2);
  // The nearer half, nearest first, then the other half, farthest first.
  const auto halves = [&](const Tensor& all) {
    return torch::cat({all.narrow(1, 0, half), all.narrow(1, count - half, half).flip(1)}, 1);
  };
  const Tensor b = halves(drawn.ids).reshape(-1).to(torch::kCPU);
  const Tensor a = anchors.repeat_interleave(2 * half);
  const std::int64_t pairs = a.numel();
  // Padded together, so that the LSTM runs once.
  const Padded both = set.streams[0].padded(ids_of(torch::cat({a, b})));
  const Padded left = rows_of(both, 0, pairs), right = rows_of(both, pairs, pairs);

  // The benchmark whose mistake this is has no beginnings.
  std::vector<std::size_t> prefixes;
  if (!rising_exponent_) prefixes = prefix_lengths(left, right);
  const Tensor apart = apart_at(left, right, prefixes);

  Tensor truth = halves(drawn.labels).reshape({-1, 1}), shares = torch::ones_like(truth);
  if (!prefixes.empty()) {
    const auto measured =
        truth_of(prefixes, set.labels, ids_of(a), ids_of(b)).to(truth.device()).unbind();
    truth = torch::cat({truth, measured[0]}, 1);
    shares = torch::cat({shares, measured[1]}, 1);
  }
  const auto predicted = (rising_exponent_ ? apart.exp() : apart.neg().exp())
                             .reshape({anchors.size(0), 2, half, -1})
                             .unbind(1);
  const auto wanted = (rising_exponent_ ? truth : (truth * -alpha).exp())
                          .reshape({anchors.size(0), 2, half, -1})
                          .unbind(1);
  const auto share = shares.reshape({anchors.size(0), 2, half, -1}).unbind(1);
  const Tensor near = (predicted[0] - wanted[0]).square() * share[0];
  const bool below = rising_exponent_ || settings_.keeps(far_below);
  const Tensor far = far_errors(predicted[1], wanted[1], below) * share[1];
  const Tensor weights = rank_weights(anchors.size(0), half, near.options());
  return ((near + far).sum(2) * weights).sum();
}

std::optional<Stage> Tmn::training(const TrainingSet& set) {
  const double alpha = alpha_of(set.labels.measure);
  return anchor_stage(
      {set.streams[0].size(), batch}, epochs, *this, rate,
      [this, &set, alpha](const Tensor& anchors) { return loss(set, anchors, alpha); });
}

RivalKind tmn_kind() {
  return {
      .name = "tmn",
      .title = "TMN",
      .summary = "points of two trips attend to each other, then an LSTM; pairs alone",
      .pairs = true,
      .mistakes = {{one_sided, "the second trip of a pair leaves out the last gated layer"},
                   {rising_exponent, "exp(+distance) is fitted to true distances from 0 to 1"},
                   {far_below, "far pairs are corrected where they seem too far, not too near"}},
      .make = [](const Settings& settings, const Ground& ground) -> std::shared_ptr<Rival> {
        return std::make_shared<Tmn>(settings, ground);
      }};
}

}  // namespace tsmini::rivals
