// SQLite, with errors of ours.
//
//   Database db(path, Database::Access::read);
//   Statement find = db.prepared("SELECT row FROM trips WHERE id = ?");
//   find.bind(1, "trip-1");
//   while (find.step()) use(find.integer(0));
//
// A connection is used by one thread at a time. Everything thrown is an Error that names the file:
// failure for what the machine did (disk full, no permission, another writer), bad_input for a file
// that is damaged or no database.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace tsmini {

class Database;

// A use of a prepared statement: ready for its first step, and reset at its end, for one that is
// not run to the last row would keep its transaction alive.
class Statement {
 public:
  Statement(const Database& database, sqlite3_stmt* statement)
      : database_(database), statement_(statement) {}
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement();

  // Parameters count from 1. Texts and bytes must live until the statement has run.
  Statement& bind(int parameter, std::int64_t value);
  Statement& bind(int parameter, double value);
  Statement& bind(int parameter, std::string_view text);
  Statement& bind_bytes(int parameter, std::span<const std::byte> bytes);

  bool step();  // to the next row; false behind the last
  void run();   // to its end

  // Columns of the current row, from 0. Views end with the next step.
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string_view text(int column) const;
  std::span<const std::byte> bytes(int column) const;
  bool is_null(int column) const;

 private:
  void check(int status) const;

  const Database& database_;
  sqlite3_stmt* statement_;
};

class Database {
 public:
  enum class Access {
    read,
    frozen,  // read, in a folder that cannot be written: needs no files beside it
    write,
    create,
  };

  Database(std::filesystem::path path, Access access);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  const std::filesystem::path& path() const { return path_; }

  void run(const char* sql);  // one or more statements without parameters
  // Kept for the next time; one use at a time.
  Statement prepared(std::string_view sql);

  // Whether its pages are under checksums (checked_pages.h), as those of all that are created.
  bool has_checksums() const;

  // Throws Error(failure) where the file was removed or replaced since it was opened. Not for
  // frozen ones.
  void check_in_place() const;

  [[noreturn]] void throw_error(int status) const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  struct Finalise {
    void operator()(sqlite3_stmt* statement) const;
  };

  std::filesystem::path path_;
  std::unique_ptr<sqlite3, Close> handle_;
  std::map<std::string, std::unique_ptr<sqlite3_stmt, Finalise>, std::less<>> statements_;
};

// Ends with a rollback unless it was committed. Of a file that was removed or replaced, a write
// throws Error(failure) from the beginning or from commit(): what went there is lost.
class Transaction {
 public:
  enum class Kind { read, write };

  // A write waits for another writer to finish, but not for long; then it throws Error(failure).
  Transaction(Database& database, Kind kind);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  void commit();

 private:
  void roll_back();

  Database& database_;
  bool open_ = true;
};

[[noreturn]] void throw_replaced(const std::filesystem::path& file);

}  // namespace tsmini
