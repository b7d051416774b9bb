// What the verbs that write to a collection share: adding trips, making indexes, saying what came
// of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "tsmini/collection.h"
#include "tsmini/import.h"

#include "common/common_options.h"
#include "common/console.h"
#include "common/laps.h"
#include "common/pick_options.h"

namespace tsmini::cli {

struct AddArguments {
  std::string data;
  OnError on_error = OnError::fail;
  Duplicates duplicates = Duplicates::refuse;
  PickOptions picking;
};
struct TripsToAdd {
  Dataset data;
  std::string origin;  // what the collection remembers of it (AddOptions)
};
// The trips of the data that were picked.
TripsToAdd trips_of(const AddArguments& arguments, const Console& console);
// The command that adds what is left of them, after an interruption.
std::string command_to_go_on(const std::string& collection, const AddArguments& arguments);

void add_adding_options(CLI::App& verb, AddArguments& arguments);
// COLLECTION, where a verb needs one that is there.
void add_collection_folder(CLI::App& verb, std::string& folder);
// --kind
void add_index_kind(CLI::App& verb, std::optional<IndexKind>& kind);

// Adds trips, makes the indexes where that is worth while, or always, and says what came of it and
// what is amiss. Returns the same for --json; `laps` began with the verb.
nlohmann::ordered_json fill(Collection& collection, const TripsToAdd& trips,
                            const AddArguments& arguments, const Console& console,
                            bool always_index, Laps& laps);

// Makes the indexes where that is worth while, or always; whether it did. `done` says what is so
// whatever becomes of the indexes.
bool make_indexes(Collection& collection, const Console& console, bool always,
                  const std::string& done);

// Says what the collection notes, such as that the first write has changed the format, or that the
// trips have outgrown a model, and returns what it has said.
std::vector<std::string> say_notes(const Collection& collection, const Console& console);

}  // namespace tsmini::cli
