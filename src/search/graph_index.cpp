#include "search/graph_index.h"

#include <algorithm>

#include "search/graph_builder.h"
#include "search/graph_search.h"
#include "search/scan.h"

namespace tsmini {
namespace {

// Estimated from rows spread over all.
double share_allowed(std::size_t rows, const Allowed& allowed) {
  if (allowed.everything()) return 1;
  const std::size_t samples = std::min<std::size_t>(rows, 500);
  std::size_t count = 0;
  for (std::size_t i = 0; i < samples; ++i) {
    if (allowed(static_cast<std::uint32_t>(i * rows / samples))) ++count;
  }
  return static_cast<double>(count) / static_cast<double>(samples);
}

}  // namespace

GraphIndex::GraphIndex(const IndexSettings& settings)
    : ef_construction_(settings.ef_construction), graph_(settings.links) {}

GraphIndex::GraphIndex(const IndexSettings& settings, const SectionReader& file)
    : GraphIndex(settings) {
  const auto fields = file.fields<index_file::Fields>();
  graph_.entry = fields.entry;
  graph_.entry_levels = fields.entry_levels;
  graph_.lowest =
      file.mapped<std::uint32_t>(index_file::links_section, fields.rows * 2 * settings.links);
  graph_.starts = file.mapped<std::uint32_t>(index_file::starts_section, fields.rows);
  graph_.upper = file.mapped<std::uint32_t>(index_file::upper_section);
  constexpr std::uint32_t most_levels = 64;
  if (fields.rows > 0 && (fields.entry >= fields.rows || fields.entry_levels > most_levels)) {
    file.refuse("the graph has no entry");
  }
}

void GraphIndex::extend(const RowStore& rows, const Progress& progress) {
  graph_ = extended(graph_, rows, ef_construction_, progress);
}

std::vector<Hit> GraphIndex::nearest(const RowStore& rows, const PlacedQuery& query, std::size_t k,
                                     std::optional<std::size_t> ef, const Allowed& allowed) const {
  const std::size_t candidates = std::max(k, ef.value_or(std::max<std::size_t>(64, 10 * k)));
  const auto scanned = [&] { return scan(rows, {&query, 1}, k, allowed).front(); };
  // A candidate brings some links' worth of rows; of those only the allowed count.
  const auto size = static_cast<double>(rows.size());
  const double share = share_allowed(rows.size(), allowed);
  const double followed =
      static_cast<double>(candidates) * static_cast<double>(graph_.links) / share;
  if (share == 0 || followed > share * size) return scanned();
  std::vector<Hit> hits = follow(graph_, rows, query, k, candidates, allowed);
  return hits.size() == k ? hits : scanned();
}

void GraphIndex::save(SectionWriter& file, index_file::Fields& fields) const {
  fields.entry = graph_.entry;
  fields.entry_levels = graph_.entry_levels;
  file.add(index_file::links_section, graph_.lowest.values());
  file.add(index_file::starts_section, graph_.starts.values());
  file.add(index_file::upper_section, graph_.upper.values());
}

}  // namespace tsmini
