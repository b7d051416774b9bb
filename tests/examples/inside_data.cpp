// The examples of private headers about files, data sets, the synthetic city and maps.
#include <array>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tsmini/attributes.h"
#include "tsmini/dataset.h"
#include "tsmini/error.h"

#include "base/array.h"
#include "base/byte_source.h"
#include "base/checked_bytes.h"
#include "base/checksum.h"
#include "base/csv_text.h"
#include "base/enum_names.h"
#include "base/file.h"
#include "base/find_name.h"
#include "base/in_order.h"
#include "base/json.h"
#include "base/npy.h"
#include "base/nth_smallest.h"
#include "base/pulse.h"
#include "base/random.h"
#include "base/safetensors.h"
#include "base/sampling.h"
#include "base/section_file.h"
#include "base/section_header.h"
#include "base/stopwatch.h"
#include "base/system_reason.h"
#include "base/text_sink.h"
#include "base/time_format.h"
#include "base/timing.h"
#include "city/network.h"
#include "city/places.h"
#include "city/plane.h"
#include "city/point_grid.h"
#include "city/routes.h"
#include "city/terrain.h"
#include "city/trips.h"
#include "data/attribute_collector.h"
#include "data/attribute_json.h"
#include "data/attribute_types.h"
#include "data/column_runs.h"
#include "data/json_properties.h"
#include "data/spill.h"
#include "data/track_batch.h"
#include "draw/axis.h"
#include "draw/bars.h"
#include "draw/chart_parts.h"
#include "draw/extent.h"
#include "draw/letters.h"
#include "draw/png.h"
#include "draw/raster.h"
#include "draw/stroke.h"
#include "draw/surface.h"
#include "draw/svg.h"
#include "draw/svg_surface.h"
#include "draw/trip_code.h"
#include "examples/stand_ins.h"
#include "geo/ground_distance.h"
#include "geo/local_transverse_mercator.h"
#include "geo/transverse_mercator.h"

namespace tsmini::examples {

using Bytes = std::span<const std::byte>;
using Path = std::filesystem::path;

void array_example(std::size_t count, const std::shared_ptr<const CheckedBytes>& section) {
#include "examples/base/array.inc"
}

void byte_source_example(const std::function<void(std::string_view)>& consume) {
#include "examples/base/byte_source.inc"
}

void checked_bytes_example(const CheckedBytes& bytes, std::size_t first, std::size_t size) {
#include "examples/base/checked_bytes.inc"
}

void checksum_example(Bytes bytes, std::string_view id, Bytes points) {
#include "examples/base/checksum.inc"
}

void csv_text_example() {
#include "examples/base/csv_text.inc"
}

namespace with_pools {
#include "examples/base/enum_names.inc"
}

void file_example(const Path& path, const char* data, std::size_t size) {
#include "examples/base/file.inc"
}

void find_name_example(const std::vector<Attribute>& attributes) {
#include "examples/base/find_name.inc"
}

struct Lines {
  void add(std::string_view line);
};

void in_order_example(std::span<const Trajectory> queries, Lines& writer,
                      const std::function<double(const Trajectory&)>& answer,
                      const std::function<std::string(double)>& text_of) {
#include "examples/base/in_order.inc"
}

void json_example(std::string_view text) {
#include "examples/base/json.inc"
}

void npy_example(const Path& path, std::size_t rows, std::size_t columns, std::size_t row,
                 std::size_t column) {
#include "examples/base/npy.inc"
}

void pulse_example(const Heartbeat& heartbeat, std::size_t rows, std::size_t columns,
                   const std::function<void(std::size_t)>& fill_row) {
#include "examples/base/pulse.inc"
}

void random_example(std::uint64_t seed, std::uint64_t trip_number) {
#include "examples/base/random.inc"
}

void safetensors_example(const Path& path, std::span<const float> values) {
#include "examples/base/safetensors.inc"
}

double nth_smallest_example(std::vector<double> times) {
#include "examples/base/nth_smallest.inc"
  return typical;
}

void sampling_example(std::span<const Trajectory> trips, std::uint64_t seed,
                      const std::function<void(const Trajectory&)>& look_at) {
#include "examples/base/sampling.inc"
}

void section_file_example(const Path& path, const SectionFileKind& kind,
                          const std::array<std::byte, section_fields_size>& fields,
                          const std::vector<float>& rows, std::uint64_t count) {
#include "examples/base/section_file.inc"
}

void section_header_example(const SectionFileKind& kind, const std::string& name, Bytes bytes) {
  using Header = SectionFileHeader;
#include "examples/base/section_header.inc"
}

struct Summary {
  double embed_seconds, query_seconds;
};

void stopwatch_example(const Dataset& trips, Summary& summary,
                       const std::function<void(const Dataset&)>& embed,
                       const std::function<void(const Dataset&)>& search) {
#include "examples/base/stopwatch.inc"
}

void system_reason_example(const std::string& path) {
#include "examples/base/system_reason.inc"
}

void text_sink_example() {
#include "examples/base/text_sink.inc"
}

void time_format_example() {
#include "examples/base/time_format.inc"
}

void timing_example(double pairs, const std::function<void(double)>& measure_all) {
#include "examples/base/timing.inc"
}

void ground_distance_example(const Position& a, const Position& b) {
#include "examples/geo/ground_distance.inc"
}

void local_transverse_mercator_example() {
#include "examples/geo/local_transverse_mercator.inc"
}

void transverse_mercator_example() {
#include "examples/geo/transverse_mercator.inc"
}

void network_example(std::uint32_t node, const std::function<void(std::uint32_t, double)>& visit) {
  using namespace city;
#include "examples/city/network.inc"
}

void places_example(const city::Network& network, std::uint64_t seed, Random& random) {
  using namespace city;
#include "examples/city/places.inc"
}

void plane_example() {
  using namespace city;
#include "examples/city/plane.inc"
}

void point_grid_example() {
  using namespace city;
#include "examples/city/point_grid.inc"
}

void routes_example(const city::Network& network, std::uint32_t from, std::uint32_t to,
                    std::uint64_t taste) {
  using namespace city;
#include "examples/city/routes.inc"
}

void terrain_example(Random& random, city::Point p,
                     const std::function<void(city::Point, double)>& build) {
  using namespace city;
#include "examples/city/terrain.inc"
}

void trips_example(const city::Router& router, const city::Places& places,
                   const CityOptions& options) {
  using namespace city;
#include "examples/city/trips.inc"
}

void attribute_collector_example(const Path& path, const Trajectory& trip,
                                 std::span<const Attribute> attributes) {
#include "examples/data/attribute_collector.inc"
}

void attribute_json_example(std::span<const Attribute> attributes) {
#include "examples/data/attribute_json.inc"
}

void attribute_types_example(std::span<const Attribute> values) {
#include "examples/data/attribute_types.inc"
}

void column_runs_example() {
#include "examples/data/column_runs.inc"
}

void json_properties_example(std::string_view key, simdjson::ondemand::value value,
                             TrackBuilder& builder) {
#include "examples/data/json_properties.inc"
}

void spill_example(const Path& path, std::string_view record) {
#include "examples/data/spill.inc"
}

void track_batch_example(TrackBuilder& builder, std::uint64_t line, double lon, double lat,
                         std::int64_t t, std::string_view id) {
#include "examples/data/track_batch.inc"
}

void axis_example() {
#include "examples/draw/axis.inc"
}

void bars_example() {
#include "examples/draw/bars.inc"
}

void chart_parts_example() {
#include "examples/draw/chart_parts.inc"
}

void extent_example(const Trajectory& trip) {
#include "examples/draw/extent.inc"
}

void letters_example(Stroker& stroker, double middle, double y) {
#include "examples/draw/letters.inc"
}

void raster_example() {
#include "examples/draw/raster.inc"
}

void stroke_example(Image& image, const Rgb& colour) {
#include "examples/draw/stroke.inc"
}

void surface_example(const Rgb& ink) {
#include "examples/draw/surface.inc"
}

void svg_example() {
#include "examples/draw/svg.inc"
}

void trip_code_example(const Box& extent, const Dataset& data, std::string& page) {
#include "examples/draw/trip_code.inc"
}

}  // namespace tsmini::examples
