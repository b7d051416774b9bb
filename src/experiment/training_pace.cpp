#include "experiment/training_pace.h"

#include <cstdint>

#include "tsmini/model_cost.h"
#include "tsmini/train.h"

#include "experiment/study.h"

namespace tsmini::experiment {
namespace {

struct Enough {};

}  // namespace

double pace_of(const Setting& setting, const std::string& device, std::size_t threads,
               const Progress& progress) {
  constexpr double seconds = 2;
  const Dataset& data = setting.city.data;
  const Variant plain{"", "default", [](Recipe& recipe) {
                        recipe.augment_to = 0;
                        recipe.validations = 1;
                      }};
  TrainOptions request = request_for(setting, setting.city, plain, Measure::frechet, 1);
  request.device = device_from(device);
  request.threads = threads;
  request.labels = LabelKind::batch;
  request.recipe.steps = std::uint64_t{1} << 40;
  TrainEvent last;
  try {
    TrainObserver observer;
    observer.preparing = [&](TrainStage, const ProgressState& state) { progress(state); };
    observer.event = [&](const TrainEvent& event) {
      last = event;
      progress({event.step, 0});
      if (event.step > 0 && event.seconds > seconds) throw Enough{};
    };
    train(data, request, observer);
  } catch (const Enough&) {
  }
  const std::size_t mean = data.point_count() / data.size();
  return 3 * forward_operations(request.recipe.net, mean) *
         static_cast<double>(request.recipe.batch * last.step) / last.seconds;
}

}  // namespace tsmini::experiment
