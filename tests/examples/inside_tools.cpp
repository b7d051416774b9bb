// The examples of the headers of programs.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/answerer.h"
#include "tsmini/collection.h"
#include "tsmini/dataset.h"
#include "tsmini/error.h"
#include "tsmini/finding.h"
#include "tsmini/flaws.h"
#include "tsmini/import.h"
#include "tsmini/map_lines.h"
#include "tsmini/measure.h"
#include "tsmini/model.h"
#include "tsmini/open_trips.h"
#include "tsmini/search.h"

#include "common/answers.h"
#include "common/assumptions.h"
#include "common/console.h"
#include "common/error_of.h"
#include "common/fit_trips.h"
#include "common/laps.h"
#include "common/measure_options.h"
#include "common/option_checks.h"
#include "common/option_names.h"
#include "common/outputs.h"
#include "common/own_ids.h"
#include "common/pace.h"
#include "common/pick_options.h"
#include "common/program.h"
#include "common/reach_note.h"
#include "common/text_columns.h"
#include "common/trip_table.h"
#include "common/trips.h"
#include "common/write_in_order.h"
#include "examples/stand_ins.h"

namespace tsmini::cli::examples {

using tsmini::examples::show;
using tsmini::examples::use;

using Json = nlohmann::ordered_json;
using Path = std::filesystem::path;

void answers_example(const Trajectory& query, const std::vector<WrittenAnswer>& answers,
                     std::size_t width) {
#include "examples/common/answers.inc"
}

void assumptions_example(const Console& console, const CLI::App& verb, Json& facts) {
#include "examples/common/assumptions.inc"
}

void console_example(const std::vector<Path>& inputs, const Path& output,
                     const ImportOptions& options, bool quiet, const std::string& path) {
#include "examples/common/console.inc"
}

void error_of_example(const std::string& file, const Error& error) {
#include "examples/common/error_of.inc"
}

void fit_trips_example(CLI::App& verb, OnError on_error, const Dataset& data, const Model& model,
                       std::vector<std::size_t> indices, const std::string& file,
                       const Console& console) {
#include "examples/common/fit_trips.inc"
}

void laps_example(const Dataset& trips) {
#include "examples/common/laps.inc"
}

void measure_options_example(CLI::App& verb, const Trips& base_trips, const Trips& query_trips,
                             const Picking& picking, const Console& console) {
#include "examples/common/measure_options.inc"
}

void option_checks_example(CLI::App& verb, SearchMode& mode, std::string& measure, double& within) {
#include "examples/common/option_checks.inc"
}

void option_names_example() {
#include "examples/common/option_names.inc"
}

struct Arguments {
  std::string model, data, output, map;
};

void outputs_example(const Arguments& a) {
#include "examples/common/outputs.inc"
}

void own_ids_example(const NeighbourOptions& options, const MeasuredSet& queries,
                     const MeasuredSet& base) {
#include "examples/common/own_ids.inc"
}

void pace_example(double seconds, std::uint64_t done, std::uint64_t total) {
#include "examples/common/pace.inc"
}

void pick_options_example(CLI::App& verb, const Trips& trips) {
#include "examples/common/pick_options.inc"
}

namespace of_a_program {
#include "examples/common/program.inc"
}

void reach_note_example(const Console& console, const Model& model, const Dataset& data,
                        std::span<const std::size_t> indices) {
#include "examples/common/reach_note.inc"
}

void text_columns_example() {
#include "examples/common/text_columns.inc"
}

void trip_table_example(const MeasuredSet& trips,
                        const std::function<AttributeValue(std::size_t)>& cluster_of,
                        const Console& console) {
#include "examples/common/trip_table.inc"
}

void trips_example(const Picking& picking, const Console& console) {
#include "examples/common/trips.inc"
}

struct Lines {
  void add(std::string_view line);
};

void write_in_order_example(std::span<const Trajectory> queries, Lines& writer,
                            const std::function<double(const Trajectory&)>& answer,
                            const std::function<std::string(double)>& text_of) {
#include "examples/common/write_in_order.inc"
}

void answerer_example(const Collection& collection, const Dataset& queries,
                      const SearchRequest& request, const NeighbourOptions& wanted,
                      const Progress& progress, AnswerWriter& writer, const Console& console) {
#include "examples/tsmini/answerer.inc"
}

void finding_example(const CLI::App* verb, const FindingOptions& options,
                     const CommonOptions& common, std::span<const RouteLine> routes,
                     const TripTable& table, const Json& facts, const std::string& text,
                     const SearchWork& work) {
#include "examples/tsmini/finding.inc"
}

}  // namespace tsmini::cli::examples
