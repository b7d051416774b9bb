#include "experiment/pace.h"

#include <cstdint>

#include "experiment/study.h"
#include "learn/trainer.h"
#include "model/operations.h"

namespace tsmini::experiment {
namespace {

struct Enough {};

}  // namespace

double pace_of(const Setting& setting, const std::string& device, std::size_t threads,
               const Progress& progress) {
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
  request.preparing = [&](learn::Stage, const ProgressState& state) { progress(state); };
  request.recipe.steps = std::uint64_t{1} << 40;
  learn::TrainEvent last;
  try {
    learn::train(data, request, [&](const learn::TrainEvent& event) {
      last = event;
      progress({event.step, 0});
      if (event.step > 0 && event.seconds > seconds) throw Enough{};
    });
  } catch (const Enough&) {
  }
  const std::size_t mean = data.point_count() / data.size();
  return 3 * forward_operations(request.recipe.net, mean) *
         static_cast<double>(request.recipe.batch * last.step) / last.seconds;
}

}  // namespace tsmini::experiment
