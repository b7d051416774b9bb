#include "base/checksum.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tsmini/error.h"

#include "support/files.h"

namespace tsmini {
namespace {

using namespace std::string_view_literals;

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

// By the reference: `printf '' | xxhsum -H3`.
TEST(Checksum, IsXxh3) {
  EXPECT_EQ(checksum_digits(checksum_of({})), "2d06800538d394c2");
  EXPECT_EQ(Checksum().digits(), "2d06800538d394c2");
  EXPECT_EQ(checksum_of(bytes_of("tsmini")), Checksum().bytes(bytes_of("tsmini")).value());
}

TEST(Checksum, InParts) {
  const std::string text(10'000, 'x');
  for (const std::size_t at : {0u, 1u, 255u, 256u, 4096u, 10'000u}) {
    EXPECT_EQ(Checksum().bytes(bytes_of(text).first(at)).bytes(bytes_of(text).subspan(at)).value(),
              checksum_of(bytes_of(text)));
  }
}

TEST(Checksum, PiecesDoNotTradeBytes) {
  EXPECT_NE(Checksum().piece("ab"sv).piece("c"sv).value(),
            Checksum().piece("a"sv).piece("bc"sv).value());
  EXPECT_NE(Checksum().piece("ab"sv).value(), Checksum().piece("ab"sv).piece(""sv).value());
  EXPECT_EQ(Checksum().piece("ab"sv).value(),
            Checksum().bytes(bytes_of("\2\0\0\0\0\0\0\0ab"sv)).value());
}

TEST(Checksum, OfAFile) {
  const TemporaryFolder folder;
  write_file(folder / "empty", "");
  EXPECT_EQ(file_checksum(folder / "empty"), "2d06800538d394c2");
  const std::string text(10'000, 'x');
  write_file(folder / "text", text);
  EXPECT_EQ(file_checksum(folder / "text"), checksum_digits(checksum_of(bytes_of(text))));
  EXPECT_THROW(file_checksum(folder / "none"), Error);
}

TEST(Checksum, ALookDoesNotEndIt) {
  Checksum sum;
  sum.piece("a"sv);
  sum.value();
  sum.piece("b"sv);
  EXPECT_EQ(sum.value(), Checksum().piece("a"sv).piece("b"sv).value());
}

}  // namespace
}  // namespace tsmini
