// node2vec vectors of the known cells: cells beside each other have similar ones.
#pragma once

#include "tsmini/progress.h"

#include "rivals/core/rival.h"

namespace tsmini::rivals {

// ground.tensors["vectors"], [known cells, dimension]. From walks between the eight neighbours.
void add_cell_vectors(Ground& ground, const City& city, const Settings& settings,
                      const Progress& progress);

}  // namespace tsmini::rivals
