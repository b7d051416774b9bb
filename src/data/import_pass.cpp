#include "data/import_pass.h"

#include <algorithm>
#include <deque>
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
#include "data/attribute_names.h"
#include "data/attribute_tally.h"
#include "data/clean_batch.h"
#include "data/input_files.h"
#include "data/part_attribute.h"

namespace tsmini {
namespace {

constexpr std::size_t max_examples = 5;  // of bad records, and of foreign files

// One batch on its way through the import.
struct Work {
  std::shared_ptr<InputFile> input;
  bool end_of_file = false;
  std::string file_problem;  // the file could not be read on; its hint follows
  std::string file_hint;
  std::uint64_t consumed = 0;

  TrackBatch batch;
  std::uint64_t tracks = 0;
  CleanedBatch cleaned;

  void clear() {
    input.reset();
    end_of_file = false;
    file_problem.clear();
    file_hint.clear();
    batch.clear();
    tracks = 0;
    cleaned = {};
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
  ImportPass(const std::vector<ListedFile>& files, const ImportOptions& options, Rows rows,
             DatasetWriter& writer, const Progress& progress)
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
    if (summary_.files == 0 && foreign_) throw UnknownFormat(*foreign_);
    summary_.foreign_files = foreign_files_;
    summary_.foreign_examples = std::move(foreign_examples_);
    summary_.columns = tally_.uses();
    tally_.require_wanted(options_.read);
    if (has_records_) tally_.require_conditions(options_.read);
    return {std::move(summary_), std::move(parts_), std::move(origins_)};
  }

 private:
  // The next batch of the present file, or of the next one; null after the last.
  Work* fill() {
    if (!input_ && next_file_ == files_.size()) return nullptr;
    Work* work = pool_.take();
    try {
      if (!input_) open_next();
      work->end_of_file = !input_ || !input_->reader->fill(work->batch);
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

  // The next file that is not foreign; none where no such is left.
  void open_next() {
    while (!input_ && next_file_ < files_.size()) {
      const ListedFile& file = files_[next_file_++];
      try {
        input_ =
            std::make_shared<InputFile>(file, options_.read, rows_, [this] { tell(std::nullopt); });
      } catch (const UnknownFormat& error) {
        if (!file.is_from_folder) throw;
        pass_over(file, error);
      }
    }
    if (!input_) return;
    const std::string provenance = input_->reader->provenance();
    if (!provenance.empty()) {
      origins_.push_back({std::filesystem::path(input_->source.name()).filename(), provenance});
    }
  }

  void pass_over(const ListedFile& file, const UnknownFormat& error) {
    if (!foreign_ || (error.is_table() && !foreign_->is_table())) foreign_ = error;
    std::error_code ignored;
    const std::uintmax_t size = std::filesystem::file_size(file.path, ignored);
    if (!ignored) consumed_ += size;
    tell(std::nullopt);
    ++foreign_files_;
    if (foreign_examples_.size() < max_examples) foreign_examples_.push_back(file.path.string());
  }

  static void assemble(Work& work) {
    TrackBatch& batch = work.batch;
    work.input->assembler.assemble(batch, work.end_of_file);
    work.tracks = std::accumulate(batch.dropped.begin(), batch.dropped.end(), batch.tracks.size());
    // A bad row is not a track, a bad record of the other formats is.
    if (!work.input->reader->has_rows()) work.tracks += batch.problems.size();
  }

  void clean(Work& work) const {
    static const RowColumns none;
    clean_batch(work.batch, work.input ? work.input->reader->row_columns() : none, options_,
                work.cleaned);
  }

  void write(const Work& work) {
    const TrackBatch& batch = work.batch;
    for (const Problem& problem : batch.problems) {
      report(fmt::format("{}:{}: {}", work.input->source.name(), problem.line, problem.what),
             problem.hint);
    }
    if (!work.file_problem.empty()) report(work.file_problem, work.file_hint);
    std::string id;
    for (const Piece& piece : work.cleaned.pieces) {
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
      gather_attributes(work, piece);
      const Part part = take_part(attributes_, track.part);
      keep_wanted_attributes();
      writer_.add(trajectory, attributes_);
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
    if (summary_.bad_examples.size() < max_examples) summary_.bad_examples.push_back(what);
  }

  void count(const Work& work) {
    ImportSummary& s = summary_;
    s.tracks += work.tracks;
    for (std::size_t i = 0; i < drop_count; ++i) s.dropped[i] += work.batch.dropped[i];
    s.bytes += work.batch.bytes;
    const CleanedBatch& cleaned = work.cleaned;
    s.trajectories += cleaned.pieces.size();
    s.cut += cleaned.cut;
    s.reversed += cleaned.reversed;
    s.unwanted_points += cleaned.unwanted;
    s.duplicate_points += cleaned.removed.duplicates;
    s.fast_points += cleaned.removed.fast;
    s.thinned_points += cleaned.removed.thinned;
    s.incomplete_times += cleaned.incomplete_times;
    s.without_times += cleaned.without_times;
    s.swapped_in_box += cleaned.swapped_in_box;
    if (!work.input) return;
    has_records_ |= !work.input->reader->has_rows();
    tally_.add(work.batch, work.input->reader->row_columns(), cleaned);
    if (!work.end_of_file) return;
    ++s.files;
    const std::string format(name_of(work.input->format));
    if (std::find(s.formats.begin(), s.formats.end(), format) == s.formats.end()) {
      s.formats.push_back(format);
    }
  }

  // What the file says of the trajectory, into `attributes_`; valid until the next call.
  void gather_attributes(const Work& work, const Piece& piece) {
    work.batch.attributes_of(work.batch.tracks[piece.track], attributes_);
    mended_.clear();
    for (std::size_t i = piece.values_begin; i < piece.values_end; ++i) {
      const PieceValue& value = work.cleaned.values[i];
      std::string_view text = work.batch.columns[value.column].text_of(value.run);
      if (!is_utf8(text)) text = mended_.emplace_back(as_utf8(text));
      const auto& column = work.input->reader->row_columns().columns[value.column];
      attributes_.push_back({column.name, text, true});
    }
  }

  void keep_wanted_attributes() {
    std::erase_if(attributes_,
                  [&](const Attribute& a) { return !is_wanted(a.name, options_.read); });
    for (const Attribute& attribute : attributes_) tally_.keep(attribute.name);
  }

  const std::vector<ListedFile>& files_;
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
  AttributeTally tally_;
  bool has_records_ = false;  // of formats that name attributes record by record

  // Of the files that were opened.
  std::optional<UnknownFormat> foreign_;
  std::uint64_t foreign_files_ = 0;
  std::vector<std::string> foreign_examples_;

  // Of the trajectory that is being written.
  std::vector<Attribute> attributes_;
  std::deque<std::string> mended_;
};

}  // namespace

PassResult run_import_pass(const std::vector<ListedFile>& files, const ImportOptions& options,
                           Rows rows, DatasetWriter& writer, const Progress& progress) {
  return ImportPass(files, options, rows, writer, progress).run();
}

}  // namespace tsmini
