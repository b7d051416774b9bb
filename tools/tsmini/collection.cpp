// The verbs that make and keep a collection: index, add, remove, verify, compact.
#include "tsmini/collection.h"

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/error.h"

#include "base/amounts.h"
#include "common/console.h"
#include "common/long_trips.h"
#include "common/option_checks.h"
#include "common/outputs.h"
#include "common/reach_note.h"
#include "common/stopwatch.h"
#include "id_list.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

void print(const Json& json) {
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

struct AddArguments {
  std::string model, data, collection, kind, on_error = "fail", duplicates = "fail";

  AddOptions options() const {
    AddOptions options;
    options.skip_impossible = on_error == "skip";
    if (duplicates == "skip") options.duplicates = Duplicates::skip;
    if (duplicates == "replace") options.duplicates = Duplicates::replace;
    return options;
  }
};

void add_adding_options(CLI::App& verb, AddArguments& a) {
  verb.add_option(
          "--on-error", a.on_error,
          "What a trip does that the space does not reach: fail (default) adds nothing, skip goes "
          "on without it")
      ->transform(one_of({"fail", "skip"}))
      ->option_text("fail|skip");
  verb.add_option("--duplicates", a.duplicates,
                  "An id that is there already: fail (default) adds nothing, skip keeps the old "
                  "trip, replace the new")
      ->transform(one_of({"fail", "skip", "replace"}))
      ->option_text("fail|skip|replace");
}

// Such as that the first write has changed the format.
void say_notes(const Collection& collection, const Console& console) {
  for (const std::string& note : collection.notes()) console.say("note: {}", note);
}

// Whether it was wanted and made. `done` says what is so whatever becomes of the index.
bool make_index(Collection& collection, const Console& console, bool always,
                const std::string& done) {
  try {
    if (!always && !collection.wants_index()) return false;
    collection.make_index(console.progress("indexing", Unit::trips));
    return true;
  } catch (const Error& error) {
    const bool stopped = error.code() == ErrorCode::interrupted;
    throw Error(error.code(),
                fmt::format("{}; {}, only the index was not finished",
                            stopped ? "interrupted" : error.what(), done),
                stopped ? "'tsmini compact' makes it" : error.hint());
  }
}

// Adds, makes the index where it is worth while, and reports; `watch` began with the verb.
void fill(Collection& collection, const AddArguments& a, const CommonOptions& common,
          bool always_index, Stopwatch& watch) {
  const Console console(common.quiet);
  const Dataset data = Dataset::open(a.data);
  note_long_trip(console, data);
  const double opening = watch.lap("opening");
  const AddSummary summary =
      collection.add(data, a.options(), console.progress("adding", Unit::trips));
  const double adding = watch.lap("adding");
  note_reach(console, collection.space(), data, data.size(), a.data);
  const bool indexed =
      make_index(collection, console, always_index,
                 fmt::format("the trips ({}) were added and stay", with_thousands(summary.added)));
  const double indexing = indexed ? watch.lap("indexing") : 0;
  if (common.json) {
    return print({{"collection", collection.folder().string()},
                  {"added", summary.added},
                  {"replaced", summary.replaced},
                  {"skipped", summary.skipped},
                  {"unfit", summary.unfit},
                  {"left_out", summary.left_out},
                  {"trips", collection.size()},
                  {"seconds", watch.seconds()},
                  {"open_seconds", opening},
                  {"add_seconds", adding},
                  {"index_seconds", indexing}});
  }
  if (summary.unfit > 0) {
    console.say("note: {} are more than a model can take and are searched exactly, first: {}",
                counted(summary.unfit, "trip"), summary.first_unfit);
  }
  if (summary.left_out > 0) {
    console.say("left out {}, first: {}", counted(summary.left_out, "trip"),
                summary.first_left_out);
  }
  if (summary.skipped > 0) {
    console.say("left out for the id: {}", counted(summary.skipped, "trip"));
  }
  console.say("{} added{} in {}; {} there now -> {}", counted(summary.added, "trip"),
              summary.replaced > 0
                  ? fmt::format(" (in place of others: {})", with_thousands(summary.replaced))
                  : "",
              watch.text(), with_thousands(collection.size()), collection.folder().string());
  say_notes(collection, console);
}

// What was added stays, also by others; an empty collection is of no use, and true where it is
// gone.
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

void run_index(const AddArguments& a, const CommonOptions& common) {
  Stopwatch watch;
  std::optional<IndexKind> kind;
  if (!a.kind.empty()) kind = index_kind_from(a.kind);
  check_outputs({a.model, a.data}, {a.collection});
  const Model model = Model::load(a.model);
  Dataset::open(a.data);  // before anything is made
  std::error_code ignored;
  const bool has_folder = std::filesystem::exists(a.collection, ignored);
  Collection collection = Collection::create(a.collection, model, kind);
  try {
    fill(collection, a, common, true, watch);
  } catch (const Error& error) {
    const bool is_gone = take_back(collection, has_folder);
    if (error.code() != ErrorCode::interrupted) throw;
    throw Error(
        error.code(), is_gone ? "interrupted; nothing was made" : error.what(),
        is_gone ? ""
                : fmt::format("tsmini add {} {} --duplicates skip goes on", a.collection, a.data));
  }
}

void run_add(const AddArguments& a, const CommonOptions& common) {
  Stopwatch watch;
  Collection collection = Collection::open(a.collection);
  fill(collection, a, common, false, watch);
}

struct RemoveArguments {
  std::string collection, ids_from, on_error = "fail";
  std::vector<std::string> ids;
};

void run_remove(const RemoveArguments& a, const CommonOptions& common) {
  const Console console(common.quiet);
  std::vector<std::string> ids = a.ids;
  if (!a.ids_from.empty()) {
    for (std::string& id : ids_from_file(a.ids_from)) ids.push_back(std::move(id));
  }
  if (ids.empty()) {
    throw Error(ErrorCode::usage, "which trips should be removed?",
                "name their ids, or a file of them with --ids-from");
  }
  Collection collection = Collection::open(a.collection);
  const std::uint64_t removed = collection.remove(ids, a.on_error == "skip");
  make_index(collection, console, false,
             fmt::format("the trips ({}) were removed", with_thousands(removed)));
  if (common.json) {
    return print(
        {{"collection", a.collection}, {"removed", removed}, {"trips", collection.size()}});
  }
  console.say("{} removed, {} left in {}", counted(removed, "trip"),
              with_thousands(collection.size()), a.collection);
  say_notes(collection, console);
}

void run_verify(const std::string& folder, const CommonOptions& common) {
  const Console console(common.quiet);
  const Collection collection = Collection::open(folder);
  collection.verify(console.progress("verifying", Unit::trips));
  if (common.json)
    return print({{"collection", folder}, {"trips", collection.size()}, {"verified", true}});
  console.say("{}: embeddings, indexes and models are as they were written",
              counted(collection.size(), "trip"));
}

void run_compact(const std::string& folder, const CommonOptions& common) {
  const Console console(common.quiet);
  Collection collection = Collection::open(folder);
  const std::uint64_t before = collection.info().bytes;
  collection.compact(console.progress("indexing", Unit::trips));
  const std::uint64_t after = collection.info().bytes;
  if (common.json) {
    return print({{"collection", folder}, {"bytes_before", before}, {"bytes", after}});
  }
  console.say("{} of {} -> {}", human_bytes(static_cast<double>(after)),
              counted(collection.size(), "trip"), folder);
}

CLI::Option* add_folder(CLI::App& verb, std::string& folder) {
  return verb.add_option("COLLECTION", folder, "The folder that 'tsmini index' made")
      ->required()
      ->option_text("COLLECTION");
}

}  // namespace

void add_index(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<AddArguments>();
  CLI::App* verb = app.add_subcommand("index", "Make a collection of trips that can be searched");
  verb->footer(
      "A folder with the trips, their embeddings, an index and the model. Whatever was added "
      "survives\n"
      "a killed program and a power cut; after Ctrl-C, go on with 'tsmini add --duplicates skip'.\n"
      "Example:\n"
      "  tsmini index m.safetensors city.tsd -o city");
  verb->add_option("MODEL", a->model, "What embeds the trips (.safetensors)")
      ->required()
      ->option_text("MODEL");
  verb->add_option("DATA", a->data, "The trips: a data set (.tsd)")
      ->required()
      ->option_text("DATA");
  verb->add_option("-o,--output", a->collection, "The folder to make")
      ->required()
      ->option_text("COLLECTION");
  verb->add_option("--kind", a->kind, "Of the index (default: what suits the number of trips)")
      ->transform(one_of({"flat", "coded", "hnsw"}))
      ->option_text("flat|coded|hnsw");
  add_adding_options(*verb, *a);
  add_common(*verb, common, Reports::yes);
  verb->callback([a, &common] { run_index(*a, common); });
}

void add_add(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<AddArguments>();
  CLI::App* verb = app.add_subcommand("add", "Add trips to a collection");
  verb->footer(
      "May run while others search. The index is extended when a tenth is not in it; when the\n"
      "collection has grown by half, how much models find in it is measured again.\n"
      "Example:\n"
      "  tsmini add city today.tsd");
  add_folder(*verb, a->collection);
  verb->add_option("DATA", a->data, "The trips: a data set (.tsd)")
      ->required()
      ->option_text("DATA");
  add_adding_options(*verb, *a);
  add_common(*verb, common, Reports::yes);
  verb->callback([a, &common] { run_add(*a, common); });
}

void add_remove(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<RemoveArguments>();
  CLI::App* verb = app.add_subcommand("remove", "Remove trips from a collection");
  verb->footer(
      "Examples:\n"
      "  tsmini remove city trip-0000001 trip-0000002\n"
      "  tsmini remove city --ids-from old.txt");
  add_folder(*verb, a->collection);
  verb->add_option("ID", a->ids, "Trips to remove; all of them or none")->option_text("[ID ...]");
  verb->add_option("--ids-from", a->ids_from, "A file of ids, one a line; - is standard input")
      ->option_text("FILE");
  verb->add_option(
          "--on-error", a->on_error,
          "What an id does that is not there: fail (default) removes nothing, skip goes on")
      ->transform(one_of({"fail", "skip"}))
      ->option_text("fail|skip");
  add_common(*verb, common, Reports::yes);
  verb->callback([a, &common] { run_remove(*a, common); });
}

void add_verify(CLI::App& app, CommonOptions& common) {
  auto folder = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("verify", "Check every byte of a collection");
  verb->footer("Ends with status 3 and says what, where something is damaged.\n");
  add_folder(*verb, *folder);
  add_common(*verb, common, Reports::yes);
  verb->callback([folder, &common] { run_verify(*folder, common); });
}

void add_compact(CLI::App& app, CommonOptions& common) {
  auto folder = std::make_shared<std::string>();
  CLI::App* verb =
      app.add_subcommand("compact", "Give back the space of removed trips, make the index anew");
  verb->footer("Needs as much free space again as the collection takes.\n");
  add_folder(*verb, *folder);
  add_common(*verb, common, Reports::yes);
  verb->callback([folder, &common] { run_compact(*folder, common); });
}

}  // namespace tsmini::cli
