#include "data/clean_batch.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "tsmini/where.h"

#include "base/find_name.h"
#include "base/utf8.h"

namespace tsmini {
namespace {

Position swapped(const Position& p) {
  return {p.lat, p.lon};
}

// The runs of one column within one track.
class TrackColumn {
 public:
  // `near`: see run_of().
  TrackColumn(const ColumnRuns& runs, const Track& track, bool is_limited, std::size_t near)
      : runs_(runs), track_(track), first_(runs.run_of(track.begin, near)), end_(first_) {
    known_ = track.end - track.begin;
    while (end_ < runs.count() && runs.first_of(end_) < track.end) {
      if (is_limited && exceeds_limit(end_ - first_, begin_of(end_))) {
        known_ = begin_of(end_);
        break;
      }
      ++end_;
    }
  }

  bool is_constant() const { return end_ - first_ == 1 && known_ == track_.end - track_.begin; }
  std::size_t end_run() const { return end_; }

  // visit(text, begin, end) for each run, in points of the track.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t r = first_; r < end_; ++r) {
      visit(runs_.text_of(r), begin_of(r), r + 1 < end_ ? begin_of(r + 1) : known_);
    }
  }

  // The run whose value all these points of the track have; nothing where they differ.
  std::optional<std::size_t> common_run(std::span<const std::uint32_t> rows) const {
    if (is_constant() || rows.empty()) return first_;
    std::optional<std::size_t> common;
    std::size_t run = first_;  // that the last row was in, and its rows
    std::size_t begin = 0, end = 0;
    for (const std::size_t row : rows) {
      if (row >= begin && row < end) continue;
      if (row >= known_) return std::nullopt;
      run = runs_.run_of(track_.begin + row, run);
      if (common && runs_.text_of(run) != runs_.text_of(*common)) return std::nullopt;
      if (!common) common = run;
      begin = begin_of(run);
      end = run + 1 < end_ ? begin_of(run + 1) : known_;
    }
    return common;
  }

 private:
  std::size_t begin_of(std::size_t run) const {
    return std::max(runs_.first_of(run), track_.begin) - track_.begin;
  }

  const ColumnRuns& runs_;
  const Track& track_;
  std::size_t first_, end_;  // runs
  std::size_t known_ = 0;    // points of the track before the column was given up
};

class TrackCleaner {
 public:
  TrackCleaner(TrackBatch& batch, const RowColumns& columns, const ImportOptions& options,
               CleanedBatch& cleaned)
      : batch_(batch), columns_(columns), options_(options), cleaned_(cleaned) {
    for (Condition& condition : conditions_) {
      const auto number = columns.decimal_comma_in(condition.value, options.read);
      if (number) condition.number = number;
    }
  }

  void clean(std::size_t number) {
    number_ = number;
    const Track& track = batch_.tracks[number];
    note_times(track);
    find_values(track);
    const TrackPoints all = points_of(track);
    if (!order(all)) return;
    const std::vector<TrackPoints> wanted = wanted_parts(all);
    if (wanted.empty()) return drop(Drop::not_wanted);
    std::vector<TrackPoints> pieces;
    for (const TrackPoints& part : wanted) add_pieces(part, pieces);
    if (pieces.size() > 1) ++cleaned_.cut;
    if (pieces.empty()) drop(Drop::empty);  // one stay
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      keep_or_drop(pieces[k], pieces.size() > 1 ? std::optional(k) : std::nullopt);
    }
  }

 private:
  void note_times(const Track& track) {
    const bool needs_times =
        options_.clean.max_speed || options_.clean.thin || options_.cut.gap || options_.cut.stay;
    if (track.some_times && !track.has_times) ++cleaned_.incomplete_times;
    if (needs_times && !track.has_times) ++cleaned_.without_times;
  }

  void find_values(const Track& track) {
    values_.clear();
    next_run_.resize(columns_.columns.size());
    for (std::size_t c = 0; c < columns_.columns.size(); ++c) {
      const bool is_limited = !columns_.columns[c].is_needed;
      values_.emplace_back(batch_.columns[c], track, is_limited, next_run_[c]);
      next_run_[c] = values_.back().end_run() - 1;  // tracks mostly stand one behind the other
    }
  }

  TrackPoints points_of(const Track& track) {
    const std::size_t count = track.end - track.begin;
    TrackPoints all{std::span(batch_.points).subspan(track.begin, count), {}, {}};
    if (track.has_times) all.times = std::span(batch_.times).subspan(track.begin, count);
    const auto is_constant = [](const TrackColumn& column) { return column.is_constant(); };
    if (std::all_of(values_.begin(), values_.end(), is_constant)) return all;
    rows_.resize(count);
    std::iota(rows_.begin(), rows_.end(), std::uint32_t{0});
    all.rows = rows_;
    return all;
  }

  bool order(const TrackPoints& all) {
    const Order order = put_in_order(all, options_.clean.sort_by_time);
    if (order == Order::reversed) ++cleaned_.reversed;
    if (order != Order::broken) return true;
    const Track& track = batch_.tracks[number_];
    const std::size_t at = *find_disorder(all.times);
    batch_.problems.push_back(
        {track.line,
         fmt::format("times of '{}' go backwards at point {}: {} after {}",
                     printable(batch_.id_of(track)), at + 1, all.times[at], all.times[at - 1]),
         columns_.lack_ids
             ? "no column is known as the id, so all rows are one trip: name it with "
               "`columns=id=NAME`; if they are, add `sort_by_time` to order the points"
             : "add `sort_by_time` to order the points"});
    return false;
  }

  // The pieces between changes of the column to cut on, as far as they are wanted. None where
  // nothing is.
  std::vector<TrackPoints> wanted_parts(const TrackPoints& all) {
    if (options_.read.where.empty() && options_.read.cut_on.empty()) return {all};
    std::vector<TrackPoints> parts;
    if (columns_.columns.empty()) {
      if (is_wanted_trip()) parts.push_back(all);
      return parts;
    }
    mark_unwanted(all.size());
    for (const Stretch& stretch : cut_by_value(all)) {
      const TrackPoints part = without_unwanted(all.part(stretch));
      if (part.size() > 0) parts.push_back(part);
    }
    return parts;
  }

  bool is_wanted_trip() {
    batch_.attributes_of(batch_.tracks[number_], attributes_);
    bool fits = true;
    for (std::size_t k = 0; k < options_.read.where.size(); ++k) {
      const Condition& condition = options_.read.where[k];
      const auto found = find_name(attributes_, condition.column, &Attribute::name);
      if (found && attributes_[*found].name != condition.column) cleaned_.took_other_case[k] = 1;
      fits &= holds(condition, found ? attributes_[*found].value : AttributeValue());
    }
    return fits;
  }

  void mark_unwanted(std::size_t points) {
    is_unwanted_.assign(points, 0);
    for (std::size_t k = 0; k < columns_.where.size(); ++k) {
      const Condition& condition = conditions_[k];
      values_[columns_.where[k]].for_each(
          [&](std::string_view text, std::size_t begin, std::size_t end) {
            if (!holds_in_file(condition, text)) fill(is_unwanted_, begin, end, char{1});
          });
    }
  }

  bool holds_in_file(const Condition& condition, std::string_view text) const {
    const auto number = columns_.decimal_comma_in(text, options_.read);
    return number && condition.number ? holds(condition, *number) : holds_for_text(condition, text);
  }

  // Without rows all columns are constant, and it does not matter which row it is.
  static std::size_t row_of(const TrackPoints& track, std::size_t point) {
    return track.rows.empty() ? point : track.rows[point];
  }

  TrackPoints without_unwanted(const TrackPoints& part) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (is_unwanted_[row_of(part, i)] == 0) part.move(i, kept++);
    }
    cleaned_.unwanted += part.size() - kept;
    return part.part({0, kept});
  }

  std::vector<Stretch> cut_by_value(const TrackPoints& all) {
    std::vector<Stretch> result;
    std::size_t begin = 0;
    if (columns_.cut_on && !all.rows.empty()) {
      number_values(values_[*columns_.cut_on], all.size());
      for (std::size_t i = 1; i < all.size(); ++i) {
        if (number_of_[all.rows[i]] == number_of_[all.rows[i - 1]]) continue;
        result.push_back({begin, i});
        begin = i;
      }
    }
    result.push_back({begin, all.size()});
    return result;
  }

  // Equal values have equal numbers.
  void number_values(const TrackColumn& column, std::size_t points) {
    std::map<std::string_view, std::uint32_t> numbers;
    number_of_.resize(points);
    column.for_each([&](std::string_view text, std::size_t begin, std::size_t end) {
      const auto next = static_cast<std::uint32_t>(numbers.size());
      fill(number_of_, begin, end, numbers.try_emplace(text, next).first->second);
    });
  }

  template <class T>
  static void fill(std::vector<T>& values, std::size_t begin, std::size_t end, T value) {
    std::fill(values.begin() + static_cast<std::ptrdiff_t>(begin),
              values.begin() + static_cast<std::ptrdiff_t>(end), value);
  }

  void add_pieces(const TrackPoints& part, std::vector<TrackPoints>& pieces) {
    const bool planar = options_.read.planar;
    const TrackPoints left = clean_points(part, options_.clean, planar, cleaned_.removed);
    for (const Stretch& s : cut_points(left.points, left.times, options_.cut, planar)) {
      pieces.push_back(left.part(s));
    }
  }

  void drop(Drop reason) { ++batch_.dropped[static_cast<std::size_t>(reason)]; }

  void keep_or_drop(const TrackPoints& piece, std::optional<std::size_t> number) {
    const CleanOptions& clean = options_.clean;
    const auto reason = reason_to_drop(piece.points, piece.times, clean, options_.read.planar);
    if (reason) {
      drop(*reason);
      if (*reason == Drop::outside_box && clean.bbox->contains(swapped(piece.points.front()))) {
        ++cleaned_.swapped_in_box;
      }
      return;
    }
    const auto begin = static_cast<std::size_t>(piece.points.data() - batch_.points.data());
    const std::size_t values = cleaned_.values.size();
    add_values(piece);
    cleaned_.pieces.push_back(
        {number_, number, {begin, begin + piece.size()}, values, cleaned_.values.size()});
  }

  void add_values(const TrackPoints& piece) {
    for (std::size_t c = 0; c < values_.size(); ++c) {
      if (!columns_.columns[c].is_attribute) continue;
      const auto run = values_[c].common_run(piece.rows);
      if (!run) {
        ++cleaned_.changes[c];
      } else if (!batch_.columns[c].text_of(*run).empty()) {
        cleaned_.values.push_back({c, *run});
      }
    }
  }

  TrackBatch& batch_;
  const RowColumns& columns_;
  const ImportOptions& options_;
  CleanedBatch& cleaned_;
  std::vector<Condition> conditions_ = options_.read.where;  // with numbers as the file has them

  std::vector<std::size_t> next_run_;  // for each column where that of the next track may be

  // What is known of the track that is being cleaned.
  std::size_t number_ = 0;
  std::vector<TrackColumn> values_;
  std::vector<std::uint32_t> rows_;
  std::vector<char> is_unwanted_;         // for each row
  std::vector<std::uint32_t> number_of_;  // of the value to cut on, for each row
  std::vector<Attribute> attributes_;
};

}  // namespace

void clean_batch(TrackBatch& batch, const RowColumns& columns, const ImportOptions& options,
                 CleanedBatch& cleaned) {
  cleaned = {};
  cleaned.changes.resize(columns.columns.size());
  cleaned.took_other_case.resize(options.read.where.size());
  TrackCleaner cleaner(batch, columns, options, cleaned);
  for (std::size_t t = 0; t < batch.tracks.size(); ++t) cleaner.clean(t);
}

}  // namespace tsmini
