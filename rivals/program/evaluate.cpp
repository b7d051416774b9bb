#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/console.h"
#include "common/document.h"
#include "rivals/core/device.h"
#include "rivals/core/run.h"
#include "rivals/core/saved.h"
#include "rivals/program/saved_options.h"
#include "rivals/program/verbs.h"

namespace tsmini::rivals {
namespace {

void run(const SavedOptions& options, const cli::CommonOptions& common) {
  const cli::Console console(common.quiet);
  const torch::Device device = device_from(options.device, common.threads);
  const SavedRival saved = load_rival(options.rival, device);
  const Dataset data = Dataset::open(options.data);
  if (!options.move) warn_of_another_city(console, saved, data);
  const Progress progress = console.progress("embedding", cli::Unit::trips);
  const Judged judged = judge(saved, data, options.move, progress);
  const RetrievalScore& score = judged.score;
  if (common.json) {
    const nlohmann::ordered_json json = {{"rival", saved.kind->name},
                                         {"measure", name_of(saved.settings.measure)},
                                         {"space", name_of(saved.space)},
                                         {"seed", saved.settings.seed},
                                         {"released", saved.settings.released},
                                         {"queries", score.queries},
                                         {"base", score.base},
                                         {"hr10", score.hr10},
                                         {"hr50", score.hr50},
                                         {"r10at50", score.r10at50},
                                         {"seconds", judged.seconds},
                                         {"device", describe(device)}};
    return cli::print_document(json);
  }
  cli::Table table;
  table.add("rival",
            fmt::format("{}, seed {}", title_of(*saved.kind, saved.settings), saved.settings.seed));
  table.add("measure",
            fmt::format("{}, {}", name_of(saved.settings.measure), name_of(saved.space)));
  table.add("queries", fmt::format("{}, each against {} others", with_thousands(score.queries),
                                   with_thousands(score.base)));
  table.add("HR@10", fmt::format("{:.4f}", score.hr10));
  table.add("HR@50", fmt::format("{:.4f}", score.hr50));
  table.add("R10@50", fmt::format("{:.4f}", score.r10at50));
  table.add(saved.kind->pairs ? "all pairs" : "embedding", human_seconds(judged.seconds));
  fmt::print("{}", table.text());
}

}  // namespace

void add_evaluate(CLI::App& app, cli::CommonOptions& common) {
  auto options = std::make_shared<SavedOptions>();
  CLI::App* verb = app.add_subcommand("evaluate", "How well a trained rival finds the nearest");
  verb->footer(
      "Every trip marked test is a query against the others; true distances are those of the\n"
      "measure that the rival has learned, scored as tsmini evaluate scores.\n"
      "Example:\n"
      "  tsmini-rivals evaluate t3s.safetensors porto.tsd");
  add_saved_options(*verb, *options);
  cli::add_common(*verb, common, cli::Reports::yes);
  verb->callback([options, &common] { run(*options, common); });
}

}  // namespace tsmini::rivals
