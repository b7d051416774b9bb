// One pass over the files of an import, on all cores, into a data set.
#pragma once

#include <vector>

#include "tsmini/dataset.h"
#include "tsmini/import.h"
#include "tsmini/input_list.h"

#include "data/assembler.h"
#include "data/input_queue.h"

namespace tsmini {

struct PassResult {
  ImportSummary summary;
  std::vector<Part> parts;  // one per trajectory written; none where no input has a split
  std::vector<Origin> origins;
};

// Reads, cleans and cuts; neither samples nor splits. Memory does not grow with the input where
// rows are consecutive. Throws ScatteredRows where they were said to be and are not.
PassResult run_import_pass(const InputList& inputs, const ImportOptions& options, Rows rows,
                           DatasetWriter& writer, const Progress& progress);

}  // namespace tsmini
