// The files of an import in their order: opens one after the other, gives what is in them piece by
// piece, and passes over what a folder holds besides.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/import_work.h"
#include "data/input_file.h"

namespace tsmini {

// A file that says where it came from.
struct Origin {
  std::string file;
  std::string provenance;  // JSON
};

class InputQueue {
 public:
  // `while_busy` is called while nothing comes (see ByteSource) and whenever a file is passed over;
  // it may throw.
  InputQueue(const InputList& inputs, const ReadOptions& options, Rows rows,
             std::function<void()> while_busy);

  bool is_done() const { return !input_ && next_ == inputs_.files.size(); }

  // The next piece of the present file, or of the next one, into an empty batch. A file that cannot
  // be read on is a problem of that piece, and ends there. Throws Misread.
  void fill(ImportWork& work);

  // Adds what a summary tells of the files, once all is done. Throws UnknownFormat, the one that
  // helps most, where every file was foreign.
  void add_to(ImportSummary& summary) const;
  const std::vector<Origin>& origins() const { return origins_; }

 private:
  void open_next();
  void pass_over(const ListedFile& file, const UnknownFormat& error);

  const InputList& inputs_;
  const ReadOptions& options_;
  const Rows rows_;
  std::function<void()> while_busy_;

  std::size_t next_ = 0;
  bool gave_some_ = false;
  std::shared_ptr<InputFile> input_;
  std::uint64_t consumed_ = 0;
  std::vector<Origin> origins_;

  std::optional<UnknownFormat> foreign_error_;  // the one that helps most
  std::uint64_t foreign_files_;
  std::vector<ForeignFile> foreign_;
};

}  // namespace tsmini
