#include "rivals/core/rival.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/enum_names.h"
#include "rivals/core/pair_losses.h"

namespace tsmini::rivals {

std::function<double(double)> halving(double rate, int parts) {
  return [=](double share) { return std::ldexp(rate, -static_cast<int>(parts * share)); };
}

std::uint64_t Rival::parameter_count() const {
  std::uint64_t count = 0;
  for (const Tensor& parameter : parameters())
    count += static_cast<std::uint64_t>(parameter.numel());
  return count;
}

Tensor embeddings(Rival& rival, const Streams& trips, const Progress& progress) {
  constexpr std::size_t at_once = 256;
  const torch::NoGradGuard no_grad;
  const bool training = rival.is_training();
  rival.eval();
  // Trips of similar length together, so that little is padded.
  std::vector<std::int64_t> order = all_ids(trips.front().size());
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return trips.front().length(a) < trips.front().length(b);
  });
  Tensor rows = torch::empty({trips.front().size(), dimension});
  for (std::size_t from = 0; from < order.size(); from += at_once) {
    const auto ids = std::span(order).subspan(from, std::min(at_once, order.size() - from));
    const Tensor places = torch::tensor(std::vector<std::int64_t>(ids.begin(), ids.end()));
    rows.index_copy_(0, places, rival.embed(trips, ids).to(torch::kCPU));
    if (progress) progress({from + ids.size(), order.size()});
  }
  rival.train(training);
  return rows;
}

Tensor Rival::distances(const Streams& trips, std::span<const std::int64_t> queries,
                        const Progress& progress) {
  const torch::NoGradGuard no_grad;
  const Tensor rows = embeddings(*this, trips, progress);
  const Tensor chosen = torch::tensor(std::vector<std::int64_t>(queries.begin(), queries.end()));
  return exact_distances(metric().kind, rows.index_select(0, chosen), rows);
}

const RivalKind& rival_named(std::string_view name) {
  const std::vector<RivalKind>& all = rival_kinds();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const RivalKind& kind) { return kind.name == name; });
  if (found != all.end()) return *found;
  throw Error(ErrorCode::usage, fmt::format("there is no rival '{}'", name),
              fmt::format("choose one of {}", fmt::join(names_of(all, &RivalKind::name), ", ")));
}

std::string title_of(const RivalKind& kind, const Settings& settings) {
  std::string title(kind.title);
  for (const std::string& name : settings.released)
    title += fmt::format("{}{}", title.size() == kind.title.size() ? " with " : ", ", name);
  return title;
}

Ground settle(const RivalKind& kind, const City& city, const Settings& settings,
              const Progress& progress) {
  Ground ground = common_ground(city);
  torch::manual_seed(settings.seed);
  if (kind.add_ground != nullptr) kind.add_ground(ground, city, settings, progress);
  return ground;
}

}  // namespace tsmini::rivals
