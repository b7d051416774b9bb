// Makes the index file of a model, beside searches and other writers, and puts it in force.
#pragma once

#include <optional>

#include "tsmini/embedding_index.h"
#include "tsmini/progress.h"

#include "store/index_record.h"
#include "store/sqlite.h"

namespace tsmini {

enum class IndexWork {
  extend,  // by the rows it does not hold, where that gives a good index, all of which is verified
           // first; otherwise anew
  anew,    // without rows that were removed
};

// Makes the index of a model that has seen all trips; of another, none. `kind`: what suits the
// number of rows where it is not given. `database` may write. The work goes on outside of
// transactions but for a moment at its end. Where another process was quicker, its index stays if
// it does what was asked: to extend, any does; anew, one without the rows that were removed when
// the work began, and otherwise the work begins again. Files of indexes that nobody uses any more,
// or that were never finished, are removed.
void make_index(const IndexOwner& owner, Database& database, std::optional<IndexKind> kind,
                IndexWork work, const Progress& progress);

// Whether the tail, or the number of removed rows, is so large that a new index is worth its cost.
bool is_index_wanted(std::size_t indexed, std::size_t removed, std::size_t tail);

}  // namespace tsmini
