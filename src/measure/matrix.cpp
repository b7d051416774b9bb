#include "tsmini/matrix.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/parallel_for.h>

#include "tsmini/error.h"
#include "tsmini/version.h"

#include "base/checksum.h"
#include "base/enum_names.h"
#include "base/stopwatch.h"
#include "measure/check.h"
#include "measure/matrix_part.h"

namespace tsmini {
namespace {

using Json = MatrixPart::Json;

// Rows that are done together: what an interruption costs at most. Where all pairs are wanted, the
// columns of a block are those after its first row. They are packed anew for each block, and half
// of the pairs among its own rows are computed in vain: the root of the number of rows balances the
// two.
std::size_t rows_of_block(std::size_t rows, bool all_pairs) {
  const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(rows)));
  return all_pairs ? std::clamp<std::size_t>(root, 16, 128) : 128;
}

// Columns of similar length, which pack well.
struct Tile {
  std::vector<std::size_t> columns;
  PairEngine engine;
};

std::size_t columns_of_tile(std::size_t columns) {
  constexpr std::size_t lanes = 16;
  return std::clamp<std::size_t>(columns / 8 / lanes * lanes, 256, 4096);
}

PlanarSet selection(const PlanarSet& set, std::span<const std::size_t> indices) {
  std::vector<Planar> points;
  std::vector<std::uint64_t> offsets{0};
  for (const std::size_t i : indices) {
    points.insert(points.end(), set[i].begin(), set[i].end());
    offsets.push_back(points.size());
  }
  return {std::move(points), std::move(offsets)};
}

std::string fingerprint(const PlanarSet& set) {
  Checksum sum;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const std::uint64_t length = set.length(i);
    sum.bytes(std::as_bytes(std::span(&length, 1))).bytes(std::as_bytes(set[i]));
  }
  return sum.digits();
}

Json as_json(Measure measure, const MeasureSettings& settings) {
  Json json = Json::object();
  if (measure == Measure::edr || measure == Measure::lcss) json["epsilon"] = settings.epsilon;
  if (measure == Measure::erp) json["gap"] = {settings.gap.x, settings.gap.y};
  if (settings.band) json["band"] = *settings.band;
  return json;
}

std::size_t pairs_of(std::size_t n) {
  return n * (std::max<std::size_t>(n, 1) - 1) / 2;
}

template <class T>
class MatrixWork {
 public:
  MatrixWork(const PlanarSet& rows, const PlanarSet* columns, const MatrixOptions& options,
             const Progress& progress)
      : rows_(rows),
        columns_(columns != nullptr ? *columns : rows),
        all_pairs_(columns == nullptr),
        options_(options),
        progress_(progress),
        rows_per_block_(rows_of_block(rows.size(), all_pairs_)) {
    const bool single = std::is_same_v<T, float> && options.measure != Measure::frechet_continuous;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      check_points(options.measure, rows[i]);
      if (single) check_single_extent(rows[i], columns_.origin());
    }
    if (!all_pairs_) pack_columns(0);
  }

  MatrixSummary run(const std::filesystem::path& path) {
    const Stopwatch watch;
    MatrixPart part(path, header(), request(), options_.restart);
    values_ = part.template values<T>();
    MatrixSummary summary{rows_.size(), columns_.size(), part.rows_done()};
    const std::uint64_t pairs = pairs_before(rows_.size()) - pairs_before(part.rows_done());
    heartbeat_ = Heartbeat(progress_, pairs);
    try {
      while (part.rows_done() < rows_.size()) {
        const std::size_t end = std::min(part.rows_done() + rows_per_block_, rows_.size());
        compute(part.rows_done(), end);
        if (all_pairs_ && !options_.condensed) mirror(part.rows_done(), end);
        part.set_rows_done(end);
      }
    } catch (const Error& error) {
      part.save();
      if (error.code() != ErrorCode::interrupted) throw;
      throw Error(
          ErrorCode::interrupted,
          fmt::format("interrupted; {} of {} rows are done", part.rows_done(), rows_.size()),
          "the same request goes on from there");
    }
    part.finish(options_.ids, options_.column_ids);
    summary.pairs = pairs;
    summary.lane_waste = cells_ > 0 ? 1 - used_ / cells_ : 0;
    summary.seconds = watch.seconds();
    return summary;
  }

 private:
  NpyHeader header() const {
    if (options_.condensed) return {npy_type_of<T>, {pairs_of(rows_.size())}};
    return {npy_type_of<T>, {rows_.size(), columns_.size()}};
  }

  // What makes the numbers what they are.
  Json request() const {
    Json json;
    json["tsmini"] = version();
    json["measure"] = name_of(options_.measure);
    json["settings"] = as_json(options_.measure, options_.settings);
    json["space"] = Json::parse(options_.space.to_json());
    json["precision"] = name_in(precision_names, options_.precision);
    json["rows"] = rows_.size();
    json["columns"] = columns_.size();
    json["condensed"] = options_.condensed;
    json["rows_fingerprint"] = fingerprint(rows_);
    json["columns_fingerprint"] =
        all_pairs_ ? json["rows_fingerprint"] : Json(fingerprint(columns_));
    return json;
  }

  std::uint64_t pairs_before(std::size_t row) const {
    return all_pairs_ ? row * rows_.size() - row * (row + 1) / 2 : row * columns_.size();
  }

  // Where a pair is stored; of all pairs, row < column.
  std::size_t place(std::size_t row, std::size_t column) const {
    return options_.condensed ? pairs_before(row) + column - row - 1
                              : row * columns_.size() + column;
  }

  void pack_columns(std::size_t first) {
    std::vector<std::size_t> columns(columns_.size() - std::min(first, columns_.size()));
    std::iota(columns.begin(), columns.end(), first);
    std::stable_sort(columns.begin(), columns.end(), [&](std::size_t a, std::size_t b) {
      return columns_.length(a) < columns_.length(b);
    });
    const std::size_t width = columns_of_tile(columns.size());
    const std::size_t count = (columns.size() + width - 1) / width;
    std::vector<std::optional<Tile>> tiles(count);
    tbb::parallel_for(std::size_t{0}, count, [&](std::size_t t) {
      const std::span<const std::size_t> all = columns;
      const auto own = all.subspan(t * width, std::min(width, all.size() - t * width));
      tiles[t].emplace(Tile{
          {own.begin(), own.end()},
          {options_.measure, selection(columns_, own), options_.settings, options_.precision}});
    });
    tiles_ = std::move(tiles);
  }

  void compute(std::size_t begin, std::size_t end) {
    if (all_pairs_) pack_columns(begin + 1);
    tbb::parallel_for(tbb::blocked_range2d<std::size_t>(begin, end, 1, 0, tiles_.size(), 1),
                      [&](const tbb::blocked_range2d<std::size_t>& range) {
                        for (std::size_t t = range.cols().begin(); t < range.cols().end(); ++t) {
                          for (std::size_t r = range.rows().begin(); r < range.rows().end(); ++r) {
                            compute_tile(r, *tiles_[t]);
                          }
                        }
                      });
    for (const auto& tile : tiles_) count_cells(*tile, end - begin);
  }

  void compute_tile(std::size_t row, const Tile& tile) {
    std::vector<T> distances(tile.columns.size());
    tile.engine.one_to_many(rows_[row], std::span<T>(distances), heartbeat_);
    std::size_t wanted = 0;
    for (std::size_t j = 0; j < distances.size(); ++j) {
      const std::size_t column = tile.columns[j];
      if (all_pairs_ && column <= row) continue;
      values_[place(row, column)] = distances[j];
      ++wanted;
    }
    heartbeat_.advance(wanted);
  }

  void mirror(std::size_t begin, std::size_t end) {
    const std::size_t n = rows_.size();
    constexpr std::size_t width = 64;
    tbb::parallel_for(tbb::blocked_range<std::size_t>(begin / width, (n + width - 1) / width),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                        for (std::size_t square = range.begin(); square < range.end(); ++square) {
                          mirror_square(begin, end, square * width, (square + 1) * width);
                        }
                      });
  }

  void mirror_square(std::size_t begin, std::size_t end, std::size_t first, std::size_t last) {
    const std::size_t n = rows_.size();
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t j = std::max(first, i + 1); j < std::min(last, n); ++j) {
        values_[j * n + i] = values_[i * n + j];
      }
    }
  }

  void count_cells(const Tile& tile, std::size_t rows) {
    double points = 0;
    for (const std::size_t column : tile.columns) {
      points += static_cast<double>(columns_.length(column) * rows);
    }
    used_ += points;
    cells_ += points / (1 - tile.engine.lane_waste());
  }

  const PlanarSet& rows_;
  const PlanarSet& columns_;
  bool all_pairs_;
  const MatrixOptions& options_;
  const Progress& progress_;
  Heartbeat heartbeat_;
  std::size_t rows_per_block_;
  std::vector<std::optional<Tile>> tiles_;
  std::span<T> values_;
  double used_ = 0, cells_ = 0;  // points in lanes, and room for them
};

}  // namespace

MatrixSummary write_matrix(const PlanarSet& rows, const PlanarSet* columns,
                           const std::filesystem::path& path, const MatrixOptions& options,
                           const Progress& progress) {
  check_settings(options.measure, options.settings);
  if (options.condensed && columns != nullptr) {
    throw Error(ErrorCode::usage, "a condensed matrix is of one data set, not of two",
                "leave out the second, or ask for the full matrix", "condensed");
  }
  return options.precision == Precision::single_precision
             ? MatrixWork<float>(rows, columns, options, progress).run(path)
             : MatrixWork<double>(rows, columns, options, progress).run(path);
}

}  // namespace tsmini
