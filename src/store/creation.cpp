#include "store/creation.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tsmini/error.h"

#include "base/system_reason.h"
#include "store/records.h"

namespace tsmini {
namespace {

namespace fs = std::filesystem;

// The name of the claim, and what other names begin with.
constexpr std::string_view unfinished = "tsmini-unfinished";
constexpr std::uintmax_t largest_without_tables = 8192;  // a page of a database
constexpr int most_rounds = 1000;

[[noreturn]] void refuse(const fs::path& folder, const std::string& what,
                         const std::string& hint = "choose another name") {
  throw Error(ErrorCode::failure,
              fmt::format("{}: cannot make a collection: {}", folder.string(), what), hint);
}

[[noreturn]] void refuse(const fs::path& folder, int error) {
  const bool is_forbidden = error == EACCES || error == EPERM || error == EROFS;
  refuse(folder, reason_of(error),
         is_forbidden ? "choose a folder that you may write to" : "choose another name");
}

// Makes the folders that are missing, durably; true where this one was.
bool make_folder(const fs::path& folder) {
  std::error_code error;
  if (folder.empty() || fs::is_directory(folder, error)) return false;
  make_folder(folder.parent_path());
  const bool made = ::mkdir(folder.c_str(), 0777) == 0;
  if (!made && errno != EEXIST) refuse(folder, errno);
  if (!made && !fs::is_directory(folder, error)) refuse(folder, "it is a file");
  if (made) synchronise_folder(folder / "..");
  return made;
}

bool is_same_file(int descriptor, const fs::path& path) {
  struct stat open {
  }, named{};
  return ::fstat(descriptor, &open) == 0 && ::stat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

// Files of a collection in the making, also while they are hidden and have another name.
bool is_of_the_making(std::string_view name) {
  return name.substr(name.starts_with('.') ? 1 : 0).starts_with(unfinished);
}

// What a collection consists of before it has a database and after it has lost it.
bool is_companion(const CollectionFolder& folder, std::string_view name) {
  return name == "model.safetensors" || CollectionFolder::model_number(name) ||
         name.starts_with(folder.database().filename().string() + "-");
}

// Under a claim.
void remove_remains(const CollectionFolder& folder) {
  std::error_code ignored;
  std::error_code error;
  const bool is_published = fs::exists(folder.database(), error) || error;  // or cannot be told
  for (const std::string& name : names_in(folder.path(), ignored)) {
    if (name == unfinished) continue;
    if (is_of_the_making(name) || (!is_published && is_companion(folder, name))) {
      fs::remove(folder.path() / name, ignored);
    }
  }
}

bool has_tables(Database& database) {
  return database.prepared("SELECT 1 FROM sqlite_schema LIMIT 1").step();
}

// 0.1.0 had no claims. One that was killed left a database without a table, or a model alone, as a
// user may have put it there.
bool is_without_tables(const CollectionFolder& folder) {
  std::error_code error;
  if (fs::file_size(folder.database(), error) > largest_without_tables || error) return false;
  try {
    Database database(folder.database(), Database::Access::read);
    return !has_tables(database);
  } catch (const Error&) {
    return false;
  }
}

bool is_model_alone(const CollectionFolder& folder) {
  std::error_code error;
  return names_in(folder.path(), error) == std::vector<std::string>{"model.safetensors"};
}

// Throws unless there is nothing but what a killed maker left.
void check_free(const CollectionFolder& folder) {
  std::error_code error;
  const bool is_begun = fs::exists(folder.path() / unfinished, error);
  for (const std::string& name : names_in(folder.path(), error)) {
    if (is_of_the_making(name) || (is_begun && is_companion(folder, name))) continue;
    if (is_without_tables(folder)) {
      refuse(folder.path(), "it holds the beginnings of one that was never finished",
             "remove the folder, then make it again");
    }
    if (is_model_alone(folder)) {
      refuse(folder.path(), "it exists already",
             "choose another name; if `create()` was killed there, remove the folder");
    }
    refuse(folder.path(), "it exists already",
           "choose another name; what is a collection already takes more trips with `add()`, and "
           "models with `add_model()`");
  }
  if (error && error.value() != ENOENT) refuse(folder.path(), error.value());
}

void move_into_place(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) == 0) return synchronise_folder(to.parent_path());
  throw Error(ErrorCode::failure,
              fmt::format("{}: cannot write: {}", to.string(), reason_of(errno)));
}

}  // namespace

std::optional<FolderClaim> FolderClaim::take(const CollectionFolder& folder, bool wait) {
  const fs::path file = folder.path() / unfinished;
  for (;;) {
    FileHandle lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (!lock && errno == ENOENT) return std::nullopt;
    if (!lock || ::flock(lock.get(), wait ? LOCK_EX : LOCK_EX | LOCK_NB) != 0) {
      if (errno == EINTR) continue;
      if (errno == EWOULDBLOCK) refuse(folder.path(), "another is making one there at this moment");
      refuse(folder.path(), errno);
    }
    // Otherwise it was removed by the one who had it, and the next may have made another.
    if (is_same_file(lock.get(), file)) return FolderClaim(file, std::move(lock));
  }
}

FolderClaim::~FolderClaim() {
  if (lock_ && is_same_file(lock_.get(), file_)) ::unlink(file_.c_str());
}

NewCollection::NewCollection(const std::filesystem::path& folder)
    : folder_(folder.has_filename() ? folder : folder.parent_path()) {
  const std::string name = fmt::format("{}-{}", unfinished, random_digits(12));
  model_ = folder_.path() / (name + ".safetensors");
  database_ = folder_.path() / (name + ".db");
  // Another may take the folder back between the two steps.
  for (int round = 0; !claim_; ++round) {
    if (round == most_rounds) refuse(folder_.path(), ENOENT);
    if (make_folder(folder_.path())) has_made_folder_ = true;
    check_free(folder_);
    if (auto claim = FolderClaim::take(folder_, false)) claim_.emplace(*std::move(claim));
  }
  // Whoever had the claim before may have published.
  check_free(folder_);
  remove_remains(folder_);
  // Nothing else is to survive a power cut without the claim.
  synchronise_folder(folder_.path());
}

NewCollection::~NewCollection() {
  try {
    remove_remains(folder_);
  } catch (const std::exception&) {
    // The next one does.
  }
  claim_.reset();
  if (has_made_folder_) ::rmdir(folder_.path().c_str());  // fails where it was published
}

void NewCollection::publish() {
  std::error_code ignored;
  const bool has_model = fs::exists(model_, ignored);
  if (has_model) synchronise(model_);
  synchronise(database_);
  if (has_model) move_into_place(model_, folder_.path() / CollectionFolder::model_name(1));
  move_into_place(database_, folder_.database());
}

void check_finished(const CollectionFolder& folder) {
  std::error_code error;
  if (fs::exists(folder.database(), error)) return;
  const std::string name = folder.path().string();
  if (error) {
    throw Error(ErrorCode::failure,
                fmt::format("{}: cannot read: {}", name, reason_of(error.value())),
                remedy_for(error.value(), FileUse::read));
  }
  if (!fs::exists(folder.path())) {
    throw Error(ErrorCode::bad_input, fmt::format("{}: there is no such folder", name),
                "check the name");
  }
  if (fs::exists(folder.path() / unfinished)) {
    throw Error(ErrorCode::bad_input, fmt::format("{}: is being made, or was never finished", name),
                "wait until it is there; if nobody makes it, make it again with `create()`");
  }
  if (fs::is_regular_file(folder.path(), error)) {
    throw Error(ErrorCode::bad_input, fmt::format("{}: is a file, not a collection", name),
                "a collection is a folder that `create()` makes; were two arguments exchanged?");
  }
  throw Error(ErrorCode::bad_input, fmt::format("{}: is not a collection", name),
              is_model_alone(folder)
                  ? "if `create()` was killed there, remove the folder and make it again"
                  : "convert raw data with `import_files()`, and make one of that with `create()`");
}

void check_finished(const CollectionFolder& folder, Database& database) {
  if (has_tables(database)) return;
  throw Error(ErrorCode::bad_input, fmt::format("{}: was never finished", folder.path().string()),
              "remove the folder and make it again with `create()`");
}

bool remove_unused(const CollectionFolder& folder, Database& writer) {
  const std::optional<FolderClaim> claim = FolderClaim::take(folder, true);
  if (!claim) return false;
  {
    const Transaction writing(writer, Transaction::Kind::write);
    if (CollectionState::read(writer).next_row > 0) return false;
    std::error_code error;
    if (!fs::remove(folder.database(), error)) return false;
  }
  remove_remains(folder);
  return true;
}

}  // namespace tsmini
