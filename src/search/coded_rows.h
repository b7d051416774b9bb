// Rows again in one byte a dimension: a quarter of the memory to read, and whole numbers to
// compare.
//
// A code is how many steps of one size a value lies above its dimension's low end, so that
// differences of codes are differences of values whatever the dimension. Ends are taken from the
// rows, but not from stragglers: what lies outside is moved to the end, which can only make rows
// seem nearer than they are. The nearest by code are measured again in full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tsmini/embedding_index.h"

#include "search/allowed.h"
#include "search/index_format.h"
#include "search/lane_layout.h"
#include "search/row_store.h"

namespace tsmini {

class CodedRows {
 public:
  explicit CodedRows(const IndexSettings& settings);
  CodedRows(const IndexSettings& settings, const SectionReader& file);

  // Codes the rows that are new in the store; all of them where it has doubled since the ends were
  // taken. On all cores.
  void extend(const RowStore& rows);

  // For each query the k nearest. One thread.
  std::vector<std::vector<Hit>> nearest(const RowStore& rows, std::span<const PlacedQuery> queries,
                                        std::size_t k, const Allowed& allowed) const;

  void save(SectionWriter& file, index_file::Fields& fields) const;

 private:
  void take_ends(const RowStore& rows);
  void code(const LaneLayout& rows, const float* placed, std::uint8_t* codes) const;
  // Whether codes can tell how far rows are from it.
  bool in_range(const LaneLayout& rows, const PlacedQuery& query) const;

  LaneLayout layout_;
  float step_ = 1;
  std::vector<float> low_;   // of each dimension
  std::size_t ends_of_ = 0;  // how many rows the ends were taken from
  Array<std::uint8_t> codes_;
};

}  // namespace tsmini
