// Pages of a database under checksums.
//
// SQLite has none of its own: a bit that flips on the disk can hide a trip from a query that goes
// through an index, and nobody is told. So what lies between SQLite and the file (its VFS) adds a
// checksum to each page as it is written and compares it as it is read; a page that does not fit is
// an error, SQLITE_IOERR_DATA. The checksum, XXH3-64 of the page exclusive-or its number, takes the
// last eight bytes, which a file made with reserve_checksums() leaves free; files without them, as
// of tsmini 0.1, are read and written as they are. The log is SQLite's own: its frames are checked
// when it recovers, and there alone; what is damaged in it counts as never written.
//
//   sqlite3_open_v2(name, &handle, flags, checked_pages());
//   if (is_new) reserve_checksums(handle);     // before anything is written
#pragma once

struct sqlite3;

namespace tsmini {

// The name of the VFS, which is registered with the first call. Throws std::bad_alloc.
const char* checked_pages();

// Returns an error code of SQLite.
int reserve_checksums(sqlite3* database);
bool has_checksums(sqlite3* database);

}  // namespace tsmini
