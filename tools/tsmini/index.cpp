#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/collection.h"
#include "tsmini/error.h"
#include "tsmini/flaws.h"

#include "base/amounts.h"
#include "base/enum_names.h"
#include "base/utf8.h"
#include "common/console.h"
#include "common/document.h"
#include "common/error_of.h"
#include "common/laps.h"
#include "common/long_trips.h"
#include "common/measure_options.h"
#include "common/outputs.h"
#include "common/shell_word.h"
#include "filling.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

struct IndexArguments {
  std::vector<std::string> inputs;  // [MODEL] DATA
  std::vector<std::string> model_files;
  std::string collection, space;
  std::optional<IndexKind> kind;
  AddArguments adding;

  // The files of the models, in the order they are to be added.
  std::vector<std::string> models() const {
    std::vector<std::string> files = model_files;
    if (inputs.size() > 1) files.insert(files.begin(), inputs.front());
    return files;
  }
};

// Makes the collection in the space of its first model, and together with it. If killed, no
// collection without its model is left. Without a model the space is fitted to the data.
Collection made(const IndexArguments& a, const Dataset& data, const std::vector<Model>& models) {
  if (models.empty()) {
    const SpaceKind space = space_kind_of(a.space, data);
    return Collection::create(a.collection, fitted_space(space, data, a.adding.data));
  }
  const Model& first = models.front();
  if (!a.space.empty() && space_kind_from(a.space) != first.space.kind()) {
    throw Error(ErrorCode::usage,
                fmt::format("{}: the model measures in the space '{}', not in --space {}",
                            a.models().front(), name_of(first.space.kind()), a.space),
                fmt::format("leave --space out, or train one with --space {}", a.space));
  }
  return Collection::create(a.collection, first, a.kind);
}

// Adds the models after the first. There are no trips yet: a model embeds them as they are added.
void add_other_models(Collection& collection, const std::vector<Model>& models,
                      const std::vector<std::string>& files, std::optional<IndexKind> kind) {
  for (std::size_t i = 1; i < models.size(); ++i) {
    try {
      collection.add_model(models[i], {.name = {}, .kind = kind});
    } catch (const Error& error) {
      throw error_of(files[i], error);
    }
  }
}

// Removes a collection that is still empty, which is of no use; trips that were added, also by
// others, stay. Whether it is gone.
bool take_back(Collection& collection, bool keep_folder) {
  try {
    if (!collection.discard_if_unused()) return false;
    std::error_code ignored;
    if (!keep_folder) {
      std::filesystem::remove(collection.folder(), ignored);  // fails where another made one there
    }
    return true;
  } catch (const Error&) {
    return false;  // what went wrong before is what the user should know
  }
}

// Whether there is a trip that can be measured there.
bool reaches_any(const Space& space, const Dataset& data) {
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (flaw_in(space, data[i]).empty()) return true;
  }
  return false;
}

// Where the model is of another region than the trips.
std::string hint_for_region(const IndexArguments& a, const std::string& model) {
  return fmt::format(
      "use trips of the model's own region (tsmini info {0} shows its box), or fit a model to "
      "these: tsmini train {1} -o NEW.safetensors --init {0} --rebox",
      shell_word(model), shell_word(a.adding.data));
}

void say_next(const Collection& collection, const Console& console) {
  const std::string folder = shell_word(collection.folder().string());
  std::vector<std::string> names;
  for (const CollectionModel& model : collection.models()) names.push_back(printable(model.name));
  if (names.empty()) {
    console.say("next: tsmini search {} QUERIES; 'tsmini model add {} MODEL' adds --mode fast",
                folder, folder);
  } else {
    console.say("next: tsmini search {} QUERIES; also with --mode rerank or fast by {}", folder,
                fmt::join(names, ", "));
  }
}

Json with_models(Json report, const Collection& collection) {
  report["space"] = Json::parse(collection.space().to_json());
  report["models"] = Json::array();
  for (const CollectionModel& model : collection.models()) report["models"].push_back(model.name);
  return report;
}

void run(const IndexArguments& a, const CommonOptions& common) {
  Laps laps;
  const Console console(common.quiet);
  const std::vector<std::string> files = a.models();
  if (files.empty() && a.kind) {
    throw Error(ErrorCode::usage,
                fmt::format("--kind {} is of the index of a model, and there is no model",
                            name_of(*a.kind)),
                "name one with --model, or leave it out");
  }
  std::vector<std::filesystem::path> inputs(files.begin(), files.end());
  inputs.emplace_back(a.adding.data);
  check_outputs(inputs, {a.collection});
  std::vector<Model> models;
  models.reserve(files.size());
  for (const std::string& file : files) models.push_back(Model::load(file));
  const TripsToAdd trips = trips_of(a.adding, console);
  const Dataset& data = trips.data;
  if (!models.empty()) note_long_trip(console, data);
  std::error_code ignored;
  const bool has_folder = std::filesystem::exists(a.collection, ignored);
  Collection collection = made(a, data, models);
  try {
    add_other_models(collection, models, files, a.kind);
    const Json report = fill(collection, trips, a.adding, console, true, laps);
    if (collection.size() == 0 && data.size() > 0) {
      throw Error(ErrorCode::bad_input,
                  fmt::format("{}: none of its {} can be measured in one space", a.adding.data,
                              counted(data.size(), "trip")),
                  "they lie too far apart: make a collection for each region");
    }
    say_next(collection, console);
    if (common.json) print_document(with_models(report, collection));
  } catch (const Error& error) {
    const Space space = collection.space();
    const bool is_gone = take_back(collection, has_folder);
    if (error.code() == ErrorCode::bad_input && !models.empty()) {
      throw Error(error.code(), error.what(),
                  (reaches_any(space, data) ? error.hint() : hint_for_region(a, files.front())) +
                      "; without a model the collection has a space of its own");
    }
    if (error.code() != ErrorCode::interrupted) throw;
    throw Error(error.code(), is_gone ? "interrupted; nothing was made" : error.what(),
                is_gone ? "" : command_to_go_on(a.collection, a.adding) + " goes on");
  }
}

}  // namespace

void add_index(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<IndexArguments>();
  CLI::App* verb = app.add_subcommand("index", "Make a collection of trips that can be searched");
  verb->footer(
      "A folder with the trips, in a space that stays as it is. Exact search needs no model; each\n"
      "model adds rerank and fast by its measure, with the embeddings of all trips and an index.\n"
      "Whatever was added survives a killed program and a power cut; after Ctrl-C, go on with\n"
      "'tsmini add --duplicates skip'.\n"
      "Examples:\n"
      "  tsmini index city.tsd -o city\n"
      "  tsmini index m.safetensors city.tsd -o city\n"
      "  tsmini index city.tsd --model dtw.safetensors --model frechet.safetensors -o city");
  verb->add_option(
          "DATA", a->inputs,
          "The trips: a data set (.tsd) or a collection; a model before it is the first one")
      ->required()
      ->expected(1, 2)
      ->option_text("[MODEL] DATA");
  verb->add_option("-o,--output", a->collection, "The folder to make")
      ->required()
      ->option_text("COLLECTION");
  verb->add_option("--model", a->model_files,
                   "What embeds the trips (.safetensors); again for more")
      ->type_size(1)
      ->allow_extra_args(false)
      ->option_text("MODEL");
  add_space_name(*verb, a->space,
                 listed(space_kind_names, "or") +
                     " (default: the first model's; else ground, planar for planar data)");
  add_index_kind(*verb, a->kind);
  add_adding_options(*verb, a->adding);
  add_common(*verb, common, Reports::yes);
  verb->callback([a, &common] {
    a->adding.data = a->inputs.back();
    run(*a, common);
  });
}

}  // namespace tsmini::cli
