#include "rivals/kgts/views.h"

namespace tsmini::rivals {

std::vector<Planar> perturbed(std::span<const Planar> trip, const Perturbation& how,
                              Random& random) {
  const double lost = random.uniform(0, how.most_lost);
  std::vector<Planar> view;
  for (const Planar& point : trip)
    if (!random.chance(lost)) view.push_back(point);
  if (view.empty()) view.push_back(trip[random.below(trip.size())]);
  for (Planar& point : view) {
    if (!random.chance(how.moved)) continue;
    point.x += how.error * random.normal();
    point.y += how.error * random.normal();
  }
  return view;
}

}  // namespace tsmini::rivals
