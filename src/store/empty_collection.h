// A collection without trips.
#pragma once

#include <filesystem>
#include <optional>

#include "tsmini/embedding_index.h"
#include "tsmini/model.h"
#include "tsmini/space.h"

namespace tsmini {

// Makes its folder, as Collection::create() does; `model` may be null, `kind` is of its index.
void make_empty_collection(const std::filesystem::path& folder, const Space& space,
                           const Model* model, std::optional<IndexKind> kind);

}  // namespace tsmini
