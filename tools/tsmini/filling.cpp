#include "filling.h"

#include <array>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/amounts.h"
#include "common/option_checks.h"
#include "common/provenance_after.h"
#include "common/reach_note.h"
#include "common/shell_word.h"
#include "model_facts.h"
#include "open_trips.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 3> duplicates_names{"fail", "skip", "replace"};

AddOptions options_of(const AddArguments& a, const std::string& origin) {
  AddOptions options;
  options.origin = origin;
  options.skip_impossible = a.on_error == OnError::skip;
  options.duplicates = a.duplicates;
  return options;
}

void say(const AddSummary& summary, const Collection& collection, const Console& console,
         const Laps& laps) {
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
              laps.text(), with_thousands(collection.size()), collection.folder().string());
}

}  // namespace

TripsToAdd trips_of(const AddArguments& a, const Console& console) {
  const Picking picking = picking_of(a.picking);
  Dataset data = picked_data(open_trips(a.data, console), picking);
  std::string origin =
      provenance_after({{"data", a.data}, {"picked", picking_text(picking)}}, data);
  return {std::move(data), std::move(origin)};
}

std::string command_to_go_on(const std::string& collection, const AddArguments& a) {
  return fmt::format("tsmini add {} {}{}{} --duplicates {}", shell_word(collection),
                     shell_word(a.data), typed_again(a.picking),
                     a.on_error == OnError::skip ? " --on-error skip" : "",
                     a.duplicates == Duplicates::replace ? "replace" : "skip");
}

void add_adding_options(CLI::App& verb, AddArguments& a) {
  add_choice(verb, "--on-error", a.on_error, on_error_names,
             "What a trip does that the space does not reach: fail (default) adds nothing, skip "
             "goes on without it");
  add_choice(verb, "--duplicates", a.duplicates, duplicates_names,
             "An id that is there already: fail (default) adds nothing, skip keeps the old trip, "
             "replace the new");
  add_pick_options(verb, a.picking);
}

void add_collection_folder(CLI::App& verb, std::string& folder) {
  verb.add_option("COLLECTION", folder, "The folder that 'tsmini index' made")
      ->required()
      ->option_text("COLLECTION");
}

void add_index_kind(CLI::App& verb, std::optional<IndexKind>& kind) {
  add_choice(verb, "--kind", kind, index_kind_names,
             "Of the index of a model (default: what suits the number of trips)");
}

Json fill(Collection& collection, const TripsToAdd& trips, const AddArguments& a,
          const Console& console, bool always_index, Laps& laps) {
  const double opening = laps.end("opening");
  const AddSummary summary = collection.add(trips.data, options_of(a, trips.origin),
                                            console.progress("adding", Unit::trips));
  const double adding = laps.end("adding");
  note_reach(console, collection.space(), trips.data, trips.data.size(), a.data);
  const bool indexed = make_indexes(
      collection, console, always_index,
      fmt::format("the trips ({}) were added and stay", with_thousands(summary.added)));
  const double indexing = indexed ? laps.end("indexing") : 0;
  say(summary, collection, console, laps);
  const std::vector<std::string> notes = say_notes(collection, console);
  return {{"collection", collection.folder().string()},
          {"added", summary.added},
          {"replaced", summary.replaced},
          {"skipped", summary.skipped},
          {"unfit", summary.unfit},
          {"left_out", summary.left_out},
          {"trips", collection.size()},
          {"seconds", laps.seconds()},
          {"open_seconds", opening},
          {"add_seconds", adding},
          {"index_seconds", indexing},
          {"notes", notes}};
}

bool make_indexes(Collection& collection, const Console& console, bool always,
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
                stopped ? "the next 'tsmini add' or 'tsmini compact' makes it" : error.hint());
  }
}

std::vector<std::string> say_notes(const Collection& collection, const Console& console) {
  std::vector<std::string> notes = notes_on(collection, collection.models(), collection.size());
  for (const std::string& note : notes) console.say("note: {}", note);
  return notes;
}

}  // namespace tsmini::cli
