#include <cstdio>

#include <tsmini/city.h>
#include <tsmini/dataset.h>
#include <tsmini/space.h>
#include <tsmini/train.h>

int main() {
  tsmini::DatasetBuilder builder;
  tsmini::synthesize_city({.count = 40, .seed = 3},
                          [&](const tsmini::Trajectory& trip) { builder.add(trip); });
  const tsmini::Dataset data = builder.finish();
  const auto space = tsmini::Space::fit(tsmini::SpaceKind::ground, data);
  const tsmini::Planar p = space.project(data[0].points.front());
  std::printf("%zu trips, the first begins %.0f m east and %.0f m north of the middle\n",
              data.size(), p.x, p.y);

  tsmini::TrainOptions options{.recipe = tsmini::recipe_for("quick", tsmini::Measure::frechet)};
  options.recipe.batch = 8;
  options.recipe.loss.k = 4;
  options.recipe.steps = 3;
  options.recipe.augment_to = 0;
  std::size_t validations = 0;
  const tsmini::Model model =
      tsmini::train(data, options, {.event = [&](const tsmini::TrainEvent& event) {
                      if (event.validated) ++validations;
                    }});
  std::printf("%zu tensors after %zu validations\n", model.tensors.size(), validations);
  return data.size() == 40 && validations > 0 ? 0 : 1;
}
