// Distance matrices of any size, straight into a .npy file.
//
// All pairs of one set (square, or condensed: i < j only), or rows times columns. Tiles are
// computed on all cores and written into the mapped file in place, so memory does not grow with the
// matrix; of all pairs each is computed once, and a square matrix mirrors it. The numbers depend
// neither on threads nor on interruptions.
//
//   MatrixOptions options;
//   options.measure = Measure::dtw;
//   write_matrix(trips, nullptr, "dtw.npy", options);     // numpy.load("dtw.npy", mmap_mode="r")
//
// While it grows the matrix is PATH.part, and PATH.part.json says what it is and how many rows are
// done. After an interruption (an exception from `progress`, a kill, a crash) the same call goes on
// from there; at the end the matrix is renamed to PATH, and PATH.json keeps measure, settings,
// space, fingerprints of the data and the ids of rows ("ids") and columns ("column_ids").
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tsmini/measure.h"
#include "tsmini/pair_engine.h"
#include "tsmini/planar_set.h"
#include "tsmini/progress.h"
#include "tsmini/space.h"

namespace tsmini {

struct MatrixOptions {
  Measure measure = Measure::frechet;
  MeasureSettings settings;
  Precision precision = Precision::single_precision;  // of the computation and of the file
  bool condensed = false;  // all pairs of one set: (0,1), (0,2), …, (1,2), … in one dimension
  Space space;             // of the points, for the record
  bool restart = false;    // begin again where another request left its part
  // For the record: the names of rows and columns, where they are known. Those of the columns only
  // where they are not the rows.
  std::vector<std::string> ids = {}, column_ids = {};
};

struct MatrixSummary {
  std::size_t rows = 0, columns = 0;
  std::size_t rows_before = 0;  // done by an earlier call
  std::uint64_t pairs = 0;      // computed by this one
  double lane_waste = 0;        // share of the computed cells that was padding
  double seconds = 0;
};

// `columns` null: all pairs of `rows`. Progress counts the pairs that are left to compute; it may
// be called from any thread, and within long pairs too. Throws Error: usage (settings, condensed
// with columns), bad_input (a trajectory the measure cannot take; a part that another request
// began), failure (disk).
MatrixSummary write_matrix(const PlanarSet& rows, const PlanarSet* columns,
                           const std::filesystem::path& path, const MatrixOptions& options,
                           const Progress& progress = {});

}  // namespace tsmini
