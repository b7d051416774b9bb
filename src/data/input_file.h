// A file of an import, and how it is read.
#pragma once

#include <functional>
#include <memory>

#include "tsmini/input_list.h"

#include "data/assembler.h"
#include "data/reader.h"

namespace tsmini {

// A file that is being read.
struct InputFile {
  // `while_waiting`: see ByteSource. Throws UnknownFormat where the file was found in a folder and
  // is not what is being read, and Error(bad_input) where it has no column that the options want.
  InputFile(const ListedFile& file, const ReadOptions& options, Rows rows,
            std::function<void()> while_waiting);

  ByteSource source;
  Format format;
  std::unique_ptr<Reader> reader;
  Assembler assembler;
};

}  // namespace tsmini
