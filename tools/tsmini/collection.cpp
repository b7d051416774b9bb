// The verbs that keep a collection: add, remove, verify, compact.
#include "tsmini/collection.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/import.h"

#include "base/amounts.h"
#include "common/console.h"
#include "common/document.h"
#include "common/id_list.h"
#include "common/laps.h"
#include "common/long_trips.h"
#include "common/option_checks.h"
#include "filling.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

void run_add(const std::string& folder, const AddArguments& a, const CommonOptions& common) {
  Laps laps;
  const Console console(common.quiet);
  Collection collection = Collection::open(folder);
  const TripsToAdd trips = trips_of(a, console);
  note_long_trip(console, trips.data);
  try {
    const auto report = fill(collection, trips, a, console, false, laps);
    if (common.json) print_document(report);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::interrupted) throw;
    throw Error(error.code(), error.what(),
                error.hint().empty() ? command_to_go_on(folder, a) + " goes on" : error.hint());
  }
}

struct RemoveArguments {
  std::string collection, ids_from;
  OnError on_error = OnError::fail;
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
  const std::uint64_t removed = collection.remove(ids, a.on_error == OnError::skip,
                                                  console.progress("removing", Unit::trips));
  make_indexes(collection, console, false,
               fmt::format("the trips ({}) were removed", with_thousands(removed)));
  if (common.json) {
    return print_document(
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
    return print_document(
        {{"collection", folder}, {"trips", collection.size()}, {"verified", true}});
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
    return print_document({{"collection", folder}, {"bytes_before", before}, {"bytes", after}});
  }
  console.say("{} of {} -> {}", human_bytes(static_cast<double>(after)),
              counted(collection.size(), "trip"), folder);
}

}  // namespace

void add_add(CLI::App& app, CommonOptions& common) {
  struct Arguments {
    std::string collection;
    AddArguments adding;
  };
  auto a = std::make_shared<Arguments>();
  CLI::App* verb = app.add_subcommand("add", "Add trips to a collection");
  verb->footer(
      "May run while others search. Every model of the collection embeds the trips; an index is\n"
      "extended when a tenth is not in it; when the collection has grown by half, how much models\n"
      "find in it is measured again.\n"
      "Examples:\n"
      "  tsmini add city today.tsd\n"
      "  tsmini add city today.tsd --where taxi=17 --bbox=-8.7,41.1,-8.5,41.2");
  add_collection_folder(*verb, a->collection);
  verb->add_option("DATA", a->adding.data, "The trips: a data set (.tsd) or a collection")
      ->required()
      ->option_text("DATA");
  add_adding_options(*verb, a->adding);
  add_common(*verb, common, Reports::yes);
  verb->callback([a, &common] { run_add(a->collection, a->adding, common); });
}

void add_remove(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<RemoveArguments>();
  CLI::App* verb = app.add_subcommand("remove", "Remove trips from a collection");
  verb->footer(
      "Examples:\n"
      "  tsmini remove city trip-0000001 trip-0000002\n"
      "  tsmini remove city --ids-from old.txt");
  add_collection_folder(*verb, a->collection);
  verb->add_option("ID", a->ids, "Trips to remove; all of them or none")->option_text("[ID ...]");
  verb->add_option("--ids-from", a->ids_from, "A file of ids, one a line; - is standard input")
      ->option_text("FILE");
  add_choice(*verb, "--on-error", a->on_error, on_error_names,
             "What an id does that is not there: fail (default) removes nothing, skip goes on");
  add_common(*verb, common, Reports::yes);
  verb->callback([a, &common] { run_remove(*a, common); });
}

void add_verify(CLI::App& app, CommonOptions& common) {
  auto folder = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("verify", "Check every byte of a collection");
  verb->footer("Ends with status 3 and says what, where something is damaged.\n");
  add_collection_folder(*verb, *folder);
  add_common(*verb, common, Reports::yes);
  verb->callback([folder, &common] { run_verify(*folder, common); });
}

void add_compact(CLI::App& app, CommonOptions& common) {
  auto folder = std::make_shared<std::string>();
  CLI::App* verb =
      app.add_subcommand("compact", "Give back the space of removed trips, make the index anew");
  verb->footer("Needs as much free space again as the collection takes.\n");
  add_collection_folder(*verb, *folder);
  add_common(*verb, common, Reports::yes);
  verb->callback([folder, &common] { run_compact(*folder, common); });
}

}  // namespace tsmini::cli
