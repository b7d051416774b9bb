// The examples of public headers about models, and searches by them.
#include "tsmini/search.h"

#include <functional>
#include <iostream>
#include <vector>

#include "tsmini/calibration.h"
#include "tsmini/collection.h"
#include "tsmini/distance_map.h"
#include "tsmini/embedding.h"
#include "tsmini/embedding_index.h"
#include "tsmini/encoder.h"
#include "tsmini/evaluate.h"
#include "tsmini/evaluate_among.h"
#include "tsmini/flaws.h"
#include "tsmini/memory_trips.h"
#include "tsmini/model.h"
#include "tsmini/model_cost.h"
#include "tsmini/net_settings.h"
#include "tsmini/preset_table.h"
#include "tsmini/rand_index.h"
#include "tsmini/recall_curve.h"
#include "tsmini/recipe.h"
#include "tsmini/retrieval.h"
#include "tsmini/rivals.h"
#include "tsmini/train.h"

#include "examples/stand_ins.h"

namespace tsmini::examples {

using Floats = std::span<const float>;
using Points = std::span<const Position>;

void calibration_example(Floats predicted, Floats truth) {
#include "examples/tsmini/calibration.inc"
}

void collection_example(Points query) {
#include "examples/tsmini/collection.inc"
}

void distance_map_example(const std::vector<DistancePair>& pairs, double distance_of_embeddings) {
#include "examples/tsmini/distance_map.inc"
}

void embedding_example(const Model& model, Floats a, Floats b) {
#include "examples/tsmini/embedding.inc"
}

void embedding_index_example(const Model& model, Floats rows, Floats query) {
#include "examples/tsmini/embedding_index.inc"
}

void encoder_example(const Trajectory& trajectory) {
#include "examples/tsmini/encoder.inc"
}

void evaluate_example(const Dataset& data) {
#include "examples/tsmini/evaluate.inc"
}

void evaluate_among_example(const Model& model, const Dataset& data, const Dataset& city) {
#include "examples/tsmini/evaluate_among.inc"
}

void flaws_example(const Model& model, const Trajectory& trip) {
#include "examples/tsmini/flaws.inc"
}

void memory_trips_example(Points query) {
#include "examples/tsmini/memory_trips.inc"
}

void model_example() {
#include "examples/tsmini/model.inc"
}

void model_cost_example(const Model& model) {
#include "examples/tsmini/model_cost.inc"
}

void net_settings_example() {
#include "examples/tsmini/net_settings.inc"
}

void preset_table_example() {
#include "examples/tsmini/preset_table.inc"
}

void rand_index_example() {
#include "examples/tsmini/rand_index.inc"
}

void recall_curve_example(const RecallCurve& curve) {
#include "examples/tsmini/recall_curve.inc"
}

void recipe_example() {
#include "examples/tsmini/recipe.inc"
}

void retrieval_example(std::size_t n, const std::function<Floats(std::size_t)>& predicted_row,
                       const std::function<Floats(std::size_t)>& true_row) {
#include "examples/tsmini/retrieval.inc"
}

void rivals_example(const Dataset& data) {
#include "examples/tsmini/rivals.inc"
}

void search_example(const Collection& trips, Points query) {
#include "examples/tsmini/search.inc"
}

void train_example(const Dataset& data) {
#include "examples/tsmini/train.inc"
}

}  // namespace tsmini::examples
