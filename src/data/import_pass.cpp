#include "data/import_pass.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include "tsmini/error.h"

#include "base/text.h"
#include "data/clean.h"
#include "data/input_files.h"
#include "data/part_attribute.h"

namespace tsmini {
namespace {

constexpr std::size_t max_bad_examples = 5;

// A trajectory as it will be written.
struct Piece {
  std::size_t track = 0;
  std::optional<std::size_t> number;  // where the track was cut
  Stretch points;
};

Position swapped(const Position& p) {
  return {p.lat, p.lon};
}

// One batch on its way through the import.
struct Work {
  std::shared_ptr<InputFile> input;
  bool end_of_file = false;
  std::string file_problem;  // the file could not be read on; its hint follows
  std::string file_hint;
  std::uint64_t consumed = 0;

  TrackBatch batch;
  std::uint64_t tracks = 0;
  std::vector<Piece> pieces;
  CleanCounts removed;
  std::uint64_t cut = 0;
  std::uint64_t incomplete_times = 0;
  std::uint64_t without_times = 0;
  std::uint64_t swapped_in_box = 0;

  void clear() {
    input.reset();
    end_of_file = false;
    file_problem.clear();
    file_hint.clear();
    batch.clear();
    tracks = 0;
    pieces.clear();
    removed = {};
    cut = 0;
    incomplete_times = 0;
    without_times = 0;
    swapped_in_box = 0;
  }
};

// Batches that are used again, so that their memory is too.
class WorkPool {
 public:
  Work* take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return all_.emplace_back(std::make_unique<Work>()).get();
    Work* work = free_.back();
    free_.pop_back();
    return work;
  }
  void give_back(Work* work) {
    work->clear();
    const std::lock_guard lock(mutex_);
    free_.push_back(work);
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Work>> all_;
  std::vector<Work*> free_;
};

// The stages of one pass over the input: fill, parse, assemble, clean, write. fill, assemble and
// write run one batch at a time and in order; parse and clean run on all cores.
class ImportPass {
 public:
  ImportPass(const std::vector<std::filesystem::path>& files, const ImportOptions& options,
             Rows rows, DatasetWriter& writer, const Progress& progress)
      : files_(files),
        options_(options),
        rows_(rows),
        writer_(writer),
        progress_(progress),
        total_(total_size(files)) {}

  PassResult run() {
    using tbb::filter_mode;
    const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
    const auto parsed = tbb::make_filter<void, Work*>(filter_mode::serial_in_order,
                                                      [&](tbb::flow_control& flow) {
                                                        Work* work = fill();
                                                        if (work == nullptr) flow.stop();
                                                        return work;
                                                      }) &
                        tbb::make_filter<Work*, Work*>(filter_mode::parallel, [&](Work* work) {
                          if (work->input) work->input->reader->parse(work->batch);
                          return work;
                        });
    const auto cleaned = tbb::make_filter<Work*, Work*>(filter_mode::serial_in_order,
                                                        [&](Work* work) {
                                                          if (work->input) assemble(*work);
                                                          return work;
                                                        }) &
                         tbb::make_filter<Work*, Work*>(filter_mode::parallel, [&](Work* work) {
                           clean(*work);
                           return work;
                         });
    const auto written =
        tbb::make_filter<Work*, void>(filter_mode::serial_in_order, [&](Work* work) {
          write(*work);
          pool_.give_back(work);
        });
    tbb::parallel_pipeline(2 * threads + 2, parsed & cleaned & written);
    if (!parts_.empty()) parts_.resize(writer_.size(), Part::none);
    return {std::move(summary_), std::move(parts_), std::move(origins_)};
  }

 private:
  // The next batch of the present file, or of the next one; null after the last.
  Work* fill() {
    if (!input_ && next_file_ == files_.size()) return nullptr;
    Work* work = pool_.take();
    try {
      if (!input_) open_next();
      work->end_of_file = !input_->reader->fill(work->batch);
    } catch (const Misread&) {
      throw;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::bad_input) throw;
      work->batch.clear();  // half filled
      work->file_problem = error.what();
      work->file_hint = error.hint();
      work->end_of_file = true;
    }
    work->input = input_;
    work->consumed = consumed_ + (input_ ? input_->source.consumed() : 0);
    if (work->end_of_file) {
      consumed_ = work->consumed;
      input_.reset();
    }
    return work;
  }

  void open_next() {
    input_ = std::make_shared<InputFile>(files_[next_file_++], options_.read, rows_,
                                         [this] { tell(std::nullopt); });
    const std::string provenance = input_->reader->provenance();
    if (!provenance.empty()) {
      origins_.push_back({std::filesystem::path(input_->source.name()).filename(), provenance});
    }
  }

  static void assemble(Work& work) {
    TrackBatch& batch = work.batch;
    work.input->assembler.assemble(batch, work.end_of_file);
    work.tracks = std::accumulate(batch.dropped.begin(), batch.dropped.end(), batch.tracks.size());
    // A bad row is not a track, a bad record of the other formats is.
    if (!work.input->reader->has_rows()) work.tracks += batch.problems.size();
  }

  void clean(Work& work) const {
    TrackBatch& batch = work.batch;
    const bool planar = options_.read.planar;
    const bool needs_times =
        options_.clean.max_speed || options_.clean.thin || options_.cut.gap || options_.cut.stay;
    for (std::size_t t = 0; t < batch.tracks.size(); ++t) {
      Track& track = batch.tracks[t];
      std::span<Position> points =
          std::span(batch.points).subspan(track.begin, track.end - track.begin);
      std::span<std::int64_t> times;
      if (track.has_times) times = std::span(batch.times).subspan(track.begin, points.size());
      if (track.some_times && !track.has_times) ++work.incomplete_times;
      if (needs_times && times.empty()) ++work.without_times;
      if (const auto at = find_disorder(times); at && !options_.clean.sort_by_time) {
        batch.problems.push_back(
            {track.line,
             fmt::format("times of '{}' go backwards at point {}: {} after {}",
                         printable(batch.id_of(track)), *at + 1, times[*at], times[*at - 1]),
             "add --sort-by-time to order the points"});
        continue;
      }
      const std::size_t left = clean_points(points, times, options_.clean, planar, work.removed);
      points = points.first(left);
      if (track.has_times) times = times.first(left);
      const std::vector<Stretch> stretches = cut_points(points, times, options_.cut, planar);
      if (stretches.size() > 1) ++work.cut;
      if (stretches.empty()) ++batch.dropped[static_cast<std::size_t>(Drop::empty)];  // one stay
      for (std::size_t k = 0; k < stretches.size(); ++k) {
        const Stretch& s = stretches[k];
        if (const auto reason =
                reason_to_drop(points.subspan(s.begin, s.end - s.begin), options_.clean)) {
          ++batch.dropped[static_cast<std::size_t>(*reason)];
          if (*reason == Drop::outside_box &&
              options_.clean.bbox->contains(swapped(points[s.begin]))) {
            ++work.swapped_in_box;
          }
          continue;
        }
        work.pieces.push_back({t,
                               stretches.size() > 1 ? std::optional(k) : std::nullopt,
                               {track.begin + s.begin, track.begin + s.end}});
      }
    }
  }

  void write(const Work& work) {
    const TrackBatch& batch = work.batch;
    for (const Problem& problem : batch.problems) {
      report(fmt::format("{}:{}: {}", work.input->source.name(), problem.line, problem.what),
             problem.hint);
    }
    if (!work.file_problem.empty()) report(work.file_problem, work.file_hint);
    std::string id;
    std::vector<Attribute> attributes;
    for (const Piece& piece : work.pieces) {
      const Track& track = batch.tracks[piece.track];
      id = batch.id_of(track);
      if (piece.number) id += fmt::format("_{}", *piece.number);
      const std::size_t size = piece.points.end - piece.points.begin;
      Trajectory trajectory;
      trajectory.id = id;
      trajectory.points = std::span(batch.points).subspan(piece.points.begin, size);
      if (track.has_times) {
        trajectory.times = std::span(batch.times).subspan(piece.points.begin, size);
      }
      batch.attributes_of(track, attributes);
      const Part part = take_part(attributes, track.part);
      writer_.add(trajectory, attributes);
      if (part != Part::none) {
        parts_.resize(writer_.size(), Part::none);
        parts_.back() = part;
      }
      summary_.points += size;
    }
    count(work);
    tell(work.consumed);
  }

  // How far it is; while it waits for a pipe, as far as it was.
  void tell(std::optional<std::uint64_t> consumed) {
    if (!progress_) return;
    const std::lock_guard lock(progress_mutex_);
    told_ = consumed.value_or(told_);
    progress_({told_, std::max(total_, told_)});
  }

  void report(const std::string& what, const std::string& hint) {
    if (options_.on_error == OnError::fail) {
      constexpr std::string_view skip = "add --on-error skip to count and skip bad records";
      throw Error(ErrorCode::bad_input, what,
                  hint.empty() ? std::string(skip) : fmt::format("{}; or {}", hint, skip));
    }
    ++summary_.bad_records;
    if (summary_.bad_examples.size() < max_bad_examples) summary_.bad_examples.push_back(what);
  }

  void count(const Work& work) {
    ImportSummary& s = summary_;
    s.tracks += work.tracks;
    for (std::size_t i = 0; i < drop_count; ++i) s.dropped[i] += work.batch.dropped[i];
    s.trajectories += work.pieces.size();
    s.bytes += work.batch.bytes;
    s.cut += work.cut;
    s.duplicate_points += work.removed.duplicates;
    s.fast_points += work.removed.fast;
    s.thinned_points += work.removed.thinned;
    s.incomplete_times += work.incomplete_times;
    s.without_times += work.without_times;
    s.swapped_in_box += work.swapped_in_box;
    if (!work.end_of_file || !work.input) return;
    ++s.files;
    const std::string format(name_of(work.input->format));
    if (std::find(s.formats.begin(), s.formats.end(), format) == s.formats.end()) {
      s.formats.push_back(format);
    }
  }

  const std::vector<std::filesystem::path>& files_;
  const ImportOptions& options_;
  const Rows rows_;
  DatasetWriter& writer_;
  const Progress& progress_;
  const std::uint64_t total_;

  std::size_t next_file_ = 0;
  std::shared_ptr<InputFile> input_;
  std::uint64_t consumed_ = 0;
  std::mutex progress_mutex_;
  std::uint64_t told_ = 0;
  WorkPool pool_;
  ImportSummary summary_;
  std::vector<Part> parts_;  // as far as one is marked
  std::vector<Origin> origins_;
};

}  // namespace

PassResult run_import_pass(const std::vector<std::filesystem::path>& files,
                           const ImportOptions& options, Rows rows, DatasetWriter& writer,
                           const Progress& progress) {
  return ImportPass(files, options, rows, writer, progress).run();
}

}  // namespace tsmini
