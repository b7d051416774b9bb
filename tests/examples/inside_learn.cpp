// The examples of private headers about training, and about the experiments of the paper.
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tsmini/dataset.h"
#include "tsmini/model.h"
#include "tsmini/recipe.h"
#include "tsmini/space.h"
#include "tsmini/train.h"

#include "base/checksum.h"
#include "experiment/data_files.h"
#include "experiment/degrade.h"
#include "experiment/experiments.h"
#include "experiment/joined_pieces.h"
#include "experiment/lab.h"
#include "experiment/record.h"
#include "experiment/report.h"
#include "experiment/rival.h"
#include "experiment/rival_maker.h"
#include "experiment/rival_program.h"
#include "experiment/rival_run.h"
#include "experiment/rival_study.h"
#include "experiment/sketch.h"
#include "experiment/study.h"
#include "experiment/synthetic.h"
#include "experiment/trip_sets.h"
#include "learn/arena.h"
#include "learn/augmentation.h"
#include "learn/checkpoint.h"
#include "learn/data_parts.h"
#include "learn/in_stretches.h"
#include "learn/learner.h"
#include "learn/net.h"
#include "learn/projected_trips.h"
#include "learn/tape.h"
#include "learn/thrown.h"
#include "learn/train_plan.h"

namespace tsmini::learn::examples {

void arena_example() {
#include "examples/learn/arena.inc"
}

void augmentation_example(const Dataset& data, const DataParts& parts, std::uint64_t seed) {
#include "examples/learn/augmentation.inc"
}

void checkpoint_example(const nlohmann::ordered_json& request) {
#include "examples/learn/checkpoint.inc"
}

void data_parts_example(const Dataset& data, std::uint64_t seed, const Recipe& recipe) {
#include "examples/learn/data_parts.inc"
}

void in_stretches_example(const Dataset& data, std::span<const std::size_t> indices,
                          const Progress& progress) {
#include "examples/learn/in_stretches.inc"
}

void learner_example(const LearnerStart& start, const StepContext& context, const StepInput& input,
                     const StepInput& next, std::span<const float> truth,
                     const Progress& progress) {
#include "examples/learn/learner.inc"
}

void net_example(const NetSettings& settings, const FeatureFrame& frame, std::uint64_t seed,
                 std::size_t longest, Arena& arena, const Array<float>& points,
                 const Packing& packing, const std::int64_t* key) {
#include "examples/learn/net.inc"
}

void projected_trips_example(const Dataset& data, const DataParts& parts, const Space& space,
                             std::span<const int> ids) {
#include "examples/learn/projected_trips.inc"
}

void tape_example(Arena& arena, const Array<float>& x, const Array<float>& weight) {
#include "examples/learn/tape.inc"
}

void thrown_example(const TrainObserver& observer, const TrainEvent& event) {
#include "examples/learn/thrown.inc"
}

void train_plan_example(const Dataset& data, const TrainOptions& options) {
#include "examples/learn/train_plan.inc"
}

}  // namespace tsmini::learn::examples

namespace tsmini::experiment::examples {

using Path = std::filesystem::path;

void data_files_example(const Path& folder, const Dataset& data) {
#include "examples/experiment/data_files.inc"
}

void degrade_example(const Dataset& data, const Model& model, std::uint64_t seed) {
#include "examples/experiment/degrade.inc"
}

void experiments_example(const Setting& setting, Lab& lab) {
#include "examples/experiment/experiments.inc"
}

void join_example(const Dataset& data, std::uint64_t seed) {
#include "examples/experiment/joined_pieces.inc"
}

void lab_example(const Path& folder, const Setting& setting, const RunWatch& watch) {
#include "examples/experiment/lab.inc"
}

void record_example(const std::string& label) {
#include "examples/experiment/record.inc"
}

void report_example() {
#include "examples/experiment/report.inc"
}

void rival_example() {
#include "examples/experiment/rival.inc"
}

void rival_maker_example(const Path& folder, const std::string& name, const City& city,
                         const RivalRequest& request, const Progress& progress) {
#include "examples/experiment/rival_maker.inc"
}

void rival_program_example() {
#include "examples/experiment/rival_program.inc"
}

void rival_run_example(const Path& folder, const City& city, const RivalRequest& request) {
#include "examples/experiment/rival_run.inc"
}

void rival_study_example(Lab& lab, const Setting& setting, Report& report) {
#include "examples/experiment/rival_study.inc"
}

void sketch_example(const Dataset& data, const Space& space) {
#include "examples/experiment/sketch.inc"
}

void study_example(Lab& lab, const Setting& setting) {
#include "examples/experiment/study.inc"
}

void synthetic_example() {
#include "examples/experiment/synthetic.inc"
}

void trip_sets_example(const Dataset& data, std::uint64_t seed) {
#include "examples/experiment/trip_sets.inc"
}

}  // namespace tsmini::experiment::examples
