// The local streets, grown between the main roads.
//
// Junctions come first: crossings of the gridded quarter, then random places elsewhere that keep
// the distance the terrain asks for (dense in the old town, wide in the outskirts). They and the
// arterials' nodes are then joined where nothing lies between two of them: a beta-skeleton, halfway
// between the Gabriel and the relative-neighbour graph. On the grid's junctions that gives
// precisely the grid; on scattered ones short, crooked streets that meet at fair angles. No street
// crosses the river or an arterial; some pass under a motorway.
#pragma once

#include "base/random.h"
#include "city/roads.h"
#include "city/terrain.h"

namespace tsmini::city {

void add_streets(const Terrain& terrain, Random& random, Roads& roads);

}  // namespace tsmini::city
