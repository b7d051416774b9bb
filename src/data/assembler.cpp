#include "data/assembler.h"

#include <utility>

#include <fmt/format.h>

namespace tsmini {

void Assembler::assemble(TrackBatch& batch, bool end_of_file) {
  for (Track& track : batch.tracks) track.line += lines_;
  for (Problem& problem : batch.problems) problem.line += lines_;
  lines_ += batch.lines;
  if (reader_.has_rows()) {
    if (rows_ == Rows::consecutive) {
      hold_back_last(batch, end_of_file);
    } else {
      collect(batch, end_of_file);
    }
  }
  name_and_number(batch);
}

void Assembler::extend(OpenTrack& open, const TrackBatch& batch, const Track& track) const {
  const auto& columns = reader_.row_columns().columns;
  open.columns.resize(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto append =
        columns[c].is_needed ? &ColumnRuns::append : &ColumnRuns::append_within_limit;
    (open.columns[c].*append)(batch.columns[c], track.begin, track.end, open.points.size());
  }
  const auto begin = static_cast<std::ptrdiff_t>(track.begin);
  const auto end = static_cast<std::ptrdiff_t>(track.end);
  open.points.insert(open.points.end(), batch.points.begin() + begin, batch.points.begin() + end);
  open.times.insert(open.times.end(), batch.times.begin() + begin, batch.times.begin() + end);
  open.has_times &= track.has_times;
  open.some_times |= track.some_times;
}

Track Assembler::append(const OpenTrack& open, TrackBatch& batch) {
  Track track;
  track.line = open.line;
  track.has_times = open.has_times;
  track.some_times = open.some_times;
  track.id_begin = batch.ids.size();
  track.id_size = open.id.size();
  track.begin = batch.points.size();
  batch.ids += open.id;
  batch.columns.resize(open.columns.size());
  for (std::size_t c = 0; c < open.columns.size(); ++c) {
    batch.columns[c].append(open.columns[c], 0, open.points.size(), track.begin);
  }
  batch.points.insert(batch.points.end(), open.points.begin(), open.points.end());
  batch.times.insert(batch.times.end(), open.times.begin(), open.times.end());
  track.end = batch.points.size();
  return track;
}

void Assembler::hold_back_last(TrackBatch& batch, bool end_of_file) {
  std::vector<Track> complete;
  complete.reserve(batch.tracks.size() + 1);
  const auto close_open = [&] {
    if (!is_open_) return;
    complete.push_back(append(open_, batch));
    is_open_ = false;
  };
  for (std::size_t i = 0; i < batch.tracks.size(); ++i) {
    const Track& track = batch.tracks[i];
    const std::string id(batch.id_of(track));
    if (is_open_ && open_.id == id) {
      extend(open_, batch, track);
      continue;
    }
    close_open();
    if (!closed_.insert(id).second) throw ScatteredRows{id, track.line};
    if (i + 1 < batch.tracks.size()) {
      complete.push_back(track);
    } else {
      open_ = {id, track.line, true, false, {}, {}, {}};
      extend(open_, batch, track);
      is_open_ = true;
    }
  }
  if (end_of_file) close_open();
  batch.tracks = std::move(complete);
}

void Assembler::collect(TrackBatch& batch, bool end_of_file) {
  for (const Track& track : batch.tracks) {
    const auto [found, is_new] =
        collected_index_.try_emplace(std::string(batch.id_of(track)), collected_.size());
    if (is_new) collected_.push_back({found->first, track.line, true, false, {}, {}, {}});
    extend(collected_[found->second], batch, track);
  }
  batch.tracks.clear();
  if (!end_of_file) return;
  for (OpenTrack& open : collected_) {
    batch.tracks.push_back(append(open, batch));
    open = {};
  }
  collected_.clear();
}

void Assembler::name_and_number(TrackBatch& batch) {
  for (Track& track : batch.tracks) {
    if (track.id_size > 0) continue;
    const std::string name =
        reader_.is_one_track() ? stem_ : fmt::format("{}-{}", stem_, ++unnamed_);
    track.id_begin = batch.ids.size();
    track.id_size = name.size();
    batch.ids += name;
  }
}

}  // namespace tsmini
