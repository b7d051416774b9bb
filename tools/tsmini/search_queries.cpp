#include "search_queries.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "tsmini/attributes.h"
#include "tsmini/error.h"
#include "tsmini/reach.h"

#include "base/amounts.h"
#include "base/text.h"
#include "base/utf8.h"
#include "common/reach_note.h"
#include "open_trips.h"

namespace tsmini::cli {
namespace {

std::string id_hint(const Collection& collection) {
  const auto extent = collection.info().extent;
  const Dataset one = extent ? collection.around(*extent, 1) : Dataset();
  if (one.size() == 0) return "the collection is empty; tsmini add fills it";
  return fmt::format("ids are those of the data that was added, such as '{}'",
                     printable(one[0].id));
}

// Trips of the collection itself.
Trips trips_with(const std::vector<std::string>& ids, const Collection& collection,
                 const std::string& folder) {
  DatasetBuilder builder(collection.coordinates());
  for (const std::string& id : ids) {
    const auto trip = collection.find(id);
    if (!trip) {
      throw Error(ErrorCode::bad_input,
                  fmt::format("there is no trip '{}' in {}", printable(id), folder),
                  id_hint(collection));
    }
    builder.add(trip->view(), trip->part, views_of(trip->attributes));
  }
  return {folder, builder.finish(), collection.space()};
}

}  // namespace

std::size_t check_ids(const std::string& file, const std::vector<std::string>& ids,
                      const Collection& collection, const Console& console) {
  std::size_t unknown = 0;
  std::string first;
  for (const std::string& id : ids) {
    throw_if_interrupted();
    if (collection.find(id)) continue;
    if (unknown++ == 0) first = printable(id);
  }
  if (unknown == ids.size()) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: none of its {} ids is in the collection; the first is '{}'", file,
                            with_thousands(ids.size()), first),
                id_hint(collection));
  }
  if (unknown > 0) {
    console.say("note: {} of the {} ids in {} are not in the collection, first: '{}'",
                with_thousands(unknown), with_thousands(ids.size()), file, first);
  }
  return unknown;
}

Dataset queries_of(const SearchArguments& a, const Picking& picking, const Collection& collection,
                   const Console& console) {
  if (a.queries.empty()) {
    return picked_data(trips_with(picking.ids, collection, a.collection), picking);
  }
  const Trips trips = open_trips(a.queries, console);
  const Coordinates coordinates = trips.data.info().coordinates;
  if (trips.data.size() > 0 && coordinates != collection.coordinates()) {
    throw Error(ErrorCode::bad_input,
                fmt::format("coordinates of {} are {}, those of {} are {}", a.queries,
                            name_of(coordinates), a.collection, name_of(collection.coordinates())),
                "both must be degrees, or both planar");
  }
  return picked_data(trips, picking);
}

void check_queries(const Console& console, const SearchRequest& request, const Dataset& queries,
                   std::size_t count, const std::string& file) {
  const Space& space = *request.space;
  note_reach(console, space, queries, count, file);
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<const Position> points = queries[i].points;
    const auto far = surely_reaches(space, points)
                         ? points.end()
                         : std::find_if(points.begin(), points.end(), [&](const Position& p) {
                             return !reaches(space, space.project(p));
                           });
    if (far != points.end()) {
      throw Error(
          ErrorCode::bad_input,
          fmt::format("{}: query '{}': the query at {}, {} is {}", file, printable(queries[i].id),
                      far->lon, far->lat, place_text(space, *far)),
          "a space measures around its central meridian: make a collection for each region");
    }
    if (is_defined(*request.measure, queries[i].size())) continue;
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: query '{}' has one point, {} needs two", file,
                            printable(queries[i].id), name_of(*request.measure)),
                "choose another measure, or leave such queries out (import --min-points 2)");
  }
}

}  // namespace tsmini::cli
