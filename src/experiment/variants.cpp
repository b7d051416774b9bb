#include "experiment/variants.h"

namespace tsmini::experiment {

Variant full_model() {
  return {"full", studied_preset, {}};
}

Variant without_sub_views() {
  return {"w/o-S", studied_preset, [](Recipe& recipe) { recipe.net.sub_views = false; }};
}

Variant without_ranking() {
  return {"w/o-K", studied_preset, [](Recipe& recipe) { recipe.loss.lambda = 1; }};
}

Variant without_both() {
  return {"w/o-SK", studied_preset, [](Recipe& recipe) {
            recipe.net.sub_views = false;
            recipe.loss.lambda = 1;
          }};
}

Variant grouped_queries() {
  return {"gqa", studied_preset, [](Recipe& recipe) { recipe.net.key_heads = 2; }};
}

Variant vanilla_attention() {
  return {"vanilla", studied_preset, [](Recipe& recipe) { recipe.net.block = BlockKind::vanilla; }};
}

}  // namespace tsmini::experiment
