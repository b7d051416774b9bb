// One search in a collection, within one read transaction.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "tsmini/collection.h"
#include "tsmini/encoder.h"

#include "store/embedding_view.h"
#include "store/exact_view.h"
#include "store/selection.h"
#include "store/sqlite.h"

namespace tsmini {

// What a search works on. The transaction of `database` is that of the view.
struct SearchGround {
  const Model& model;
  const Encoder& encoder;
  Database& database;
  const EmbeddingView& embeddings;
  // Reads everything the first time.
  std::function<std::shared_ptr<const ExactView>()> exact;
  const Heartbeat& heartbeat;
};

SearchResult search_in(const SearchGround& ground, std::span<const Position> query,
                       const SearchRequest& request);

}  // namespace tsmini
