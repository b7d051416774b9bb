// Makes the files of exact search of a collection, beside searches and other writers, and puts them
// in force.
//
// Each holds at most 2^18 trips. What was added becomes a file of its own, together with files
// before it that are no larger: so there are few, and a trip is laid out again only as often as the
// number of trips added since doubles.
#pragma once

#include <cstdint>

#include "tsmini/progress.h"

#include "store/exact_record.h"
#include "store/index_maker.h"
#include "store/sqlite.h"

namespace tsmini {

// How far the files are behind.
struct ExactBacklog {
  std::int64_t rows = 0;     // behind the last file
  std::int64_t removed = 0;  // in the files
  std::int64_t held = 0;     // in the files, with the removed

  static ExactBacklog read(const ExactOwner& owner, Database& database, Layout layout);
  // Whether it is worth while to make some.
  bool is_large() const;
};

// extend: lays out what no file holds; a file that cannot be opened is made again, with all files
// behind it; where more than a tenth of the trips in all files was removed, all are made again.
// anew: all of them, without removed rows, whatever their state. `database` may write. The work
// goes on outside of transactions but for reading, and a moment at its end. Progress counts rows.
void make_exact_files(const ExactOwner& owner, Database& database, IndexWork work,
                      const Progress& progress);

}  // namespace tsmini
