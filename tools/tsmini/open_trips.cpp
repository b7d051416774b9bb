#include "open_trips.h"

#include "tsmini/collection.h"

namespace tsmini::cli {

bool is_collection(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

Trips open_trips(const std::string& path, const Console& console) {
  if (!is_collection(path)) return {path, Dataset::open(path)};
  const Collection collection = Collection::open(path);
  const auto extent = collection.info().extent;
  if (!extent) return {path, DatasetBuilder(collection.coordinates()).finish(), collection.space()};
  const Heartbeat heartbeat(console.progress("reading", Unit::trips));
  return {path, collection.around(*extent, collection.size(), heartbeat), collection.space()};
}

}  // namespace tsmini::cli
