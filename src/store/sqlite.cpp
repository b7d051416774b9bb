#include "store/sqlite.h"

#include <cerrno>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

#include "tsmini/error.h"

#include "base/system_reason.h"
#include "store/checked_pages.h"

namespace tsmini {
namespace {

constexpr int patience_ms = 5000;  // for another writer to finish a transaction

int flags_of(Database::Access access) {
  constexpr int common = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE;
  switch (access) {
    case Database::Access::create: return common | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    case Database::Access::write: return common | SQLITE_OPEN_READWRITE;
    default: return common | SQLITE_OPEN_READONLY;
  }
}

// What may stand in the path of a URI as it is.
bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
         c == '.' || c == '-' || c == '_';
}

std::string uri_of(const std::filesystem::path& path, Database::Access access) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).string()) {
    uri += is_plain(c)
               ? std::string(1, c)
               : fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return access == Database::Access::frozen ? uri + "?immutable=1" : uri;
}

}  // namespace

void throw_replaced(const std::filesystem::path& file) {
  throw Error(ErrorCode::failure,
              fmt::format("{}: was removed or replaced while it was in use", file.string()),
              "open it again");
}

void Database::throw_error(int status) const {
  const std::string file = path_.string();
  const int reason = handle_ ? sqlite3_system_errno(handle_.get()) : 0;
  const std::string words = reason != 0 ? reason_of(reason) : sqlite3_errstr(status);
  if (status == SQLITE_IOERR_DATA) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: is damaged: a page of it is not as tsmini wrote it", file),
                "restore the folder from a copy, or make the collection again");
  }
  switch (status & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw Error(ErrorCode::failure, fmt::format("{}: another process is writing to it", file),
                  "wait until that is done, then try again");
    case SQLITE_FULL:
      throw Error(ErrorCode::failure, fmt::format("{}: cannot write: no space left", file),
                  "free some space; what was there before is unharmed");
    case SQLITE_READONLY:
    case SQLITE_PERM:
      throw Error(ErrorCode::failure, fmt::format("{}: cannot write: no permission", file),
                  "work on a copy in a folder that you may write to");
    case SQLITE_CANTOPEN:
      throw Error(ErrorCode::failure, fmt::format("{}: cannot open: {}", file, words),
                  "check the name and whether you may write to the folder");
    case SQLITE_IOERR:
      throw Error(ErrorCode::failure, fmt::format("{}: cannot read or write: {}", file, words),
                  reason == EFBIG ? "raise the limit on the size of files (ulimit -f)" : "");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      throw Error(ErrorCode::bad_input, fmt::format("{}: is damaged or no database of ours", file),
                  "restore it from a copy, or make the collection again");
    default:
      throw Error(ErrorCode::failure,
                  fmt::format("{}: {}", file,
                              handle_ ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(status)));
  }
}

void Database::Close::operator()(sqlite3* handle) const {
  sqlite3_close_v2(handle);
}

Database::Database(std::filesystem::path path, Access access) : path_(std::move(path)) {
  sqlite3* handle = nullptr;
  int status =
      sqlite3_open_v2(uri_of(path_, access).c_str(), &handle, flags_of(access), checked_pages());
  handle_.reset(handle);
  if (status == SQLITE_OK && access == Access::create) status = reserve_checksums(handle);
  if (status != SQLITE_OK) throw_error(status);
  sqlite3_busy_timeout(handle, patience_ms);
}

Database::~Database() = default;

void Database::check_in_place() const {
  int has_moved = 0;
  const int status =
      sqlite3_file_control(handle_.get(), "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
  if (status != SQLITE_OK) throw_error(status);
  if (has_moved != 0) throw_replaced(path_);
}

bool Database::has_checksums() const {
  return tsmini::has_checksums(handle_.get());
}

void Database::run(const char* sql) {
  const int status = sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr);
  if (status != SQLITE_OK) throw_error(status);
}

Statement Database::prepared(std::string_view sql) {
  auto place = statements_.find(sql);
  if (place == statements_.end()) {
    sqlite3_stmt* statement = nullptr;
    const int status = sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()),
                                          SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    if (status != SQLITE_OK) throw_error(status);
    place = statements_.emplace(std::string(sql), statement).first;
  }
  return {*this, place->second.get()};
}

void Database::Finalise::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Statement::~Statement() {
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

void Statement::check(int status) const {
  if (status != SQLITE_OK) database_.throw_error(status);
}

Statement& Statement::bind(int parameter, std::int64_t value) {
  check(sqlite3_bind_int64(statement_, parameter, value));
  return *this;
}

Statement& Statement::bind(int parameter, double value) {
  check(sqlite3_bind_double(statement_, parameter, value));
  return *this;
}

Statement& Statement::bind(int parameter, std::string_view text) {
  check(sqlite3_bind_text64(statement_, parameter, text.data(), text.size(), SQLITE_STATIC,
                            SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind_bytes(int parameter, std::span<const std::byte> bytes) {
  check(sqlite3_bind_blob64(statement_, parameter, bytes.data(), bytes.size(), SQLITE_STATIC));
  return *this;
}

bool Statement::step() {
  const int status = sqlite3_step(statement_);
  if (status == SQLITE_ROW) return true;
  if (status == SQLITE_DONE) return false;
  database_.throw_error(status);
}

void Statement::run() {
  while (step()) {
  }
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(statement_, column);
}

std::string_view Statement::text(int column) const {
  const auto* text = sqlite3_column_text(statement_, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return text ? std::string_view(reinterpret_cast<const char*>(text), size) : std::string_view();
}

std::span<const std::byte> Statement::bytes(int column) const {
  const void* bytes = sqlite3_column_blob(statement_, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return {static_cast<const std::byte*>(bytes), bytes ? size : 0};
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

Transaction::Transaction(Database& database, Kind kind) : database_(database) {
  database_.run(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
  if (kind == Kind::read) return;
  try {
    database_.check_in_place();
  } catch (...) {
    roll_back();
    throw;
  }
}

Transaction::~Transaction() {
  if (open_) roll_back();
}

void Transaction::roll_back() {
  try {
    database_.run("ROLLBACK");
  } catch (const Error&) {
    // SQLite has rolled back by itself, as it does when the disk is full.
  }
}

void Transaction::commit() {
  database_.run("COMMIT");
  open_ = false;
  database_.check_in_place();
}

}  // namespace tsmini
