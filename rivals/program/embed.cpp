#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "tsmini/error.h"

#include "base/file.h"
#include "base/npy.h"
#include "common/console.h"
#include "common/document.h"
#include "common/outputs.h"
#include "common/values.h"
#include "rivals/core/device.h"
#include "rivals/core/run.h"
#include "rivals/core/saved.h"
#include "rivals/program/saved_options.h"
#include "rivals/program/verbs.h"

namespace tsmini::rivals {
namespace {

struct EmbedOptions {
  SavedOptions saved;
  std::string output;
};

void run(const EmbedOptions& options, const cli::CommonOptions& common) {
  const cli::Console console(common.quiet);
  cli::check_outputs({options.saved.rival, options.saved.data}, {options.output});
  cli::require_npy_name(options.output);
  OutputFile out(options.output);
  const torch::Device device = device_from(options.saved.device, common.threads);
  const SavedRival saved = load_rival(options.saved.rival, device);
  const Dataset data = Dataset::open(options.saved.data);
  if (!options.saved.move) warn_of_another_city(console, saved, data);
  const Predicted predicted =
      predict(saved, data, options.saved.move, console.progress("embedding", cli::Unit::trips));
  const Tensor values = predicted.values.contiguous();
  const auto rows = static_cast<std::size_t>(values.size(0)),
             columns = static_cast<std::size_t>(values.size(1));
  out.write(NpyHeader{NpyType::float32, {rows, columns}}.bytes());
  out.write(values.data_ptr<float>(), rows * columns * sizeof(float));
  out.commit();
  if (common.json) {
    const nlohmann::ordered_json json = {
        {"rival", saved.kind->name},      {"trips", rows},
        {"seconds", predicted.seconds},   {"metric", name_of(saved.rival->metric().kind)},
        {"distances", saved.kind->pairs}, {"device", describe(device)}};
    return cli::print_document(json);
  }
  console.say("{} by {}{}, in {} on {} -> {}", counted(rows, "trip"),
              title_of(*saved.kind, saved.settings),
              saved.kind->pairs ? ", the distances of all to all" : "",
              human_seconds(predicted.seconds), describe(device), options.output);
}

}  // namespace

void add_embed(CLI::App& app, cli::CommonOptions& common) {
  auto options = std::make_shared<EmbedOptions>();
  CLI::App* verb = app.add_subcommand("embed", "What a trained rival makes of test trips");
  verb->footer(
      "A NumPy file of float32: a row of 128 numbers for each trip marked test, in the order of "
      "the\n"
      "data, whose l1 or l2 distances (--json says which) stand in for the measure. TMN knows "
      "pairs\n"
      "alone: its file holds the distances of all to all.\n"
      "Example:\n"
      "  tsmini-rivals embed t3s.safetensors porto.tsd -o t3s.npy");
  add_saved_options(*verb, options->saved);
  verb->add_option("-o,--output", options->output, "The vectors to write (.npy)")
      ->required()
      ->option_text("FILE");
  cli::add_common(*verb, common, cli::Reports::yes);
  verb->callback([options, &common] { run(*options, common); });
}

}  // namespace tsmini::rivals
