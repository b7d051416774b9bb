#include <cstdio>

#include <tsmini/city.h>
#include <tsmini/dataset.h>
#include <tsmini/space.h>

int main() {
  tsmini::DatasetBuilder builder;
  tsmini::synthesize_city({.count = 10, .seed = 3},
                          [&](const tsmini::Trajectory& trip) { builder.add(trip); });
  const tsmini::Dataset data = builder.finish();
  const auto space = tsmini::Space::fit(tsmini::SpaceKind::ground, data);
  const tsmini::Planar p = space.project(data[0].points.front());
  std::printf("%zu trips, the first begins %.0f m east and %.0f m north of the middle\n",
              data.size(), p.x, p.y);
  return data.size() == 10 ? 0 : 1;
}
