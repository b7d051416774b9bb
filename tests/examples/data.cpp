// The examples of public headers about trips: files, data sets, spaces, maps. What an example takes
// for granted is a parameter here.
#include <atomic>
#include <iostream>

#include "tsmini/attributes.h"
#include "tsmini/city.h"
#include "tsmini/dataset.h"
#include "tsmini/error.h"
#include "tsmini/features.h"
#include "tsmini/import.h"
#include "tsmini/input_list.h"
#include "tsmini/line_chart.h"
#include "tsmini/map.h"
#include "tsmini/map_lines.h"
#include "tsmini/pick.h"
#include "tsmini/progress.h"
#include "tsmini/reach.h"
#include "tsmini/search.h"
#include "tsmini/space.h"
#include "tsmini/split.h"
#include "tsmini/where.h"

#include "examples/stand_ins.h"

namespace tsmini::examples {

void attributes_example(const Dataset& data, std::size_t trip) {
#include "examples/tsmini/attributes.inc"
}

void city_example(const std::function<void(const Trajectory&)>& sink) {
#include "examples/tsmini/city.inc"
}

void dataset_example() {
#include "examples/tsmini/dataset.inc"
}

void error_example() {
#include "examples/tsmini/error.inc"
}

void features_example(const Dataset& data) {
#include "examples/tsmini/features.inc"
}

void import_example() {
#include "examples/tsmini/import.inc"
}

void input_list_example() {
#include "examples/tsmini/input_list.inc"
}

void line_chart_example() {
#include "examples/tsmini/line_chart.inc"
}

void map_example(const Dataset& data) {
#include "examples/tsmini/map.inc"
}

void map_lines_example(Map& map, const Trajectory& query, const Answer& a, const Answer& b) {
#include "examples/tsmini/map_lines.inc"
}

void pick_example(const Dataset& data) {
#include "examples/tsmini/pick.inc"
}

void progress_example(const std::atomic<bool>& stopped) {
#include "examples/tsmini/progress.inc"
}

void reach_example(const Dataset& base, const Dataset& queries,
                   std::span<const std::size_t> indices) {
#include "examples/tsmini/reach.inc"
}

void space_example(const Dataset& dataset) {
#include "examples/tsmini/space.inc"
}

void split_example(const Dataset& data) {
#include "examples/tsmini/split.inc"
}

void where_example(const AttributeValue& value, std::size_t trip) {
#include "examples/tsmini/where.inc"
}

}  // namespace tsmini::examples
