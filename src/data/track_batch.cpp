#include "data/track_batch.h"

#include <utility>

#include <fmt/format.h>

#include "base/csv_text.h"
#include "base/text.h"
#include "base/utf8.h"
#include "data/attribute_collector.h"
#include "data/csv_fields.h"

namespace tsmini {
namespace {

constexpr std::string_view bad_id = "the id is not UTF-8 text";
constexpr std::string_view bad_id_hint = "convert the file, for example: iconv -f latin1 -t utf-8";

}  // namespace

void TrackBatch::clear() {
  text.clear();
  records.clear();
  first_of_file = false;
  points.clear();
  times.clear();
  ids.clear();
  tracks.clear();
  attributes.clear();
  attribute_text.clear();
  for (ColumnRuns& column : columns) column.clear();
  problems.clear();
  dropped.fill(0);
  lines = 0;
  bytes = 0;
}

std::optional<double> RowColumns::decimal_comma_in(std::string_view value,
                                                   const ReadOptions& options) const {
  return has_decimal_commas ? decimal_comma_from(value, options.planar) : std::nullopt;
}

void TrackBatch::attributes_of(const Track& track, std::vector<Attribute>& found) const {
  found.clear();
  const std::string_view all = attribute_text;
  for (std::size_t i = track.attributes_begin; i < track.attributes_end; ++i) {
    const TrackAttribute& a = attributes[i];
    const bool is_text = std::holds_alternative<std::string_view>(a.value);
    found.push_back({all.substr(a.name_begin, a.name_size),
                     is_text ? AttributeValue(all.substr(a.text_begin, a.text_size)) : a.value,
                     a.is_untyped});
  }
}

std::string part_id(std::string_view id, std::size_t part) {
  return id.empty() ? std::string() : fmt::format("{}_{}", id, part);
}

Problem describe_bad_position(const Position& p, const ReadOptions& options) {
  Problem problem;
  if (!std::isfinite(p.lon) || !std::isfinite(p.lat)) {
    problem.what = fmt::format("({}, {}) is not a position: not a finite number", p.lon, p.lat);
  } else if (is_position({p.lat, p.lon}, options)) {
    problem.what = fmt::format("latitude {} is outside [-90, 90]", p.lat);
    problem.hint = options.swap_lonlat ? "without `swap_lonlat` it would be in range"
                                       : "longitude and latitude look swapped: try `swap_lonlat`";
  } else {
    problem.what = fmt::format("({}, {}) is not a longitude and latitude in degrees", p.lon, p.lat);
    problem.hint = "if the coordinates are metres or another plane, add `planar`";
  }
  return problem;
}

void TrackBuilder::begin(std::uint64_t line) {
  line_ = line;
  begin_ = batch_.points.size();
  attributes_begin_ = batch_.attributes.size();
  lost_times_ = false;
  has_too_many_ = false;
}

void TrackBuilder::add_attribute(const Attribute& attribute) {
  TrackAttribute* added = has_too_many_ ? nullptr : place_for(attribute.name);
  if (added == nullptr) return;
  added->value = attribute.value;
  added->is_untyped = attribute.is_untyped;
  if (const auto* value = std::get_if<std::string_view>(&attribute.value)) {
    added->text_begin = batch_.attribute_text.size();
    added->text_size = value->size();
    batch_.attribute_text += *value;
    added->value = std::string_view();
  }
}

TrackAttribute* TrackBuilder::place_for(std::string_view name) {
  std::string& text = batch_.attribute_text;
  for (std::size_t i = attributes_begin_; i < batch_.attributes.size(); ++i) {
    TrackAttribute& earlier = batch_.attributes[i];
    if (std::string_view(text).substr(earlier.name_begin, earlier.name_size) == name) {
      return &earlier;
    }
  }
  has_too_many_ = batch_.attributes.size() - attributes_begin_ == AttributeCollector::max_columns;
  if (has_too_many_) return nullptr;
  TrackAttribute& added = batch_.attributes.emplace_back();
  added.name_begin = text.size();
  added.name_size = name.size();
  text += name;
  return &added;
}

void add_untyped(std::string_view name, std::string_view text, TrackBuilder& builder) {
  if (text.empty()) return;
  const bool is_plain = text.find('"') == std::string_view::npos && is_utf8(text);
  if (is_plain) return builder.add_attribute({name, text, true});
  const std::string mended = as_utf8(unquoted(text));
  builder.add_attribute({name, std::string_view(mended), true});
}

bool TrackBuilder::add(double lon, double lat) {
  if (options_.swap_lonlat) std::swap(lon, lat);
  const Position position{lon, lat};
  if (!is_position(position, options_)) [[unlikely]] {
    Problem problem = describe_bad_position(position, options_);
    reject(std::move(problem.what), std::move(problem.hint));
    return false;
  }
  batch_.points.push_back(position);
  return true;
}

void TrackBuilder::end(std::string_view id, Part part) {
  const std::size_t count = batch_.points.size() - begin_;
  const std::size_t time_count = batch_.times.size() - begin_;
  if (time_count != 0 && time_count != count) {
    return reject(fmt::format("{} times for {} points", time_count, count));
  }
  if (!is_utf8(id)) return reject(std::string(bad_id), std::string(bad_id_hint));
  if (has_too_many_) {
    return reject(fmt::format("more than {} attributes of one trip",
                              with_thousands(AttributeCollector::max_columns)),
                  "put what has so many names into one, as text");
  }
  if (count == 0) return drop(Drop::empty);
  Track track;
  track.line = line_;
  track.id_begin = batch_.ids.size();
  track.id_size = id.size();
  track.begin = begin_;
  track.end = batch_.points.size();
  track.has_times = time_count != 0;
  track.some_times = track.has_times || lost_times_;
  track.part = part;
  track.attributes_begin = attributes_begin_;
  track.attributes_end = batch_.attributes.size();
  batch_.ids += id;
  batch_.times.resize(batch_.points.size());
  batch_.tracks.push_back(track);
}

void TrackBuilder::drop(Drop reason) {
  rewind();
  ++batch_.dropped[static_cast<std::size_t>(reason)];
}

void TrackBuilder::reject(std::string what, std::string hint) {
  rewind();
  batch_.problems.push_back({line_, std::move(what), std::move(hint)});
}

void TrackBuilder::rewind() {
  batch_.points.resize(begin_);
  batch_.times.resize(begin_);
  batch_.attributes.resize(attributes_begin_);
}

void TrackBuilder::add_row(std::uint64_t line, std::string_view id, double lon, double lat,
                           const std::optional<std::int64_t>& time,
                           std::span<const std::string_view> values) {
  if (options_.swap_lonlat) std::swap(lon, lat);
  const Position position{lon, lat};
  if (!is_position(position, options_)) [[unlikely]] {
    Problem problem = describe_bad_position(position, options_);
    return reject_row(line, std::move(problem.what), std::move(problem.hint));
  }
  if (batch_.tracks.empty() || batch_.id_of(batch_.tracks.back()) != id) {
    if (!is_utf8(id)) return reject_row(line, std::string(bad_id), std::string(bad_id_hint));
    Track track;
    track.line = line;
    track.id_begin = batch_.ids.size();
    track.id_size = id.size();
    track.begin = batch_.points.size();
    track.has_times = true;
    batch_.ids += id;
    batch_.tracks.push_back(track);
  }
  Track& track = batch_.tracks.back();
  if (batch_.columns.size() < values.size()) batch_.columns.resize(values.size());
  for (std::size_t c = 0; c < values.size(); ++c) {
    batch_.columns[c].add(batch_.points.size(), values[c]);
  }
  batch_.points.push_back(position);
  batch_.times.push_back(time.value_or(0));
  track.has_times &= time.has_value();
  track.some_times |= time.has_value();
  track.end = batch_.points.size();
}

void TrackBuilder::reject_row(std::uint64_t line, std::string what, std::string hint) {
  batch_.problems.push_back({line, std::move(what), std::move(hint)});
}

}  // namespace tsmini
