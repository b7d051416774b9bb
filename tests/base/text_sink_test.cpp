#include "base/text_sink.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/byte_source.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

std::string contents(const std::filesystem::path& path) {
  ByteSource source(path);
  std::string all, piece(100'000, '\0');
  while (const std::size_t got = source.read(piece)) all.append(piece, 0, got);
  return all;
}

TEST(TextSink, CompressesWhereTheNameSaysSo) {
  const TemporaryFolder folder;
  std::mt19937_64 random(1);
  std::string text;
  for (const char* name : {"a.csv", "a.csv.gz"}) {
    text.clear();
    TextSink sink(folder / name);
    for (int i = 0; i < 3000; ++i) {
      const std::string line = std::to_string(random()) + std::string(random() % 300, 'x') + "\n";
      text += line;
      sink.write(line);
    }
    sink.write("");
    sink.commit();
    EXPECT_EQ(contents(folder / name), text);
  }
  EXPECT_TRUE(read_file(folder / "a.csv.gz").starts_with("\x1f\x8b"));
  EXPECT_EQ(read_file(folder / "a.csv"), contents(folder / "a.csv"));
  EXPECT_LT(read_file(folder / "a.csv.gz").size(), text.size() / 2);
}

TEST(TextSink, CompressesNothingAndMuch) {
  const TemporaryFolder folder;
  {
    TextSink sink(folder / "empty.gz");
    sink.commit();
  }
  EXPECT_EQ(contents(folder / "empty.gz"), "");
  const std::string large(10'000'000, 'a');
  TextSink sink(folder / "large.gz");
  sink.write(large);
  sink.commit();
  EXPECT_EQ(contents(folder / "large.gz"), large);
}

TEST(TextSink, LeavesNothingWithoutCommit) {
  const TemporaryFolder folder;
  {
    TextSink plain(folder / "a"), packed(folder / "b.gz");
    plain.write("x");
    packed.write("x");
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{});
}

TEST(TextSink, NamesTheFolderThatIsMissing) {
  const TemporaryFolder folder;
  expect_error(ErrorCode::failure, "no/a.csv: cannot write", "create the folder first",
               [&] { TextSink sink(folder / "no/a.csv"); });
}

}  // namespace
}  // namespace tsmini
