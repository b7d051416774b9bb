#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "measure/search_tables.h"

namespace tsmini {
namespace {

constexpr SectionFileKind file_kind{
    .magic = {'T', 'S', 'E', 'X', 'A', 'C', '\r', '\n'},
    .version = 1,
    .without_blocks = 0,
    .called = "a file of exact search",
    .noun = "file of exact search",
    .make_again = "make the file of exact search again",
    .convert = "make the file of exact search again",
};

struct Fields {
  std::uint64_t trips = 0;
  std::uint64_t points = 0;
  std::uint64_t longest = 0;
  double origin_x = 0, origin_y = 0;
  double extent = 0;
  std::array<char, 64> owner{};  // padded with zeros
};
static_assert(sizeof(Fields) == section_fields_size);

constexpr std::string_view rows_section = "rows", order_section = "order",
                           offsets_section = "offsets", points_section = "points",
                           reach_section = "reach", reach_hulls_section = "reachhul",
                           boxes_section = "boxes", box_hulls_section = "boxhulls",
                           paths_section = "paths", path_hulls_section = "pathhuls";

std::size_t blocks_of(std::size_t count) {
  return (count + bound_lanes - 1) / bound_lanes;
}

}  // namespace

void SearchTablesFile::save(const std::filesystem::path& path, const SearchTables& tables,
                            std::span<const std::int64_t> rows, std::string_view owner) {
  Fields fields;
  if (owner.size() > fields.owner.size()) {
    throw Error(ErrorCode::usage, fmt::format("an owner of {} bytes", owner.size()),
                fmt::format("it has at most {}", fields.owner.size()), "owner");
  }
  owner.copy(fields.owner.data(), owner.size());
  fields.trips = tables.size();
  fields.points = tables.points.size();
  fields.longest = tables.longest;
  fields.origin_x = tables.origin.x;
  fields.origin_y = tables.origin.y;
  fields.extent = tables.extent;
  SectionWriter file(path);
  file.add(rows_section, rows);
  file.begin(order_section);
  file.append(std::as_bytes(tables.order.values()));
  file.append(std::as_bytes(tables.places.values()));
  file.end();
  file.add(offsets_section, tables.offsets.values());
  file.add(points_section, tables.points.values());
  file.add(reach_section, tables.reach.values());
  file.add(reach_hulls_section, tables.reach_hulls.values());
  file.add(boxes_section, tables.boxes.values());
  file.add(box_hulls_section, tables.box_hulls.values());
  file.add(paths_section, tables.paths.values());
  file.add(path_hulls_section, tables.path_hulls.values());
  file.finish(file_kind, fields);
}

SearchTablesFile::SearchTablesFile(const std::filesystem::path& path) : file_(path, file_kind) {
  const auto fields = file_.fields<Fields>();
  if (fields.trips == 0 || fields.trips >= UINT32_MAX || fields.points > UINT64_MAX / 64 ||
      !std::isfinite(fields.origin_x) || !std::isfinite(fields.origin_y) ||
      !(fields.extent >= 0 && std::isfinite(fields.extent))) {
    file_.refuse("the header makes no sense");
  }
  owner_ = {fields.owner.data(), ::strnlen(fields.owner.data(), fields.owner.size())};
  tables_.origin = {fields.origin_x, fields.origin_y};
  tables_.extent = fields.extent;
  tables_.longest = fields.longest;
  const std::size_t trips = fields.trips, blocks = blocks_of(trips), hulls = blocks_of(blocks);
  rows_ = file_.mapped<std::int64_t>(rows_section, trips);
  tables_.order = file_.mapped<std::uint32_t>(order_section, 2 * trips, 0, trips);
  tables_.places = file_.mapped<std::uint32_t>(order_section, 2 * trips, trips, trips);
  tables_.offsets = file_.mapped<std::uint64_t>(offsets_section, trips + 1);
  tables_.points = file_.mapped<SinglePoint>(points_section, fields.points);
  tables_.reach = file_.mapped<ReachBlock>(reach_section, blocks);
  tables_.reach_hulls = file_.mapped<ReachHulls>(reach_hulls_section, hulls);
  tables_.boxes = file_.mapped<BoxBlock>(boxes_section, blocks);
  tables_.box_hulls = file_.mapped<BoxBlock>(box_hulls_section, hulls);
  tables_.paths = file_.mapped<PathBlock>(paths_section, blocks);
  tables_.path_hulls = file_.mapped<PathBlock>(path_hulls_section, hulls);
}

void SearchTablesFile::verify() const {
  file_.verify();
  const auto order = tables_.order.values(), places = tables_.places.values();
  const auto offsets = tables_.offsets.values();
  bool sound = offsets.front() == 0 && offsets.back() == tables_.points.size();
  for (std::size_t place = 0; sound && place < order.size(); ++place) {
    const std::uint64_t length = offsets[place + 1] - offsets[place];
    sound = order[place] < places.size() && places[order[place]] == place &&
            offsets[place] < offsets[place + 1] && length <= tables_.longest;
  }
  if (!sound) file_.refuse("its numbers lead nowhere");
}

}  // namespace tsmini
