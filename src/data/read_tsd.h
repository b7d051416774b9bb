// A .tsd data set as the input of an import: to clean, cut, sample or split it anew. Its split goes
// with the trajectories that are kept.
#pragma once

#include <filesystem>
#include <memory>

#include "data/reader.h"

namespace tsmini {

std::unique_ptr<Reader> make_tsd_reader(const std::filesystem::path& path,
                                        const ReadOptions& options);

}  // namespace tsmini
