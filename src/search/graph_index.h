// A graph over rows as a kind of index: when to follow it, and its part of an index file.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tsmini/embedding_index.h"
#include "tsmini/progress.h"

#include "search/allowed.h"
#include "search/graph.h"
#include "search/index_format.h"
#include "search/row_store.h"

namespace tsmini {

class GraphIndex {
 public:
  explicit GraphIndex(const IndexSettings& settings);
  GraphIndex(const IndexSettings& settings, const SectionReader& file);

  // Links the rows that are new in the store.
  void extend(const RowStore& rows, const Progress& progress);

  // The k nearest. Every row is looked at in place of following the graph where that is less work:
  // where there are few rows, or few that are allowed; and where links lead to fewer than k.
  std::vector<Hit> nearest(const RowStore& rows, const PlacedQuery& query, std::size_t k,
                           std::optional<std::size_t> ef, const Allowed& allowed) const;

  // Null, or what is wrong with the graph of a file.
  const char* flaw() const { return graph_.flaw(); }

  void save(SectionWriter& file, index_file::Fields& fields) const;

 private:
  std::size_t ef_construction_;
  Graph graph_;
};

}  // namespace tsmini
