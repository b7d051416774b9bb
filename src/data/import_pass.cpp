#include "data/import_pass.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include "tsmini/error.h"

#include "data/attribute_tally.h"
#include "data/clean_batch.h"
#include "data/import_work.h"
#include "data/piece_writer.h"

namespace tsmini {
namespace {

constexpr std::size_t max_examples = 5;  // of bad records

// The stages of one pass over the input: fill, parse, assemble, clean, write. fill, assemble and
// write run one batch at a time and in order; parse and clean run on all cores.
class ImportPass {
 public:
  ImportPass(const InputList& inputs, const ImportOptions& options, Rows rows,
             DatasetWriter& writer, const Progress& progress)
      : options_(options),
        progress_(progress),
        total_(total_size(inputs.files)),
        queue_(inputs, options.read, rows, [this] { tell(std::nullopt); }),
        writer_(writer, options.read, tally_) {}

  PassResult run() {
    using tbb::filter_mode;
    const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
    const auto parsed =
        tbb::make_filter<void, ImportWork*>(filter_mode::serial_in_order,
                                            [&](tbb::flow_control& flow) {
                                              ImportWork* work = fill();
                                              if (work == nullptr) flow.stop();
                                              return work;
                                            }) &
        tbb::make_filter<ImportWork*, ImportWork*>(filter_mode::parallel, [&](ImportWork* work) {
          if (work->input) work->input->reader->parse(work->batch);
          return work;
        });
    const auto cleaned =
        tbb::make_filter<ImportWork*, ImportWork*>(filter_mode::serial_in_order,
                                                   [&](ImportWork* work) {
                                                     if (work->input) assemble(*work);
                                                     return work;
                                                   }) &
        tbb::make_filter<ImportWork*, ImportWork*>(filter_mode::parallel, [&](ImportWork* work) {
          clean_batch(work->batch, work->row_columns(), options_, work->cleaned);
          return work;
        });
    const auto written =
        tbb::make_filter<ImportWork*, void>(filter_mode::serial_in_order, [&](ImportWork* work) {
          write(*work);
          pool_.give_back(work);
        });
    tbb::parallel_pipeline(2 * threads + 2, parsed & cleaned & written);
    queue_.add_to(summary_);
    summary_.columns = tally_.uses();
    summary_.repeated_ids = writer_.ids().repeated();
    tally_.require_wanted(options_.read);
    if (has_records_) tally_.require_conditions(options_.read);
    return {std::move(summary_), writer_.take_parts(), queue_.origins()};
  }

 private:
  // The next batch; null after the last.
  ImportWork* fill() {
    if (queue_.is_done()) return nullptr;
    ImportWork* work = pool_.take();
    queue_.fill(*work);
    return work;
  }

  static void assemble(ImportWork& work) {
    TrackBatch& batch = work.batch;
    work.input->assembler.assemble(batch, work.end_of_file);
    work.tracks = std::accumulate(batch.dropped.begin(), batch.dropped.end(), batch.tracks.size());
    // A bad row is not a track, a bad record of the other formats is.
    if (!work.input->reader->has_rows()) work.tracks += batch.problems.size();
  }

  void write(const ImportWork& work) {
    const auto report_in = [&](const Problem& problem) {
      report(fmt::format("{}:{}: {}", work.input->source.name(), problem.line, problem.what),
             problem.hint);
    };
    for (const Problem& problem : work.batch.problems) report_in(problem);
    if (!work.file_problem.empty()) report(work.file_problem, work.file_hint, !work.is_all);
    for (const Piece& piece : work.cleaned.pieces) {
      if (const auto problem = writer_.write(work.batch, work.row_columns(), work.cleaned, piece)) {
        report_in(*problem);
        continue;
      }
      ++summary_.trajectories;
      summary_.points += piece.points.end - piece.points.begin;
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

  void report(const std::string& what, const std::string& hint, bool skipping_helps = true) {
    if (options_.on_error == OnError::fail) {
      constexpr std::string_view skip = "add `on_error=skip` to count and skip bad records";
      if (!skipping_helps) throw Error(ErrorCode::bad_input, what, hint);
      throw Error(ErrorCode::bad_input, what,
                  hint.empty() ? std::string(skip) : fmt::format("{}; or {}", hint, skip));
    }
    ++summary_.bad_records;
    if (summary_.bad_examples.size() < max_examples) summary_.bad_examples.push_back(what);
  }

  void count(const ImportWork& work) {
    ImportSummary& s = summary_;
    s.tracks += work.tracks;
    for (std::size_t i = 0; i < drop_count; ++i) s.dropped[i] += work.batch.dropped[i];
    s.bytes += work.batch.bytes;
    const CleanedBatch& cleaned = work.cleaned;
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
    tally_.add(work.batch, work.row_columns(), cleaned);
    if (!work.end_of_file) return;
    ++s.files;
    const std::string format(name_of(work.input->format));
    if (std::find(s.formats.begin(), s.formats.end(), format) == s.formats.end()) {
      s.formats.push_back(format);
    }
  }

  const ImportOptions& options_;
  const Progress& progress_;
  const std::uint64_t total_;
  std::mutex progress_mutex_;
  std::uint64_t told_ = 0;

  InputQueue queue_;
  ImportWorkPool pool_;
  ImportSummary summary_;
  AttributeTally tally_;
  bool has_records_ = false;  // of formats that name attributes record by record
  PieceWriter writer_;
};

}  // namespace

PassResult run_import_pass(const InputList& inputs, const ImportOptions& options, Rows rows,
                           DatasetWriter& writer, const Progress& progress) {
  return ImportPass(inputs, options, rows, writer, progress).run();
}

}  // namespace tsmini
