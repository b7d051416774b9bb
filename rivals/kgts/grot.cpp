#include "rivals/kgts/grot.h"

#include <algorithm>
#include <numbers>
#include <vector>

#include "rivals/core/adam.h"
#include "rivals/core/timer.h"

namespace tsmini::rivals {
namespace {

// Rows of a large table: the gradient is that of the rows, and added to the table's afterwards, so
// that no second table has to be made for it.
class Borrowed {
 public:
  Borrowed(const Tensor& table, const Tensor& ids) : table_(table), ids_(ids) {
    rows_ = table.detach().index_select(0, ids).requires_grad_();
  }
  const Tensor& rows() const { return rows_; }
  void give_back_gradient() { table_.mutable_grad().index_add_(0, ids_, rows_.grad()); }

 private:
  Tensor table_, ids_, rows_;
};

Tensor loss_of(const Tensor& heads, const Tensor& angles, const Tensor& tails,
               const Tensor& drawn_tails, const GrotSettings& settings) {
  const Tensor real = rotated_distance(heads, angles, tails);
  const Tensor drawn = rotated_distance(heads.unsqueeze(1), angles.unsqueeze(1), drawn_tails);
  const Tensor close = (heads - tails).square().sum(1);
  return (settings.closeness * close - torch::log_sigmoid(settings.margin - real)).mean() -
         torch::log_sigmoid(drawn - settings.margin).mean();
}

}  // namespace

Tensor triples_of(const Cells& cells) {
  std::vector<std::int64_t> triples;
  const auto neighbours = cells.neighbours();
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    for (std::size_t d = 0; d < neighbours[i].size(); ++d) {
      if (neighbours[i][d] < 0) continue;
      triples.insert(triples.end(), {static_cast<std::int64_t>(i), static_cast<std::int64_t>(d),
                                     neighbours[i][d]});
    }
  }
  return torch::tensor(triples, torch::kLong).reshape({-1, 3});
}

Tensor rotated_distance(const Tensor& heads, const Tensor& angles, const Tensor& tails) {
  constexpr double tiny = 1e-12;  // under the root, whose gradient has no value at 0
  const std::int64_t width = angles.size(-1);
  const Tensor cosine = angles.cos(), sine = angles.sin();
  const Tensor real = heads.narrow(-1, 0, width), imaginary = heads.narrow(-1, width, width);
  const Tensor x = real * cosine - imaginary * sine - tails.narrow(-1, 0, width);
  const Tensor y = real * sine + imaginary * cosine - tails.narrow(-1, width, width);
  return (x.square() + y.square() + tiny).sqrt().sum(-1);
}

Grot learn_grot(const Cells& cells, const GrotSettings& settings, const torch::Device& device,
                const Progress& progress) {
  const auto known = static_cast<std::int64_t>(cells.known().size());
  const std::int64_t directions = 8;
  // RotatE's: first distances are about the margin.
  const double range = (settings.margin + 2) / static_cast<double>(settings.width);
  Tensor table = torch::empty({known, 2 * settings.width}, device).uniform_(-range, range);
  const Tensor angles = torch::empty({directions, settings.width}, device)
                            .uniform_(-std::numbers::pi, std::numbers::pi);
  table.requires_grad_();
  angles.requires_grad_();
  const Tensor triples = triples_of(cells).to(device);
  const std::int64_t count = triples.size(0);
  const std::int64_t steps = (count + settings.batch - 1) / settings.batch;
  Adam adam({{{table, angles}}});
  const Timer timer;
  Tensor order;
  for (std::int64_t step = 0; step < settings.epochs * steps && !timer.passed(settings.seconds);
       ++step) {
    const std::int64_t place = step % steps, from = place * settings.batch;
    const std::int64_t size = std::min(settings.batch, count - from);
    if (place == 0) order = torch::randperm(count, triples.options());
    const Tensor chosen = triples.index_select(0, order.narrow(0, from, size));
    const Tensor drawn = torch::randint(known, {size * settings.negatives}, triples.options());
    adam.zero_gradients();
    Borrowed borrowed(table, torch::cat({chosen.select(1, 0), chosen.select(1, 2), drawn}));
    const Tensor& rows = borrowed.rows();
    loss_of(rows.narrow(0, 0, size), angles.index_select(0, chosen.select(1, 1)),
            rows.narrow(0, size, size),
            rows.narrow(0, 2 * size, size * settings.negatives)
                .view({size, settings.negatives, 2 * settings.width}),
            settings)
        .backward();
    borrowed.give_back_gradient();
    adam.step(settings.rate);
    if (progress)
      progress(
          {static_cast<std::uint64_t>(step + 1),
           timer.allowed(static_cast<std::uint64_t>(step + 1),
                         static_cast<std::uint64_t>(settings.epochs * steps), settings.seconds)});
  }
  return {table.detach().cpu(), angles.detach().cpu()};
}

}  // namespace tsmini::rivals
