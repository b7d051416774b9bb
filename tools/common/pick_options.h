// Which trips a verb speaks of: --id, --ids-from, --part, --bbox, --where and --limit, which mean
// the same on every verb that takes a data set.
//
//   PickOptions options;
//   add_pick_options(verb, options);
//   …
//   const Picking picking = picking_of(options);              // checks what was asked
//   for (std::size_t i : picked(trips, picking)) use(trips.data[i]);
//
// A verb of two data sets picks from the first one; only --part speaks of both.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "tsmini/pick.h"

#include "common/trips.h"

namespace tsmini::cli {

struct PickOptions {
  std::vector<std::string> ids;
  std::string ids_from, part, bbox;
  std::vector<std::string> where;
  std::optional<std::size_t> limit;
};

// The same options again, as they were typed, for the hint of a command: " --part test --limit 3",
// and nothing where none was given.
std::string typed_again(const PickOptions& options);

// What differs between verbs.
struct PickWords {
  std::string part = "Only trips of this part of the split";
  std::string limit = "Only the first so many of what is left";
  bool has_bbox = true, has_where = true;  // otherwise the verb has one of its own
};
void add_pick_options(CLI::App& verb, PickOptions& options, const PickWords& words = {});

// --where alone, for a verb that filters its answers by it, and what it asks for. Throws
// Error(usage) that shows the form.
CLI::Option* add_where(CLI::App& verb, std::vector<std::string>& where);
std::vector<Condition> conditions_from(const std::vector<std::string>& texts);

// The part of a name; nothing for an empty name and for "all". Throws Error(usage) that lists the
// parts.
std::optional<Part> part_from(const std::string& name);

// Throws Error: usage for what cannot be understood, bad_input for a file of ids that is not there.
Picking picking_of(const PickOptions& options);
// What was asked for, as it was asked: "--part test, --where 'taxi=17'".
std::string picking_text(const Picking& picking);
// What it asks of the second of two data sets.
Picking of_both(const Picking& picking);

// The indices of the trips that are picked. Throws Error(bad_input) naming the file where there are
// none, and for what the trips do not have.
std::vector<std::size_t> picked(const Trips& trips, const Picking& picking);
// The trips that are picked as a data set: the one that is there where everything is picked,
// otherwise a copy in memory. Only the latter complains where there is nothing.
Dataset picked_data(const Trips& trips, const Picking& picking);

}  // namespace tsmini::cli
