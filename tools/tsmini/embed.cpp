#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/embedding.h"
#include "tsmini/encoder.h"
#include "tsmini/error.h"
#include "tsmini/flaws.h"
#include "tsmini/pair_engine.h"
#include "tsmini/simd.h"
#include "tsmini/version.h"

#include "base/amounts.h"
#include "base/file.h"
#include "base/npy.h"
#include "base/utf8.h"
#include "common/console.h"
#include "common/document.h"
#include "common/error_of.h"
#include "common/fit_trips.h"
#include "common/laps.h"
#include "common/long_trips.h"
#include "common/outputs.h"
#include "common/pick_options.h"
#include "common/reach_note.h"
#include "common/values.h"
#include "open_trips.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

struct EmbedArguments {
  std::string model, data, output;
  OnError on_error = OnError::fail;
  PickOptions picking;
};

Encoder encoder_of(const EmbedArguments& a, const Model& model) {
  try {
    return Encoder(model);
  } catch (const Error& error) {
    throw error_of(a.model, error);
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
    const auto unfit = std::find_if_not(rows.begin(), rows.end(), is_fit);
    if (unfit != rows.end()) {
      const auto row = static_cast<std::size_t>(unfit - rows.begin()) / encoder.dimension();
      throw Error(ErrorCode::bad_input,
                  fmt::format("the model gives trajectory '{}' an embedding that is not finite or "
                              "too large",
                              printable(data[some[row]].id)),
                  "use another model");
    }
    out.write(rows.data(), rows.size() * sizeof(float));
  }
}

// What the rows are: where trips were left out, the order of the data alone does not tell.
std::string legend(const EmbedArguments& a, const Model& model, const Dataset& data,
                   const FitTrips& trips) {
  Json json = {{"tsmini", version()},
               {"model", a.model},
               {"data", a.data},
               {"metric", name_of(model.net.metric.kind)},
               {"rows", trips.indices.size()},
               {"dimension", model.net.dimension},
               {"unfit", trips.unfit}};
  Json& ids = json["ids"] = Json::array();
  for (const std::size_t index : trips.indices) ids.push_back(data[index].id);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void run(const EmbedArguments& a, const CommonOptions& common) {
  Laps laps;
  const Console console(common.quiet);
  const Picking picking = picking_of(a.picking);
  check_outputs({a.model, a.data, a.picking.ids_from}, {a.output, a.output + ".json"});
  require_npy_name(a.output);
  const Model model = Model::load(a.model);
  const Encoder encoder = encoder_of(a, model);
  const Trips trips_given = open_trips(a.data, console);
  const Dataset& data = trips_given.data;
  check_coordinates(model.frame, data);
  const FitTrips trips = fit_trips(data, picked(trips_given, picking), a.on_error, a.data,
                                   [&](const Trajectory& trip) { return flaw_of(model, trip); });
  const std::vector<std::size_t>& indices = trips.indices;
  check_reach(console, model.space, data, indices, a.data);
  note_long_trip(console, data, indices);
  OutputFile out(a.output), beside(a.output + ".json");
  beside.write(legend(a, model, data, trips));
  out.write(NpyHeader{NpyType::float32, {indices.size(), encoder.dimension()}}.bytes());
  const double opening = laps.end("opening");
  write_rows(encoder, data, indices, console.progress("embedding", Unit::trips), out);
  out.flush();
  beside.flush();
  // Whatever happens in between: never the names of other rows beside a matrix.
  std::filesystem::remove(a.output + ".json");
  out.commit();
  beside.commit();
  const double embedding = laps.end("embedding");
  const double rate = per_second(static_cast<double>(indices.size()), embedding);
  if (common.json) {
    const Json json = {{"output", a.output},
                       {"model", a.model},
                       {"data", a.data},
                       {"trajectories", indices.size()},
                       {"unfit", trips.unfit},
                       {"first_unfit", trips.first_unfit},
                       {"dimension", encoder.dimension()},
                       {"simd", simd_target()},
                       {"trips_per_second", rate},
                       {"seconds", laps.seconds()},
                       {"open_seconds", opening},
                       {"embed_seconds", embedding}};
    return print_document(json);
  }
  trips.tell(console);
  console.say("{}, {} numbers each, in {}; {} trips/s; {} -> {}", counted(indices.size(), "trip"),
              encoder.dimension(), laps.text(), human_number(rate), simd_target(), a.output);
}

}  // namespace

void add_embed(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<EmbedArguments>();
  CLI::App* verb = app.add_subcommand("embed", "Turn trajectories into vectors with a model");
  verb->footer(
      "A NumPy file of float32, a row a trajectory, in the order of the data; FILE.json beside it\n"
      "names the trajectory of every row. Their distance, in the metric of the model (tsmini info\n"
      "MODEL), stands in for the measure it has learned.\n"
      "Time grows with the square of a trip's points where it has thousands: 5 s for 20,000.\n"
      "Example:\n"
      "  tsmini embed frechet.safetensors city.tsd -o embeddings.npy");
  verb->add_option("MODEL", a->model, "A model (.safetensors)")->required()->option_text("MODEL");
  verb->add_option("DATA", a->data, "A data set (.tsd) or a collection, within the model's box")
      ->required()
      ->option_text("DATA");
  verb->add_option("-o,--output", a->output, "The vectors to write (.npy)")
      ->required()
      ->option_text("FILE");
  add_on_error(*verb, a->on_error);
  add_pick_options(*verb, a->picking);
  add_common(*verb, common, Reports::yes);
  verb->callback([a, &common] { run(*a, common); });
}

}  // namespace tsmini::cli
