#include "base/byte_source.h"

#include <random>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tsmini/error.h"

#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

std::string read_all(ByteSource& source, std::size_t piece_size) {
  std::string all, piece(piece_size, '\0');
  while (const std::size_t got = source.read(piece)) all.append(piece, 0, got);
  EXPECT_EQ(source.read(piece), 0u);
  return all;
}

std::string some_text(std::size_t size) {
  std::mt19937_64 random(1);
  std::string text;
  while (text.size() < size) text += std::to_string(random() % 1000) + ",";
  text.resize(size);
  return text;
}

TEST(ByteSource, GivesAPlainFileInPiecesOfAnySize) {
  const TemporaryFolder folder;
  const std::string text = some_text(10'000);
  write_file(folder / "a.txt", text);
  for (const std::size_t piece : {1u, 2u, 3u, 7u, 4096u, 20'000u}) {
    ByteSource source(folder / "a.txt");
    EXPECT_EQ(source.file_size(), text.size());
    EXPECT_EQ(read_all(source, piece), text);
    EXPECT_EQ(source.consumed(), text.size());
    EXPECT_EQ(source.name(), (folder / "a.txt").string());
  }
}

TEST(ByteSource, InflatesWhateverTheNameSays) {
  const TemporaryFolder folder;
  const std::string text = some_text(1'000'000), packed = gzipped(text);
  write_file(folder / "a.txt", packed);
  for (const std::size_t piece : {1000u, 4096u, 2'000'000u}) {
    ByteSource source(folder / "a.txt");
    EXPECT_EQ(read_all(source, piece), text);
    EXPECT_EQ(source.consumed(), packed.size());
  }
}

TEST(ByteSource, ReadsSeveralMembersAsOne) {
  for (const auto& parts : std::vector<std::vector<std::string>>{{"one\n", "two\n"},
                                                                 {"", "a"},
                                                                 {"a", ""},
                                                                 {"", "", ""},
                                                                 {"x", some_text(600'000), "y"}}) {
    std::string text, packed;
    for (const std::string& part : parts) {
      text += part;
      packed += gzipped(part);
    }
    ByteSource source("memory", packed);
    EXPECT_EQ(read_all(source, 100), text);
  }
}

TEST(ByteSource, RefusesAGzipFileCutAnywhere) {
  const std::string packed = gzipped("id,time,lon,lat\na,1,-8.61,41.14\na,2,-8.62,41.15\n");
  for (std::size_t size = 2; size < packed.size(); ++size) {
    ByteSource source("trips.csv.gz", packed.substr(0, size));
    expect_error(ErrorCode::bad_input, "^trips\\.csv\\.gz: the gzip file is cut short$", "gzip -t",
                 [&] { read_all(source, 1000); });
  }
}

TEST(ByteSource, RefusesASecondMemberCutAnywhere) {
  const std::string first = gzipped("first"), second = gzipped("second");
  for (std::size_t size = 1; size < second.size(); ++size) {
    ByteSource source("two.gz", first + second.substr(0, size));
    expect_error(ErrorCode::bad_input, "^two\\.gz: ", "", [&] { read_all(source, 1000); });
  }
}

TEST(ByteSource, RefusesAlteredGzip) {
  const std::string text = some_text(2000), packed = gzipped(text);
  for (std::size_t at = packed.size() - 8; at < packed.size(); ++at) {  // checksum and length
    std::string altered = packed;
    altered[at] = static_cast<char>(altered[at] ^ 1);
    ByteSource source("a.gz", altered);
    expect_error(ErrorCode::bad_input, "^a\\.gz: the gzip file is damaged", "fetch",
                 [&] { read_all(source, 1000); });
  }
  int refused = 0;
  for (std::size_t at = 10; at < packed.size(); ++at) {  // behind the header: never other text
    std::string altered = packed;
    altered[at] = static_cast<char>(altered[at] ^ 0x10);
    ByteSource source("a.gz", altered);
    try {
      ASSERT_EQ(read_all(source, 1000), text) << at;
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::bad_input);
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

TEST(ByteSource, PeekDoesNotConsume) {
  for (const bool packed : {false, true}) {
    const std::string text = some_text(1000);
    ByteSource source("a", packed ? gzipped(text) : text);
    EXPECT_EQ(source.peek(5), text.substr(0, 5));
    EXPECT_EQ(source.peek(3), text.substr(0, 3));
    EXPECT_EQ(source.peek(900), text.substr(0, 900));
    EXPECT_EQ(source.peek(2000), text);
    EXPECT_EQ(read_all(source, 7), text);
  }
}

TEST(ByteSource, TakesAnEmptyFileAsTheEnd) {
  const TemporaryFolder folder;
  write_file(folder / "empty", "");
  write_file(folder / "empty.gz", gzipped(""));
  for (const char* name : {"empty", "empty.gz"}) {
    ByteSource source(folder / name);
    EXPECT_EQ(source.peek(10), "");
    EXPECT_EQ(read_all(source, 10), "");
  }
  write_file(folder / "one", "\x1f");
  ByteSource source(folder / "one");
  EXPECT_EQ(read_all(source, 10), "\x1f");
}

TEST(ByteSource, NamesWhatCannotBeRead) {
  const TemporaryFolder folder;
  expect_error(ErrorCode::bad_input, "nothing.csv: cannot read: No such file", "check the name",
               [&] { ByteSource source(folder / "nothing.csv"); });
  expect_error(ErrorCode::bad_input, ": is a folder, not a file$", "",
               [&] { ByteSource source(folder.path()); });
}

TEST(ByteSource, ReadsPipesAndSaysThatItWaits) {
  const TemporaryFolder folder;
  const auto path = folder / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  int calls = 0;
  std::thread writer([&] {
    const int fd = ::open(path.c_str(), O_WRONLY);
    EXPECT_EQ(::write(fd, "abc", 3), 3);
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    EXPECT_EQ(::write(fd, "def", 3), 3);
    ::close(fd);
  });
  ByteSource source(path, [&] { ++calls; });
  EXPECT_EQ(source.file_size(), 0u);
  EXPECT_EQ(read_all(source, 100), "abcdef");
  writer.join();
  EXPECT_GE(calls, 1);
}

TEST(ByteSource, GivesUpOnAPipeWhereItsCallerWants) {
  const TemporaryFolder folder;
  const auto path = folder / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const FileHandle writer(::open(path.c_str(), O_RDWR));
  expect_error(ErrorCode::interrupted, "enough", "", [&] {
    ByteSource source(path, [] { throw Error(ErrorCode::interrupted, "enough"); });
  });
}

TEST(ByteSource, CallsStandardInputByItsName) {
  const TemporaryFolder folder;
  write_file(folder / "in", "typed");
  const int saved = ::dup(STDIN_FILENO);
  {
    const FileHandle file = open_for_reading(folder / "in");
    ::dup2(file.get(), STDIN_FILENO);
    ByteSource source("-");
    EXPECT_EQ(source.name(), "standard input");
    EXPECT_EQ(source.file_size(), 0u);
    EXPECT_EQ(read_all(source, 2), "typed");
  }
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
}

}  // namespace
}  // namespace tsmini
