// Brings a file into memory before it is mapped and verified, which nobody could follow or stop.
#pragma once

#include <filesystem>

#include "tsmini/progress.h"

namespace tsmini::cli {

// Reads it once, into nothing. Progress counts bytes. Throws Error(bad_input) where it cannot be
// opened; what cannot be read is found where it is used.
void read_ahead(const std::filesystem::path& path, const Progress& progress);

}  // namespace tsmini::cli
