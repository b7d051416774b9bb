#include "base/file.h"

#include <cerrno>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system_reason.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

using Names = std::vector<std::string>;

TEST(OutputFile, HasNoNameBeforeItIsCommitted) {
  const TemporaryFolder folder;
  {
    OutputFile out(folder / "a");
    out.write("hello");
    out.write(std::string(3 << 20, 'x'));
    EXPECT_EQ(folder.names(), Names{});
    EXPECT_EQ(out.size(), 5u + (3u << 20));
    out.commit();
    EXPECT_EQ(folder.names(), Names{"a"});
  }
  EXPECT_EQ(read_file(folder / "a"), "hello" + std::string(3 << 20, 'x'));
}

TEST(OutputFile, RefusesANameThatCannotBeAtOnce) {
  const TemporaryFolder folder;
  expect_error(ErrorCode::failure, "xxx: cannot write: File name too long", "a shorter name",
               [&] { OutputFile(folder / std::string(256, 'x')); });
  // Its temporary name would be too long.
  expect_error(ErrorCode::failure, "xxx: cannot write: File name too long", "200 bytes",
               [&] { OutputFile(folder / std::string(250, 'x')); });
  OutputFile longest(folder / std::string(200, 'x'));
  longest.commit();
  EXPECT_EQ(folder.names(), Names{std::string(200, 'x')});
  ASSERT_EQ(::symlink("loop", (folder / "loop").c_str()), 0);
  expect_error(ErrorCode::failure, "loop: cannot write: Too many levels", "link",
               [&] { OutputFile(folder / "loop"); });
}

TEST(SystemReason, SaysWhatToDo) {
  for (const FileUse use : {FileUse::read, FileUse::write}) {
    for (const int error : {ENOSPC, EROFS, EACCES, EPERM, ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG,
                            ELOOP, EMFILE, EIO, EFBIG, EDQUOT}) {
      EXPECT_NE(remedy_for(error, use), "") << reason_of(error);
    }
  }
  EXPECT_NE(remedy_for(EACCES, FileUse::read), remedy_for(EACCES, FileUse::write));
  EXPECT_EQ(reason_of(EROFS), "Read-only file system");
}

TEST(OutputFile, LeavesNothingWithoutCommit) {
  const TemporaryFolder folder;
  {
    OutputFile out(folder / "a");
    out.write(std::string(5 << 20, 'x'));
  }
  EXPECT_EQ(folder.names(), Names{});
}

TEST(OutputFile, LeavesTheOldFileWithoutCommit) {
  const TemporaryFolder folder;
  write_file(folder / "a", "old");
  {
    OutputFile out(folder / "a");
    out.write("new");
    EXPECT_EQ(read_file(folder / "a"), "old");
  }
  EXPECT_EQ(read_file(folder / "a"), "old");
  EXPECT_EQ(folder.names(), Names{"a"});
}

TEST(OutputFile, ReplacesTheOldFileInOneStep) {
  const TemporaryFolder folder;
  write_file(folder / "a", "old");
  const FileHandle reader = open_for_reading(folder / "a");
  OutputFile out(folder / "a");
  out.write("new and longer");
  out.commit();
  EXPECT_EQ(read_file(folder / "a"), "new and longer");
  EXPECT_EQ(folder.names(), Names{"a"});
  std::string seen(10, '\0');  // whoever has the old one open keeps it whole
  EXPECT_EQ(::read(reader.get(), seen.data(), seen.size()), 3);
  EXPECT_EQ(seen.substr(0, 3), "old");
}

TEST(OutputFile, ManyOfAProcessReplaceTheSameFile) {
  const TemporaryFolder folder;
  write_file(folder / "a", "old");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      try {
        for (int times = 0; times < 50; ++times) {
          OutputFile out(folder / "a");
          out.write("new");
          out.commit();
        }
      } catch (const Error& error) {
        ADD_FAILURE() << error.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(read_file(folder / "a"), "new");
  EXPECT_EQ(folder.names(), Names{"a"});
}

TEST(OutputFile, GivesTheUsualPermissions) {
  const TemporaryFolder folder;
  const mode_t before = ::umask(027);
  OutputFile out(folder / "a");
  out.commit();
  ::umask(before);
  struct stat status {};
  ASSERT_EQ(::stat((folder / "a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0640u);
}

TEST(OutputFile, WritesOverWhatIsThere) {
  const TemporaryFolder folder;
  OutputFile out(folder / "a");
  out.write("0123456789");
  out.write_at(3, "abc", 3);
  out.write("XY");
  out.write_at(0, "_", 1);
  EXPECT_EQ(out.size(), 12u);
  out.commit();
  EXPECT_EQ(read_file(folder / "a"), "_12abc6789XY");
}

TEST(OutputFile, AppendsAnother) {
  const TemporaryFolder folder;
  const std::string large(5'000'001, 'z');
  OutputFile out(folder / "a"), part(folder / "b"), empty(folder / "c");
  out.write("head");
  part.write("part");
  part.write(large);
  out.append(part);
  out.append(empty);
  out.write("tail");
  out.commit();
  EXPECT_EQ(read_file(folder / "a"), "headpart" + large + "tail");
  EXPECT_EQ(folder.names(), Names{"a"});
}

TEST(OutputFile, SaysAtOnceThatItCannotBeWritten) {
  const TemporaryFolder folder;
  write_file(folder / "file", "");
  expect_error(ErrorCode::failure, "a/b/c.tsd: cannot write: No such file or directory",
               "create the folder first", [&] { OutputFile out(folder / "a/b/c.tsd"); });
  expect_error(ErrorCode::failure, "file/c.tsd: cannot write: Not a directory",
               "a file, not a folder", [&] { OutputFile out(folder / "file/c.tsd"); });
  expect_error(ErrorCode::failure, "cannot write: Is a directory", "",
               [&] { OutputFile out(folder.path()); });
  expect_error(ErrorCode::failure, "cannot write", "", [&] { OutputFile out(""); });
  expect_error(ErrorCode::failure, "cannot write: File name too long", "", [&] {
    OutputFile out(folder / (std::string(300, 'x') + ".tsd"));
    out.commit();
  });
}

TEST(OutputFile, SaysAtOnceThatTheFolderIsClosed) {
  if (::geteuid() == 0) GTEST_SKIP() << "as root every folder is writable";
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "closed");
  std::filesystem::permissions(
      folder / "closed", std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  expect_error(ErrorCode::failure, "Permission denied", "choose a folder you may write to",
               [&] { OutputFile out(folder / "closed/a"); });
}

TEST(OutputFile, NeverReplacesADeviceOrPipe) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  expect_error(ErrorCode::failure, "pipe: cannot write: is a device or pipe", "name of a file",
               [&] { OutputFile out(folder / "pipe"); });
  expect_error(ErrorCode::failure, "^/dev/null: cannot write", "",
               [] { OutputFile out("/dev/null"); });
}

TEST(OutputFile, NeverReplacesWhatAProcessHasOpen) {
  const TemporaryFolder folder;
  const int open = ::open((folder / "log").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_GE(open, 0);
  const std::string link = "/proc/self/fd/" + std::to_string(open);
  std::filesystem::create_symlink(link, folder / "link");
  std::filesystem::create_symlink("link", folder / "link to a link");
  for (const std::filesystem::path& path :
       {folder / "link", folder / "link to a link", std::filesystem::path(link),
        std::filesystem::path("/dev/fd") / std::to_string(open)}) {
    expect_error(ErrorCode::failure, "cannot write: is a device or pipe", "name of a file",
                 [&] { OutputFile out(path); });
  }
  ::close(open);
  std::filesystem::create_symlink("log", folder / "ordinary");
  OutputFile(folder / "ordinary").commit();
}

TEST(MappedFile, DoesNotWaitForAPipe) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  expect_error(ErrorCode::bad_input, "pipe: is not a regular file", "copy what it gives",
               [&] { MappedFile file(folder / "pipe"); });
}

TEST(OutputFile, SaysThatTheDiskIsFull) {
  const TemporaryFolder folder;
  if (::geteuid() != 0 || ::mount("none", folder.path().c_str(), "tmpfs", 0, "size=256k") != 0) {
    GTEST_SKIP() << "cannot mount a small file system here";
  }
  try {
    expect_error(ErrorCode::failure, "a.tsd: cannot write: No space left", "free some space", [&] {
      OutputFile out(folder / "a.tsd");
      out.write(std::string(4 << 20, 'x'));
      out.commit();
    });
    EXPECT_EQ(folder.names(), Names{});
  } catch (...) {
    ADD_FAILURE();
  }
  ::umount(folder.path().c_str());
}

TEST(MappedFile, ShowsTheBytesOfAFile) {
  const TemporaryFolder folder;
  write_file(folder / "a", "bytes");
  write_file(folder / "empty", "");
  const MappedFile file(folder / "a");
  EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(file.bytes().data()), 5), "bytes");
  EXPECT_EQ(file.bytes().size(), 5u);
  EXPECT_EQ(MappedFile(folder / "empty").bytes().size(), 0u);
}

TEST(MappedFile, RefusesWhatIsNoFile) {
  const TemporaryFolder folder;
  expect_error(ErrorCode::bad_input, "none: cannot read: No such file", "check the name",
               [&] { MappedFile file(folder / "none"); });
  expect_error(ErrorCode::bad_input, "is a folder", "", [&] { MappedFile file(folder.path()); });
  expect_error(ErrorCode::bad_input, "not a regular file", "",
               [] { MappedFile file("/dev/zero"); });
}

}  // namespace
}  // namespace tsmini
