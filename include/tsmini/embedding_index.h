// The nearest embeddings to a query.
//
// Rows are numbered in the order they were added: 0, 1, 2, … A removed row keeps its number and is
// never an answer. Three kinds, of one interface:
//
//   flat    scans every row: exact, 512 bytes a row of 128 dimensions read per query
//   coded   scans one byte a dimension and computes the best again in full: 0.9999 of 50 answers
//           are right on real embeddings, at a quarter of the memory traffic
//   hnsw    a graph of neighbours: sublinear, above .99 of ten answers right, slower to build
//
//   EmbeddingIndex index({.dimension = 128, .metric = model.net.metric, .kind = IndexKind::flat});
//   index.add(rows);
//   for (const Hit& hit : index.nearest(query, 10)) use(hit.row, hit.distance);
//
// Searching is const and may run on any number of threads, but not while rows are added or removed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tsmini/embedding.h"
#include "tsmini/error.h"
#include "tsmini/progress.h"

namespace tsmini {

enum class IndexKind { flat, coded, hnsw };
inline constexpr std::array<std::string_view, 3> index_kind_names{"flat", "coded", "hnsw"};
std::string_view name_of(IndexKind kind);
IndexKind index_kind_from(std::string_view name);  // throws Error(usage) that lists the names
// What suits so many rows: a scan, which misses nothing, while it takes less than a millisecond.
IndexKind index_kind_for(std::size_t rows);

struct Hit {
  std::uint32_t row = 0;
  float distance = 0;  // of embeddings, by the metric

  friend bool operator==(const Hit&, const Hit&) = default;
};

// Whether a row may be an answer.
using RowFilter = std::function<bool(std::uint32_t row)>;

struct IndexSettings {
  std::size_t dimension = 128;
  EmbeddingMetric metric;
  IndexKind kind = IndexKind::flat;
  std::size_t links = 16;  // hnsw: neighbours a row keeps on a level, twice as many on the lowest
  std::size_t ef_construction = 100;  // hnsw: candidates while building

  friend bool operator==(const IndexSettings&, const IndexSettings&) = default;
};

class EmbeddingIndex {
 public:
  explicit EmbeddingIndex(const IndexSettings& settings);
  ~EmbeddingIndex();
  EmbeddingIndex(EmbeddingIndex&&) noexcept;
  EmbeddingIndex& operator=(EmbeddingIndex&&) noexcept;

  const IndexSettings& settings() const;
  std::size_t size() const;  // rows ever added, the removed included

  // Rows side by side; hnsw links them on all cores. Throws Error(bad_input) for a value that is
  // not finite or beyond 1e17. Progress counts rows.
  void add(std::span<const float> rows, const Progress& progress = {});
  void remove(std::uint32_t row);
  bool removed(std::uint32_t row) const;
  std::vector<float> row(std::uint32_t number) const;  // as it was added

  // The k nearest by rising distance, ties to the lower row; fewer where fewer are allowed.
  // `ef`: hnsw, candidates to follow (default 10 k, at least 64). One thread.
  std::vector<Hit> nearest(std::span<const float> query, std::size_t k,
                           const RowFilter& allowed = {}, std::optional<std::size_t> ef = {}) const;
  // Many queries at once, on all cores, the scans blocked over queries so that memory is read once
  // for several.
  std::vector<std::vector<Hit>> nearest_each(std::span<const float> queries, std::size_t k) const;

  // A file of its own, specified in docs/formats.md: written beside its name and renamed when
  // complete. load() maps it; it throws Error(bad_input) for a file that is cut, altered in its
  // header, or of settings that no index can have. Rows are not read before they are used, and then
  // compared with their checksums, 16 KiB at a time and once: whatever uses an altered part throws
  // DamagedFile, so that no answer rests on it. What is to grow is verified first.
  // `owner`, at most 64 bytes, is kept in the file and says what the index belongs to.
  void save(const std::filesystem::path& path, std::string_view owner = {}) const;
  static EmbeddingIndex load(const std::filesystem::path& path);
  const std::string& owner() const;  // of the file it was loaded from
  // Whether load() read all of it: files of tsmini 0.1 have no checksums of their parts.
  bool was_read_whole() const;
  // Reads all of a loaded file; throws DamagedFile where a byte was altered, and Error(bad_input)
  // where it makes no sense: links that lead nowhere, values that are not finite.
  void verify() const;

 private:
  class Impl;
  explicit EmbeddingIndex(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace tsmini
