#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/encoder.h"
#include "tsmini/error.h"
#include "tsmini/pairs.h"

#include "base/file.h"
#include "base/npy.h"
#include "base/text.h"
#include "common/console.h"
#include "common/part_option.h"
#include "common/reach_note.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

struct EmbedArguments {
  std::string model, data, output, part, precision = "fp32";
  std::optional<std::size_t> limit;
};

Encoder encoder_of(const Model& model, const EmbedArguments& a) {
  try {
    return Encoder(model, a.precision == "bf16" ? Arithmetic::bf16 : Arithmetic::fp32);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", a.model, error.what()), error.hint());
  }
}

// A few thousand rows at a time, so that memory does not grow with the data.
void write_rows(const Encoder& encoder, const Dataset& data, std::span<const std::size_t> indices,
                const Progress& progress, OutputFile& out) {
  constexpr std::size_t rows_at_once = 4096;
  std::vector<float> rows;
  for (std::size_t begin = 0; begin < indices.size(); begin += rows_at_once) {
    const auto some = indices.subspan(begin, std::min(rows_at_once, indices.size() - begin));
    rows.resize(some.size() * encoder.dimension());
    encoder.embed(data, some, rows, [&](const ProgressState& state) {
      progress({begin + state.done, indices.size()});
    });
    out.write(rows.data(), rows.size() * sizeof(float));
  }
}

void run(const EmbedArguments& a, const CommonOptions& common) {
  const Console console(common.quiet);
  const std::optional<Part> part = part_from(a.part);
  const Model model = Model::load(a.model);
  const Encoder encoder = encoder_of(model, a);
  const Dataset data = Dataset::open(a.data);
  std::vector<std::size_t> indices = selected(data, part, a.data);
  indices.resize(std::min(indices.size(), a.limit.value_or(indices.size())));
  check_reach(console, model.space, data, indices, a.data);
  OutputFile out(a.output);
  out.write(NpyHeader{NpyType::float32, {indices.size(), encoder.dimension()}}.bytes());
  const auto start = std::chrono::steady_clock::now();
  write_rows(encoder, data, indices, console.progress("embedding", Unit::trips), out);
  out.commit();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double rate = static_cast<double>(indices.size()) / std::max(seconds, 1e-9);
  const std::string_view precision = encoder.arithmetic() == Arithmetic::bf16 ? "bf16" : "fp32";
  if (common.json) {
    const Json json = {{"output", a.output},
                       {"model", a.model},
                       {"data", a.data},
                       {"trajectories", indices.size()},
                       {"dimension", encoder.dimension()},
                       {"precision", precision},
                       {"simd", simd_target()},
                       {"trips_per_second", rate},
                       {"seconds", seconds}};
    return fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
  }
  if (precision != a.precision)
    console.say("this processor has no {} (AMX); computed in {}", a.precision, precision);
  console.say("{} trips, {} numbers each, in {} ({} trips/s; {}, {}) -> {}",
              with_thousands(indices.size()), encoder.dimension(), human_seconds(seconds),
              with_thousands(static_cast<std::uint64_t>(rate)), simd_target(), precision, a.output);
}

}  // namespace

void add_embed(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<EmbedArguments>();
  CLI::App* verb = app.add_subcommand("embed", "Turn trajectories into vectors with a model");
  verb->footer(
      "A NumPy file of float32, a row a trajectory, in the order of the data. Their distance, in\n"
      "the metric of the model (tsmini info MODEL), stands in for the measure it has learned.\n"
      "Example:\n"
      "  tsmini embed frechet.safetensors city.tsd -o embeddings.npy");
  verb->add_option("MODEL", a->model, "A model (.safetensors)")->required()->option_text("MODEL");
  verb->add_option("DATA", a->data, "A data set (.tsd), within the model's box")
      ->required()
      ->option_text("DATA");
  verb->add_option("-o,--output", a->output, "The vectors to write (.npy)")
      ->required()
      ->option_text("FILE");
  verb->add_option("--part", a->part, "Only trajectories of this part of the split")
      ->option_text("train|validation|test");
  verb->add_option("--limit", a->limit, "Only the first so many")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 40))
      ->option_text("N");
  verb->add_option("--precision", a->precision,
                   "fp32 (default), or bf16: twice as fast where the processor has AMX")
      ->check(CLI::IsMember({"fp32", "bf16"}))
      ->option_text("fp32|bf16");
  add_common(*verb, common, Reports::yes);
  verb->callback([a, &common] { run(*a, common); });
}

}  // namespace tsmini::cli
