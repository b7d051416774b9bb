// A batch on its way through an import, and the batches that are used again and again, so that
// their memory is too.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "data/clean_batch.h"
#include "data/input_file.h"
#include "data/track_batch.h"

namespace tsmini {

struct ImportWork {
  std::shared_ptr<InputFile> input;  // none where the last files were foreign
  bool end_of_file = false;
  std::string file_problem;  // the file could not be read on; its hint follows
  std::string file_hint;
  bool is_all = false;         // and there is nothing else, so that to skip it leaves nothing
  std::uint64_t consumed = 0;  // bytes of all files, up to here

  TrackBatch batch;
  std::uint64_t tracks = 0;
  CleanedBatch cleaned;

  const RowColumns& row_columns() const {
    static const RowColumns none;
    return input ? input->reader->row_columns() : none;
  }

  void clear() {
    input.reset();
    end_of_file = false;
    file_problem.clear();
    file_hint.clear();
    is_all = false;
    batch.clear();
    tracks = 0;
  }
};

class ImportWorkPool {
 public:
  ImportWork* take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return all_.emplace_back(std::make_unique<ImportWork>()).get();
    ImportWork* work = free_.back();
    free_.pop_back();
    return work;
  }
  void give_back(ImportWork* work) {
    work->clear();
    const std::lock_guard lock(mutex_);
    free_.push_back(work);
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<ImportWork>> all_;
  std::vector<ImportWork*> free_;
};

}  // namespace tsmini
