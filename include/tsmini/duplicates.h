// Trips that are there more than once, or nearly so: which to keep and which to drop.
//
//   const DuplicateGroups found = find_duplicates(search, {.radius = 15});
//   for (const DuplicateGroup& group : found.groups)
//     for (const Neighbour& dropped : group.dropped) use(group.kept, dropped.index);
//
// By centre: trips take turns by falling number of points, ties to the lower index; one that is
// still there is kept, and all that are within the radius of it are dropped. So every trip that is
// dropped is within the radius of the one it is dropped for, and no two that are kept are.
// Connected: trips that a chain of steps within the radius joins are one group, of which the one
// with most points is kept. A group may then be wider than the radius, as its distances tell.
//
// Exact, and the same on any number of threads; what is counted in `work` may differ. Edges are not
// stored and not all looked for: memory is linear in the trips even if all are alike, 16 bytes a
// trip for each core at most, and time by centre is a search for each that is kept.
#pragma once

#include <cstddef>
#include <vector>

#include "tsmini/exact_search.h"
#include "tsmini/neighbour_search.h"
#include "tsmini/progress.h"

namespace tsmini {

enum class DuplicateGrouping { by_centre, connected };

struct DuplicateOptions {
  double radius = 0;  // 0: only what has no distance at all, such as copies
  DuplicateGrouping grouping = DuplicateGrouping::by_centre;
};

struct DuplicateGroup {
  std::size_t kept = 0;
  std::vector<Neighbour> dropped;  // at least one, by rising index, with its distance to `kept`
};

struct DuplicateGroups {
  std::vector<DuplicateGroup> groups;  // largest first, ties to the lower `kept`
  std::size_t dropped = 0;             // of all groups
  SearchWork work;
};

// Progress counts distinct trips. Throws Error(usage) for a radius that is negative or not a
// number.
DuplicateGroups find_duplicates(const NeighbourSearch& search, const DuplicateOptions& options = {},
                                const Progress& progress = {});

// All of `trips` but those that are dropped, rising.
std::vector<std::size_t> without_dropped(const DuplicateGroups& duplicates, std::size_t trips);

}  // namespace tsmini
