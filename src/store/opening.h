// What is read of a collection once, when it is opened.
#pragma once

#include <memory>
#include <string>

#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/space.h"

#include "store/folder.h"
#include "store/loaded_models.h"
#include "store/read_connections.h"

namespace tsmini {

struct OpenedCollection {
  // Throws Error(bad_input) where a folder is no collection that this version can read.
  explicit OpenedCollection(const CollectionFolder& folder);

  std::string identity;
  Space space;
  std::unique_ptr<LoadedModels> models;
  FileStamp stamp;
};

// What work(lease) returns, in a read transaction, and in another where that was outdated.
template <class Work>
auto read_anew(Readers& readers, const CollectionFolder& folder, const Work& work) {
  constexpr int most_attempts = 1000;  // to find one as new as what others have seen; one or two do
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    try {
      return readers.read(work);
    } catch (const Outdated&) {
      // The next one may be newer.
    }
  }
  throw Error(ErrorCode::failure,
              fmt::format("{}: an earlier state took its place while it was in use",
                          folder.path().string()),
              "open it again");
}

}  // namespace tsmini
