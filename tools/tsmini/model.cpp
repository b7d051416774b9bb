// The verb that keeps the models of a collection.
#include "tsmini/model.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/collection.h"
#include "tsmini/error.h"

#include "base/amounts.h"
#include "base/enum_names.h"
#include "base/utf8.h"
#include "common/console.h"
#include "common/document.h"
#include "common/laps.h"
#include "common/option_checks.h"
#include "common/shell_word.h"
#include "filling.h"
#include "model_facts.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

enum class What { add, remove, list };
constexpr std::array<std::string_view, 3> what_names{"add", "remove", "list"};

struct ModelArguments {
  What what = What::list;
  std::string collection, subject, name;
  std::optional<IndexKind> kind;
};

// The one of that name; null where there is none.
const CollectionModel* find(const std::vector<CollectionModel>& models, const std::string& name) {
  const auto place = std::find_if(models.begin(), models.end(),
                                  [&](const CollectionModel& model) { return model.name == name; });
  return place == models.end() ? nullptr : &*place;
}

std::string embed(Collection& collection, const ModelArguments& a, const Console& console) {
  const ModelOptions options{.name = a.name, .kind = a.kind};
  try {
    return collection.add_model(Model::load(a.subject), options,
                                console.progress("embedding", Unit::trips));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::interrupted) throw;
    throw Error(error.code(), error.what(),
                fmt::format("tsmini model add {} {} goes on", shell_word(a.collection),
                            shell_word(a.subject)));
  }
}

void add(const ModelArguments& a, const CommonOptions& common) {
  Laps laps;
  const Console console(common.quiet);
  Collection collection = Collection::open(a.collection);
  const std::vector<CollectionModel> before = collection.models();
  laps.end("opening");
  const std::string name = embed(collection, a, console);
  const double embedding = laps.end("embedding");
  make_indexes(
      collection, console, true,
      fmt::format("the model '{}' is among those of the collection and stays", printable(name)));
  const double indexing = laps.end("indexing");
  const std::vector<CollectionModel> models = collection.models();
  const CollectionModel* model = find(models, name);
  if (!model) {
    throw Error(ErrorCode::failure,
                fmt::format("the model '{}' was removed by another meanwhile", printable(name)),
                "add it again");
  }
  const std::uint64_t trips = collection.size();
  const CollectionModel* known = find(before, name);
  if (known && !a.name.empty() && a.name != name) {
    console.say("note: this model is there already as '{}', and keeps that name", printable(name));
  }
  console.say("{}", model_text(*model, trips));
  console.say("{} in {} -> {}",
              known && known->is_complete
                  ? "it was there already, and was not embedded again"
                  : fmt::format("{} embedded", counted(trips - model->unfit, "trip")),
              laps.text(), a.collection);
  const std::vector<std::string> notes = say_notes(collection, console);
  const Measure measure = model->model->measure;
  const auto of_measure = std::count_if(models.begin(), models.end(), [&](const auto& other) {
    return other.model->measure == measure;
  });
  console.say("next: tsmini search {} QUERIES {} --mode fast", shell_word(a.collection),
              of_measure > 1 ? fmt::format("--model {}", shell_word(name))
                             : fmt::format("--measure {}", name_of(measure)));
  if (!common.json) return;
  Json report = {{"collection", a.collection}, {"trips", trips}};
  report.update(model_json(*model, trips));
  report.update({{"seconds", laps.seconds()},
                 {"embed_seconds", embedding},
                 {"index_seconds", indexing},
                 {"notes", notes}});
  print_document(report);
}

void remove(const ModelArguments& a, const CommonOptions& common) {
  const Console console(common.quiet);
  Collection collection = Collection::open(a.collection);
  const Measure before = *collection.completed({}).measure;
  collection.remove_model(a.subject);
  const std::size_t left = collection.models().size();
  console.say("model '{}' removed, {} left; 'tsmini compact {}' gives back the space",
              printable(a.subject), left, shell_word(a.collection));
  const Measure now = *collection.completed({}).measure;
  if (now != before) {
    console.say("note: searches without --measure are by {} now, no longer by {}", name_of(now),
                name_of(before));
  }
  say_notes(collection, console);
  if (common.json) {
    print_document({{"collection", a.collection}, {"removed", a.subject}, {"models", left}});
  }
}

void list(const ModelArguments& a, const CommonOptions& common) {
  const Collection collection = Collection::open(a.collection);
  const std::vector<CollectionModel> models = collection.models();
  const std::uint64_t trips = collection.size();
  if (common.json) {
    Json list = Json::array();
    for (const CollectionModel& model : models) list.push_back(model_json(model, trips));
    return print_document(
        {{"collection", a.collection}, {"trips", trips}, {"models", std::move(list)}});
  }
  const Console console(common.quiet);
  say_notes(collection, console);  // such as a model whose file is lost
  if (models.empty()) {
    return console.say("no models; 'tsmini model add {} MODEL' adds one", shell_word(a.collection));
  }
  for (const CollectionModel& model : models) {
    fmt::print("{}; index {}\n", model_text(model, trips), index_text(model));
  }
}

void check(const ModelArguments& a) {
  const bool is_add = a.what == What::add;
  if (a.what == What::list && !a.subject.empty()) {
    throw Error(
        ErrorCode::usage,
        fmt::format("list takes a collection and nothing else, not '{}'", printable(a.subject)),
        "tsmini model list COLLECTION");
  }
  if (a.what != What::list && a.subject.empty()) {
    throw Error(ErrorCode::usage,
                is_add ? "which model should be added?" : "which model should be removed?",
                is_add ? "name its file: tsmini model add COLLECTION MODEL"
                       : "tsmini model list COLLECTION shows their names");
  }
  if (!is_add && !(a.name.empty() && !a.kind)) {
    throw Error(ErrorCode::usage,
                fmt::format("{} means nothing to 'model {}'", a.name.empty() ? "--kind" : "--name",
                            name_in(what_names, a.what)),
                "it is for 'model add'");
  }
}

void run(const ModelArguments& a, const CommonOptions& common) {
  check(a);
  if (a.what == What::add) return add(a, common);
  if (a.what == What::remove) return remove(a, common);
  list(a, common);
}

}  // namespace

void add_model(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<ModelArguments>();
  CLI::App* verb = app.add_subcommand("model", "Add, remove and list the models of a collection");
  verb->footer(
      "add embeds what is there, and from then on whatever is added, while others search and add.\n"
      "After Ctrl-C the same command goes on where it stopped. A model must have been trained in\n"
      "the space of the collection (tsmini info COLLECTION). remove takes its embeddings and "
      "index\n"
      "with it; the trips stay.\n"
      "Examples:\n"
      "  tsmini model add city dtw.safetensors\n"
      "  tsmini model list city\n"
      "  tsmini model remove city dtw");
  add_choice(*verb, "WHAT", a->what, what_names, "What to do")->required();
  add_collection_folder(*verb, a->collection);
  verb->add_option("MODEL", a->subject, "add: a file (.safetensors); remove: a name")
      ->option_text("[MODEL]");
  verb->add_option("--name", a->name, "add: what to call it (default: after its measure)")
      ->option_text("NAME");
  add_index_kind(*verb, a->kind);
  add_common(*verb, common, Reports::yes);
  verb->callback([a, &common] { run(*a, common); });
}

}  // namespace tsmini::cli
