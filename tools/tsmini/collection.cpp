// The verbs that make and keep a collection: index, add, remove, verify, compact.
#include "tsmini/collection.h"

#include <chrono>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/error.h"

#include "base/text.h"
#include "common/console.h"
#include "common/reach_note.h"
#include "id_list.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void print(const Json& json) {
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

struct AddArguments {
  std::string model, data, collection, kind, on_error = "fail", duplicates = "fail";

  AddOptions options() const {
    AddOptions options;
    options.skip_unfit = on_error == "skip";
    if (duplicates == "skip") options.duplicates = Duplicates::skip;
    if (duplicates == "replace") options.duplicates = Duplicates::replace;
    return options;
  }
};

void add_adding_options(CLI::App& verb, AddArguments& a) {
  verb.add_option("--on-error", a.on_error,
                  "What a trip does that the model cannot take: fail adds nothing, skip goes on")
      ->check(CLI::IsMember({"fail", "skip"}))
      ->option_text("fail|skip");
  verb.add_option("--duplicates", a.duplicates,
                  "What an id does that is there already: fail adds nothing")
      ->check(CLI::IsMember({"fail", "skip", "replace"}))
      ->option_text("fail|skip|replace");
}

// What was added lies within reach, but perhaps only just.
void note_reach(const Console& console, const Model& model, const Dataset& data,
                const std::string& file) {
  std::vector<std::size_t> indices(data.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  check_reach(console, model.space, data, indices, file);
}

void make_index(Collection& collection, const Console& console) {
  collection.make_index(console.progress("indexing", Unit::trips));
}

// Adds, makes the index where it is worth while, and reports.
void fill(Collection& collection, const AddArguments& a, const CommonOptions& common,
          bool always_index) {
  const Console console(common.quiet);
  const Dataset data = Dataset::open(a.data);
  const auto start = Clock::now();
  const AddSummary summary =
      collection.add(data, a.options(), console.progress("adding", Unit::trips));
  const double seconds = seconds_since(start);
  if (!a.options().skip_unfit) note_reach(console, collection.model(), data, a.data);
  const auto indexing = Clock::now();
  if (always_index || collection.wants_index()) make_index(collection, console);
  if (common.json) {
    return print({{"collection", collection.folder().string()},
                  {"added", summary.added},
                  {"replaced", summary.replaced},
                  {"skipped", summary.skipped},
                  {"unfit", summary.unfit},
                  {"trips", collection.size()},
                  {"seconds", seconds},
                  {"index_seconds", seconds_since(indexing)}});
  }
  if (summary.unfit > 0) {
    console.say("left out {} that the model cannot take, first: {}", with_thousands(summary.unfit),
                summary.first_unfit);
  }
  if (summary.skipped > 0) {
    console.say("left out {} for their id", with_thousands(summary.skipped));
  }
  console.say(
      "{} trips added{} in {}, {} there now -> {}", with_thousands(summary.added),
      summary.replaced > 0 ? fmt::format(" ({} replace others)", with_thousands(summary.replaced))
                           : "",
      human_seconds(seconds), with_thousands(collection.size()), collection.folder().string());
}

void run_index(const AddArguments& a, const CommonOptions& common) {
  std::optional<IndexKind> kind;
  if (!a.kind.empty()) kind = index_kind_from(a.kind);
  const Model model = Model::load(a.model);
  Dataset::open(a.data);  // before anything is made
  Collection collection = Collection::create(a.collection, model, kind);
  try {
    fill(collection, a, common, true);
  } catch (const Error&) {
    // What was added stays; an empty collection is of no use.
    if (collection.size() == 0) std::filesystem::remove_all(a.collection);
    throw;
  }
}

void run_add(const AddArguments& a, const CommonOptions& common) {
  Collection collection = Collection::open(a.collection);
  fill(collection, a, common, false);
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
  if (collection.wants_index()) make_index(collection, console);
  if (common.json) {
    return print(
        {{"collection", a.collection}, {"removed", removed}, {"trips", collection.size()}});
  }
  console.say("{} trips removed, {} left in {}", with_thousands(removed),
              with_thousands(collection.size()), a.collection);
}

void run_verify(const std::string& folder, const CommonOptions& common) {
  const Console console(common.quiet);
  const Collection collection = Collection::open(folder);
  collection.verify(console.progress("verifying", Unit::trips));
  if (common.json)
    return print({{"collection", folder}, {"trips", collection.size()}, {"verified", true}});
  console.say("{} trips, their embeddings, the index and the model are as they were written",
              with_thousands(collection.size()));
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
  console.say("{} of {} trips -> {}", human_bytes(static_cast<double>(after)),
              with_thousands(collection.size()), folder);
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
      ->check(CLI::IsMember({"flat", "coded", "hnsw"}))
      ->option_text("flat|coded|hnsw");
  add_adding_options(*verb, *a);
  add_common(*verb, common, Reports::yes);
  verb->callback([a, &common] { run_index(*a, common); });
}

void add_add(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<AddArguments>();
  CLI::App* verb = app.add_subcommand("add", "Add trips to a collection");
  verb->footer(
      "May run while others search. The index is extended when a tenth is not in it.\n"
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
  verb->add_option("--on-error", a->on_error,
                   "What an id does that is not there: fail removes nothing, skip goes on")
      ->check(CLI::IsMember({"fail", "skip"}))
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
