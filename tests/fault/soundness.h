// Whether a collection is sound after something went wrong: looked at by a process that meets no
// faults.
#pragma once

#include <filesystem>
#include <vector>

#include "fault/scenes.h"

namespace tsmini {

// Opens it, verifies it, and expects exactly the trips of one of `states`, each found by every kind
// of search; then adds, removes and indexes, and verifies again. Returns which state it was, or
// states.size() where it was none.
std::size_t expect_sound(const std::filesystem::path& collection, const std::vector<Ids>& states);

}  // namespace tsmini
