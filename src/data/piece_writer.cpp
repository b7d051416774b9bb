#include "data/piece_writer.h"

#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/utf8.h"
#include "data/attribute_names.h"
#include "data/part_attribute.h"

namespace tsmini {

std::optional<Problem> PieceWriter::write(const TrackBatch& batch, const RowColumns& columns,
                                          const CleanedBatch& cleaned, const Piece& piece) {
  const Track& track = batch.tracks[piece.track];
  gather_attributes(batch, columns, cleaned, piece);
  Part part = track.part;
  if (const auto wrong = take_part(attributes_, part)) {
    return Problem{
        track.line,
        fmt::format("'{}' is '{}', which is no part of a split", part_attribute, printable(*wrong)),
        "it must be train, validation or test; if it means something else, give the "
        "column or property another name (of CSV: `columns=NAME=COLUMN`)"};
  }
  if (part != track.part) tally_.keep(part_attribute);
  keep_wanted_attributes();
  id_ = batch.id_of(track);
  if (piece.number) id_ += fmt::format("_{}", *piece.number);
  ids_.add(id_);
  const std::size_t size = piece.points.end - piece.points.begin;
  Trajectory trajectory;
  trajectory.id = id_;
  trajectory.points = std::span(batch.points).subspan(piece.points.begin, size);
  if (track.has_times) {
    trajectory.times = std::span(batch.times).subspan(piece.points.begin, size);
  }
  writer_.add(trajectory, attributes_);
  if (part != Part::none) {
    parts_.resize(writer_.size(), Part::none);
    parts_.back() = part;
  }
  return std::nullopt;
}

std::vector<Part> PieceWriter::take_parts() {
  if (!parts_.empty()) parts_.resize(writer_.size(), Part::none);
  return std::move(parts_);
}

// What the file says of the trajectory, into `attributes_`; valid until the next call.
void PieceWriter::gather_attributes(const TrackBatch& batch, const RowColumns& columns,
                                    const CleanedBatch& cleaned, const Piece& piece) {
  batch.attributes_of(batch.tracks[piece.track], attributes_);
  mended_.clear();
  for (std::size_t i = piece.values_begin; i < piece.values_end; ++i) {
    const PieceValue& value = cleaned.values[i];
    std::string_view text = batch.columns[value.column].text_of(value.run);
    if (!is_utf8(text)) text = mended_.emplace_back(as_utf8(text));
    const bool has_comma = columns.decimal_comma_in(text, options_).has_value();
    attributes_.push_back({columns.columns[value.column].name, text, true, has_comma});
  }
}

void PieceWriter::keep_wanted_attributes() {
  std::erase_if(attributes_, [&](const Attribute& a) { return !is_wanted(a.name, options_); });
  for (const Attribute& attribute : attributes_) {
    if (has_value(attribute.value)) tally_.keep(attribute.name);
  }
}

}  // namespace tsmini
