// The paper's variants of its model, as changes of a recipe.
#pragma once

#include <vector>

#include "experiment/study.h"

namespace tsmini::experiment {

// The preset whose parts the paper's claims are about.
inline constexpr const char* studied_preset = "paper";

Variant full_model();
Variant without_sub_views();  // w/o-S
Variant without_ranking();    // w/o-K
Variant without_both();       // w/o-SK
Variant grouped_queries();    // gqa
Variant vanilla_attention();  // vanilla

}  // namespace tsmini::experiment
