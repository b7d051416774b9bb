#include "rivals/tmn/pair_matrix.h"

#include <algorithm>
#include <tuple>

namespace tsmini::rivals {

PairMatrix::PairMatrix(const Ragged& points, std::span<const std::int64_t> queries, bool symmetric)
    : points_(points),
      symmetric_(symmetric),
      queries_(queries.begin(), queries.end()),
      asked_(queries_),
      all_(all_ids(points.size())),
      rows_(all_.size(), -1) {
  const auto by_length = [&](std::int64_t i, std::int64_t j) {
    return std::tuple(points.length(i), i) < std::tuple(points.length(j), j);
  };
  std::sort(all_.begin(), all_.end(), by_length);
  std::sort(asked_.begin(), asked_.end(), by_length);
  asked_.erase(std::unique(asked_.begin(), asked_.end()), asked_.end());
  for (std::size_t i = 0; i < asked_.size(); ++i)
    rows_[static_cast<std::size_t>(asked_[i])] = static_cast<std::int64_t>(i);
  matrix_ = torch::empty({static_cast<std::int64_t>(asked_.size()), points.size()});
}

Tensor PairMatrix::filled(
    std::int64_t most, const std::function<std::int64_t(std::int64_t a, std::int64_t b)>& floats_of,
    const Compute& compute, const Progress& progress) {
  constexpr std::size_t queries_at_once = 64;
  for (std::size_t from = 0; from < asked_.size(); from += queries_at_once) {
    const auto block =
        std::span(asked_).subspan(from, std::min(queries_at_once, asked_.size() - from));
    const std::int64_t longest = points_.length(block.back());
    for (const std::int64_t trip : all_) {
      const std::int64_t floats = floats_of(longest, points_.length(trip));
      for (const std::int64_t query : block) {
        if (comes_the_other_way(query, trip)) continue;
        if (static_cast<std::int64_t>(a_.size() + 1) * floats > most) flush(compute, progress);
        a_.push_back(query);
        b_.push_back(trip);
      }
    }
    flush(compute, progress);
  }
  std::vector<std::int64_t> order;
  for (const std::int64_t query : queries_) order.push_back(row_of(query));
  return matrix_.index_select(0, torch::tensor(order, torch::kLong));
}

void PairMatrix::flush(const Compute& compute, const Progress& progress) {
  if (a_.empty()) return;
  const Tensor found = compute(a_, b_).to(torch::kCPU);
  const std::int64_t trips = matrix_.size(1);
  auto* const values = matrix_.data_ptr<float>();
  for (std::size_t i = 0; i < a_.size(); ++i) {
    const float value = found.data_ptr<float>()[i];
    values[row_of(a_[i]) * trips + b_[i]] = value;
    if (symmetric_ && row_of(b_[i]) >= 0) values[row_of(b_[i]) * trips + a_[i]] = value;
  }
  done_ += a_.size();
  a_.clear();
  b_.clear();
  const auto count = static_cast<std::uint64_t>(matrix_.size(0));
  const std::uint64_t twice = symmetric_ ? count * (count - 1) / 2 : 0;
  if (progress) progress({done_, count * static_cast<std::uint64_t>(trips) - twice});
}

}  // namespace tsmini::rivals
