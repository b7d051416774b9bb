// Research driver (being replaced by the verbs).
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "learn/recipe_fields.h"
#include "learn/trainer.h"
#include "tsmini/error.h"

int main(int argc, char** argv) {
  using namespace tsmini;
  using namespace tsmini::learn;
  const auto begin = std::chrono::steady_clock::now();
  CLI::App app("tsmini-learn");
  std::string data, preset = "default", measure = "frechet", space = "zscore", device = "cpu", out,
                    labels = "automatic", name;
  std::vector<std::string> settings;
  std::uint64_t seed = 1;
  double budget = 0;
  app.add_option("DATA", data)->required();
  app.add_option("--preset", preset);
  app.add_option("--measure", measure);
  app.add_option("--space", space);
  app.add_option("--device", device);
  app.add_option("--seed", seed);
  app.add_option("--time-budget", budget);
  app.add_option("--labels", labels);
  app.add_option("--name", name);
  app.add_option("--set", settings)->take_all();
  app.add_option("-o", out);
  CLI11_PARSE(app, argc, argv);
  try {
    TrainRequest request;
    request.measure = measure_from(measure);
    request.recipe = recipe_for(preset, request.measure);
    for (const std::string& setting : settings) {
      const std::size_t at = setting.find('=');
      set_field(request.recipe, setting.substr(0, at), setting.substr(at + 1));
    }
    request.space = space_kind_from(space);
    request.device = device;
    request.seed = seed;
    request.time_budget = budget;
    if (labels == "batch") request.labels = LabelKind::batch;
    if (labels == "matrix") request.labels = LabelKind::matrix;
    std::string last;
    const Model model = train(Dataset::open(data), request, [&](const TrainEvent& e) {
      if (!e.validated) return;
      const double wall =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      last = fmt::format("{} step {} loss {:.4f} hr10 {:.4f} hr50 {:.4f} r10@50 {:.4f} best {:.4f} "
                         "{:.3f} ms/step wall {:.1f}",
                         name, e.step, e.loss, e.score.hr10, e.score.hr50, e.score.r10at50,
                         e.best_hr10, e.seconds * 1000 / static_cast<double>(e.step), wall);
      std::fprintf(stderr, "%s\n", last.c_str());
    });
    std::printf("%s\n", last.c_str());
    if (!out.empty()) model.save(out);
  } catch (const Error& error) {
    std::fprintf(stderr, "error: %s\n  hint: %s\n", error.what(), error.hint().c_str());
    return exit_status(error.code());
  }
}
