#include "tsmini/embedding_index.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "tsmini/embedding.h"
#include "tsmini/error.h"

#include "base/enum_names.h"
#include "search/coded_rows.h"
#include "search/graph_index.h"
#include "search/index_format.h"
#include "search/row_set.h"
#include "search/row_store.h"
#include "search/scan.h"

namespace tsmini {
namespace {

constexpr std::size_t largest_dimension = 1 << 16;
constexpr std::size_t most_links = 1024;

struct Complaint {
  const char* field;
  const char* text;
};

std::optional<Complaint> complaint_about(const IndexSettings& s) {
  if (s.dimension == 0 || s.dimension > largest_dimension) {
    return Complaint{"dimension", "the dimension is not 1 to 65536"};
  }
  if (s.metric.kind == MetricKind::chebyshev &&
      (s.metric.group == 0 || s.dimension % s.metric.group != 0)) {
    return Complaint{"metric.group", "the metric's group does not divide the dimension"};
  }
  if (s.links < 2 || s.links > most_links) return Complaint{"links", "links is not 2 to 1024"};
  if (s.ef_construction == 0 || s.ef_construction > UINT32_MAX) {
    return Complaint{"ef_construction", "ef_construction is out of range"};
  }
  return std::nullopt;
}

IndexSettings checked(const IndexSettings& settings) {
  if (const auto complaint = complaint_about(settings)) {
    throw Error(ErrorCode::usage, fmt::format("index: {}", complaint->text), {}, complaint->field);
  }
  return settings;
}

IndexSettings settings_of(const SectionReader& file) {
  const auto fields = file.fields<index_file::Fields>();
  if (fields.metric > 3 || fields.kind > 2) file.refuse("is of an unknown metric or kind");
  const IndexSettings settings{
      .dimension = fields.dimension,
      .metric = {static_cast<MetricKind>(fields.metric), fields.group},
      .kind = static_cast<IndexKind>(fields.kind),
      .links = fields.links,
      .ef_construction = fields.ef_construction,
  };
  if (const auto complaint = complaint_about(settings)) file.refuse(complaint->text);
  if (fields.rows >= UINT32_MAX) file.refuse("claims more rows than can be numbered");
  return settings;
}

void check_values(std::span<const float> values, std::size_t dimension, std::string_view what) {
  if (values.size() % dimension != 0) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{} values of a {} do not fit an index of {} dimensions", values.size(),
                            what, dimension));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!is_fit(values[i])) {
      throw Error(ErrorCode::bad_input,
                  fmt::format("{} {} has the value {} in dimension {}", what, i / dimension,
                              values[i], i % dimension),
                  "embeddings are finite and not beyond 1e17");
    }
  }
}

}  // namespace

std::string_view name_of(IndexKind kind) {
  return name_in(index_kind_names, kind);
}

IndexKind index_kind_from(std::string_view name) {
  return named<IndexKind>(index_kind_names, name, "index kind", "kind");
}

IndexKind index_kind_for(std::size_t rows) {
  if (rows <= 20'000) return IndexKind::flat;
  return rows <= 100'000 ? IndexKind::coded : IndexKind::hnsw;
}

class EmbeddingIndex::Impl {
 public:
  explicit Impl(const IndexSettings& settings)
      : settings_(checked(settings)), rows_(settings.metric, settings.dimension) {
    if (settings.kind == IndexKind::coded) codes_.emplace(settings);
    if (settings.kind == IndexKind::hnsw) graph_.emplace(settings);
  }

  explicit Impl(const std::filesystem::path& path)
      : file_(std::make_unique<const SectionReader>(path, index_file::kind)),
        settings_(settings_of(*file_)),
        rows_(settings_.metric, settings_.dimension) {
    const auto fields = file_->fields<index_file::Fields>();
    owner_ = {fields.owner.data(), ::strnlen(fields.owner.data(), fields.owner.size())};
    const std::size_t width = rows_.layout().width();
    rows_ = RowStore(settings_.metric, settings_.dimension,
                     file_->mapped<float>(index_file::rows_section, fields.rows * width));
    if (file_->version() == 1) file_->verify();
    removed_ = RowSet(
        file_->mapped<std::uint64_t>(index_file::removed_section, RowSet::words_for(fields.rows)));
    if (settings_.kind == IndexKind::coded) codes_.emplace(settings_, *file_);
    if (settings_.kind == IndexKind::hnsw) graph_.emplace(settings_, *file_);
  }

  const IndexSettings& settings() const { return settings_; }
  const RowStore& rows() const { return rows_; }
  const RowSet& removed() const { return removed_; }
  const std::string& owner() const { return owner_; }
  bool was_read_whole() const { return file_ && file_->version() == 1; }

  void add(std::span<const float> values, const Progress& progress) {
    check_values(values, settings_.dimension, "row");
    const std::size_t count = values.size() / settings_.dimension;
    if (count >= UINT32_MAX - rows_.size()) {
      throw Error(ErrorCode::usage, "an index holds at most 4,294,967,294 rows", {}, "values");
    }
    if (count == 0) return;
    // Damage must not get new checksums, nor must building stumble over a file that lies.
    verify();
    file_.reset();
    const std::size_t before = rows_.size();
    rows_.append(values);
    try {
      if (codes_) codes_->extend(rows_);
      if (graph_) graph_->extend(rows_, progress);
    } catch (...) {
      rows_.drop_behind(before);
      throw;
    }
    removed_.extend(rows_.size());
  }

  void remove(std::uint32_t row) { removed_.insert(row); }

  std::vector<Hit> nearest(std::span<const float> query, std::size_t k, const RowFilter& filter,
                           std::optional<std::size_t> ef) const {
    check_values(query, settings_.dimension, "query");
    assert(query.size() == settings_.dimension);
    if (k == 0) return {};
    const PlacedQuery placed(rows_.layout(), query);
    return nearest_to({&placed, 1}, k, ef, {removed_, filter}).front();
  }

  std::vector<std::vector<Hit>> nearest_each(std::span<const float> queries, std::size_t k) const {
    check_values(queries, settings_.dimension, "query");
    const std::size_t count = queries.size() / settings_.dimension;
    const RowFilter everything;
    std::vector<std::vector<Hit>> answers(count);
    if (k == 0) return answers;
    const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
    const std::size_t share = std::clamp<std::size_t>((count + threads - 1) / threads, 1, 64);
    tbb::parallel_for(std::size_t{0}, (count + share - 1) / share, [&](std::size_t part) {
      const std::size_t first = part * share, last = std::min(first + share, count);
      std::vector<PlacedQuery> placed;
      for (std::size_t q = first; q < last; ++q) {
        placed.emplace_back(rows_.layout(),
                            queries.subspan(q * settings_.dimension, settings_.dimension));
      }
      auto found = nearest_to(placed, k, {}, {removed_, everything});
      std::move(found.begin(), found.end(), answers.begin() + static_cast<std::ptrdiff_t>(first));
    });
    return answers;
  }

  void save(const std::filesystem::path& path, std::string_view owner) const {
    index_file::Fields fields;
    if (owner.size() > fields.owner.size()) {
      throw Error(ErrorCode::usage, fmt::format("an index's owner of {} bytes", owner.size()),
                  fmt::format("it has at most {}", fields.owner.size()), "owner");
    }
    owner.copy(fields.owner.data(), owner.size());
    fields.rows = rows_.size();
    fields.dimension = static_cast<std::uint32_t>(settings_.dimension);
    fields.metric = static_cast<std::uint32_t>(settings_.metric.kind);
    fields.group = static_cast<std::uint32_t>(settings_.metric.group);
    fields.kind = static_cast<std::uint32_t>(settings_.kind);
    fields.links = static_cast<std::uint32_t>(settings_.links);
    fields.ef_construction = static_cast<std::uint32_t>(settings_.ef_construction);
    SectionWriter file(path);
    file.add(index_file::rows_section, rows_.values());
    file.add(index_file::removed_section, removed_.words());
    if (codes_) codes_->save(file, fields);
    if (graph_) graph_->save(file, fields);
    file.finish(index_file::kind, fields);
  }

  void verify() const {
    if (!file_) return;
    file_->verify();
    const auto rows = rows_.values();
    if (!std::all_of(rows.begin(), rows.end(), is_fit))
      file_->refuse("has rows that are not finite");
    if (const char* flaw = graph_ ? graph_->flaw() : nullptr) file_->refuse(flaw);
  }

 private:
  std::vector<std::vector<Hit>> nearest_to(std::span<const PlacedQuery> queries, std::size_t k,
                                           std::optional<std::size_t> ef,
                                           const Allowed& allowed) const {
    if (codes_) return codes_->nearest(rows_, queries, k, allowed);
    if (!graph_) return scan(rows_, queries, k, allowed);
    std::vector<std::vector<Hit>> answers;
    for (const PlacedQuery& query : queries) {
      answers.push_back(graph_->nearest(rows_, query, k, ef, allowed));
    }
    return answers;
  }

  std::unique_ptr<const SectionReader> file_;  // null where it was not loaded, or has grown since
  IndexSettings settings_;
  std::string owner_;
  RowStore rows_;
  RowSet removed_;
  std::optional<CodedRows> codes_;   // coded
  std::optional<GraphIndex> graph_;  // hnsw
};

EmbeddingIndex::EmbeddingIndex(const IndexSettings& settings)
    : impl_(std::make_unique<Impl>(settings)) {}
EmbeddingIndex::EmbeddingIndex(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
EmbeddingIndex::~EmbeddingIndex() = default;
EmbeddingIndex::EmbeddingIndex(EmbeddingIndex&&) noexcept = default;
EmbeddingIndex& EmbeddingIndex::operator=(EmbeddingIndex&&) noexcept = default;

const IndexSettings& EmbeddingIndex::settings() const {
  return impl_->settings();
}

std::size_t EmbeddingIndex::size() const {
  return impl_->rows().size();
}

void EmbeddingIndex::add(std::span<const float> rows, const Progress& progress) {
  impl_->add(rows, progress);
}

void EmbeddingIndex::remove(std::uint32_t row) {
  assert(row < size());
  impl_->remove(row);
}

bool EmbeddingIndex::removed(std::uint32_t row) const {
  assert(row < size());
  return impl_->removed().contains(row);
}

std::vector<float> EmbeddingIndex::row(std::uint32_t number) const {
  assert(number < size());
  return impl_->rows().row(number);
}

std::vector<Hit> EmbeddingIndex::nearest(std::span<const float> query, std::size_t k,
                                         const RowFilter& allowed,
                                         std::optional<std::size_t> ef) const {
  return impl_->nearest(query, k, allowed, ef);
}

std::vector<std::vector<Hit>> EmbeddingIndex::nearest_each(std::span<const float> queries,
                                                           std::size_t k) const {
  return impl_->nearest_each(queries, k);
}

void EmbeddingIndex::save(const std::filesystem::path& path, std::string_view owner) const {
  impl_->save(path, owner);
}

EmbeddingIndex EmbeddingIndex::load(const std::filesystem::path& path) {
  return EmbeddingIndex(std::make_unique<Impl>(path));
}

const std::string& EmbeddingIndex::owner() const {
  return impl_->owner();
}

bool EmbeddingIndex::was_read_whole() const {
  return impl_->was_read_whole();
}

void EmbeddingIndex::verify() const {
  impl_->verify();
}

}  // namespace tsmini
