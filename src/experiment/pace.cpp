#include "experiment/pace.h"

#include "experiment/study.h"
#include "learn/trainer.h"
#include "model/operations.h"

namespace tsmini::experiment {

double pace_of(const Setting& setting, const std::string& device, std::size_t threads) {
  constexpr double seconds = 2;
  const Dataset& data = setting.city.data;
  const Variant plain{"", "default", [](learn::Recipe& recipe) {
                        recipe.lessons = 0;
                        recipe.validations = 1;
                      }};
  learn::TrainRequest request = request_for(setting, setting.city, plain, Measure::frechet, 1);
  request.device = device;
  request.threads = threads;
  request.labels = learn::LabelKind::batch;
  request.time_budget = seconds;
  std::uint64_t steps = 0;
  double taken = seconds;
  learn::train(data, request, [&](const learn::TrainEvent& event) {
    if (!event.validated) taken = event.seconds;
    steps = event.step;
  });
  const std::size_t mean = data.point_count() / data.size();
  return 3 * forward_operations(request.recipe.net, mean) *
         static_cast<double>(request.recipe.batch * steps) / taken;
}

}  // namespace tsmini::experiment
