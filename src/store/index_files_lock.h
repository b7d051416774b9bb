// Who may remove companion files (indexes, files of exact search) that the database does not speak
// of.
//
// An index is written before the database names it, so such a file may be somebody's work in hand.
// Whoever makes an index holds this lock together with others who do; what nobody needs is removed
// by one who holds it alone. It ends with its process, however that ends.
#pragma once

#include "base/file.h"
#include "store/folder.h"

namespace tsmini {

class IndexFilesLock {
 public:
  // Waits while another removes files, which takes a moment.
  explicit IndexFilesLock(const CollectionFolder& folder);

  // Whether nobody else makes an index; nobody begins to from then on. Asked once, when one's own
  // is done.
  bool is_alone() const;

 private:
  FileHandle folder_;
};

}  // namespace tsmini
