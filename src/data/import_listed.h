// import_files() in two steps, for a program that looks at the files before they are read.
#pragma once

#include <filesystem>

#include "tsmini/import.h"

#include "data/input_files.h"

namespace tsmini {

// The files that list_inputs() found, with the pattern of the same options.
ImportSummary import_listed(const InputList& inputs, const std::filesystem::path& output,
                            const ImportOptions& options, const Progress& progress);

}  // namespace tsmini
