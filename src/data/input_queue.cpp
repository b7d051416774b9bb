#include "data/input_queue.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "tsmini/error.h"

namespace tsmini {
namespace {

constexpr std::size_t most_named = 1000;  // of foreign files

}  // namespace

InputQueue::InputQueue(const InputList& inputs, const ReadOptions& options, Rows rows,
                       std::function<void()> while_busy)
    : inputs_(inputs),
      options_(options),
      rows_(rows),
      while_busy_(std::move(while_busy)),
      foreign_files_(inputs.foreign.size()),
      foreign_(inputs.foreign) {
  if (foreign_.size() > most_named) foreign_.resize(most_named);
}

void InputQueue::fill(ImportWork& work) {
  try {
    if (!input_) open_next();
    work.end_of_file = !input_ || !input_->reader->fill(work.batch);
    gave_some_ = true;
  } catch (const Misread&) {
    throw;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_input) throw;
    work.batch.clear();  // half filled
    work.file_problem = error.what();
    work.file_hint = error.hint();
    work.is_all = inputs_.files.size() == 1 && !gave_some_;
    work.end_of_file = true;
  }
  work.input = input_;
  work.consumed = consumed_ + (input_ ? input_->source.consumed() : 0);
  if (work.end_of_file) {
    consumed_ = work.consumed;
    input_.reset();
  }
}

// The next file that is not foreign; none where no such is left.
void InputQueue::open_next() {
  while (!input_ && next_ < inputs_.files.size()) {
    const ListedFile& file = inputs_.files[next_++];
    try {
      input_ = std::make_shared<InputFile>(file, options_, rows_, while_busy_);
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

void InputQueue::pass_over(const ListedFile& file, const UnknownFormat& error) {
  const bool helps_more = !foreign_error_ || (error.is_table() && !foreign_error_->is_table());
  if (helps_more) foreign_error_ = error;
  std::error_code ignored;
  const std::uintmax_t size = std::filesystem::file_size(file.path, ignored);
  if (!ignored) consumed_ += size;
  while_busy_();
  ++foreign_files_;
  if (foreign_.size() < most_named) foreign_.push_back({file.path.string(), error.why()});
}

void InputQueue::add_to(ImportSummary& summary) const {
  if (summary.files == 0 && foreign_error_) throw UnknownFormat(*foreign_error_);
  summary.foreign_files = foreign_files_;
  summary.foreign = foreign_;
}

}  // namespace tsmini
