#include "base/section_file.h"

#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/error.h"

#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

template <class T>
std::vector<T> values_of(const SectionReader& file, std::string_view section) {
  const Array<T> array = file.mapped<T>(section);
  const std::span<const T> values = array.values();
  return {values.begin(), values.end()};
}

class SectionFile : public testing::Test {
 protected:
  using Fields = std::array<std::uint64_t, section_fields_size / sizeof(std::uint64_t)>;

  static constexpr SectionFileKind kind{
      .magic = {'T', 'S', 'T', 'E', 'S', 'T', '\r', '\n'},
      .version = 2,
      .without_blocks = 1,
      .called = "a file of a test",
      .noun = "file of a test",
      .make_again = "make it again",
      .convert = "make one",
  };

  SectionFile() : numbers(10'000) {
    std::iota(numbers.begin(), numbers.end(), 7U);
    SectionWriter out(path);
    out.add("numbers", std::span<const std::uint32_t>(numbers));
    out.add("none", std::span<const double>());
    out.begin("lettered");
    for (const char& letter : letters) out.append(std::as_bytes(std::span(&letter, 1)));
    out.end();
    EXPECT_FALSE(std::filesystem::exists(path));
    out.finish(kind, Fields{1, 2, 3});
    content = read_file(path);
  }

  SectionFileHeader header() const {
    SectionFileHeader header;
    std::memcpy(&header, content.data(), sizeof header);
    return header;
  }
  // The file with another header, whose checksum is right.
  template <class Change>
  std::string with_header(const Change& change) const {
    SectionFileHeader altered = header();
    change(altered);
    altered.checksum = checksum_of_header(altered);
    std::string file = content;
    std::memcpy(file.data(), &altered, sizeof altered);
    return file;
  }
  std::string with_a_flip_at(std::size_t place) const {
    std::string file = content;
    file[place] = static_cast<char>(file[place] ^ 0x10);
    return file;
  }

  // Before anything is read of a section.
  void expect_refused(const std::string& file, const std::string& message,
                      const std::string& hint = "") const {
    write_file(path, file);
    expect_error(ErrorCode::bad_input, "file: .*" + message, hint,
                 [&] { const SectionReader in(path, kind); });
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder / "file";
  std::vector<std::uint32_t> numbers;  // three blocks, the last one not full
  std::string letters = "letters, one by one";
  std::string content;
};

TEST_F(SectionFile, GivesBackWhatWasWritten) {
  const SectionReader in(path, kind);
  EXPECT_EQ(in.version(), 2U);
  EXPECT_EQ(in.fields<Fields>(), (Fields{1, 2, 3}));
  EXPECT_EQ(values_of<std::uint32_t>(in, "numbers"), numbers);
  EXPECT_EQ(values_of<double>(in, "none"), std::vector<double>());
  EXPECT_EQ(values_of<char>(in, "lettered"), std::vector<char>(letters.begin(), letters.end()));
  const Array<std::uint32_t> some = in.mapped<std::uint32_t>("numbers", 10'000, 5'000, 3);
  EXPECT_EQ(some.size(), 3U);
  EXPECT_EQ(some[0], 5'007U);
  in.verify();
}

TEST_F(SectionFile, WithAnyByteOfItsHeaderAlteredIsRefused) {
  for (std::size_t i = 0; i < sizeof(SectionFileHeader); ++i) expect_refused(with_a_flip_at(i), "");
  expect_refused(with_a_flip_at(20), "the header was altered", "make it again");
}

TEST_F(SectionFile, WithAnAlteredSectionIsReadUpToThere) {
  const SectionFileHeader written = header();
  const FileSection& section = written.sections[0];
  ASSERT_EQ(name_of(section), "numbers");
  write_file(path, with_a_flip_at(section.offset + section.size - 1));
  const SectionReader in(path, kind);
  const Array<std::uint32_t> array = in.mapped<std::uint32_t>("numbers", 10'000);
  EXPECT_EQ(array[8'191], 8'198U);  // the last of the second block
  EXPECT_THROW(array[8'192], DamagedFile);
  EXPECT_THROW(in.verify(), DamagedFile);
  expect_error(ErrorCode::bad_input, "section 'numbers' was altered between byte", "make it again",
               [&] { array.values(); });
}

TEST_F(SectionFile, WithAlteredChecksumsIsRefused) {
  const SectionFileHeader written = header();
  const FileSection& section = written.sections[2];
  expect_refused(with_a_flip_at(section_aligned(section.offset + section.size)),
                 "the checksums of section 'lettered' were altered", "make it again");
}

TEST_F(SectionFile, CutOrProlongedIsRefused) {
  for (const std::size_t size : {0U, 7U}) {
    expect_refused(content.substr(0, size), "is not a file of a test", "make one");
  }
  for (const std::size_t size : {8U, 511U}) {
    expect_refused(content.substr(0, size), "the file of a test is cut short", "make it again");
  }
  for (const std::size_t size : {std::size_t{512}, std::size_t{20'000}, content.size() - 1}) {
    expect_refused(content.substr(0, size), "bytes in place of", "make it again");
  }
  expect_refused(content + 'x', "bytes in place of", "make it again");
}

TEST_F(SectionFile, OfAnotherKindOrALaterVersionIsRefused) {
  expect_refused("TSDATA\r\n" + content.substr(8), "is not a file of a test", "make one");
  expect_refused(with_header([](SectionFileHeader& h) { h.version = 3; }),
                 "is of version 3, this program reads up to 2", "update tsmini");
}

// A header whose checksum is right.
TEST_F(SectionFile, WhoseHeaderLiesIsRefused) {
  const auto refused = [&](const std::string& message, const auto& lie) {
    expect_refused(with_header(lie), message, "make it again");
  };
  refused("makes no sense", [](SectionFileHeader& h) { h.version = 0; });
  refused("makes no sense", [](SectionFileHeader& h) { h.section_count = most_sections + 1; });
  refused("section 'numbers' lies outside",
          [](SectionFileHeader& h) { h.sections[0].offset += 8; });
  refused("section 'none' lies outside", [&](SectionFileHeader& h) {
    h.sections[1].offset = section_aligned(content.size()) + 64;
  });
  refused("section 'lettered' lies outside",
          [](SectionFileHeader& h) { h.sections[2].size = UINT64_MAX - 64; });
}

TEST_F(SectionFile, RefusesWhatItDoesNotHold) {
  const SectionReader in(path, kind);
  const auto refused = [&](const std::string& message, const std::function<void()>& work) {
    expect_error(ErrorCode::bad_input, message, "make it again", work);
  };
  refused("section 'letter' is missing", [&] { in.mapped<char>("letter"); });
  refused("section 'numbers' has 40000 bytes", [&] { in.mapped<std::uint32_t>("numbers", 9'999); });
  refused("section 'lettered' has 19 bytes", [&] { in.mapped<std::uint32_t>("lettered"); });
}

// Files of the first versions: a section has one checksum, and is compared as a whole.
TEST_F(SectionFile, OfAnOldVersionHasNoBlocks) {
  const std::string old = with_header([&](SectionFileHeader& h) {
    h.version = 1;
    for (FileSection& section : std::span(h.sections).first(h.section_count)) {
      section.checksum =
          checksum_of(std::as_bytes(std::span(content)).subspan(section.offset, section.size));
    }
  });
  write_file(path, old);
  {
    const SectionReader in(path, kind);
    EXPECT_EQ(in.version(), 1U);
    EXPECT_EQ(values_of<std::uint32_t>(in, "numbers"), numbers);
    in.verify();
  }
  std::string altered = old;
  altered[header().sections[0].offset + 39'999] = 'x';
  write_file(path, altered);
  const SectionReader in(path, kind);
  EXPECT_THROW(in.mapped<std::uint32_t>("numbers", 10'000)[0], DamagedFile);
}

TEST(Sections, BeginAtMultiplesOf64) {
  EXPECT_EQ(section_aligned(0), 0U);
  EXPECT_EQ(section_aligned(1), 64U);
  EXPECT_EQ(section_aligned(64), 64U);
  EXPECT_EQ(section_aligned(65), 128U);
  EXPECT_TRUE(lies_inside({.offset = 64, .size = 36}, 100));
  EXPECT_FALSE(lies_inside({.offset = 64, .size = 37}, 100));
  EXPECT_FALSE(lies_inside({.offset = 65, .size = 1}, 100));
  EXPECT_FALSE(lies_inside({.offset = 128, .size = 0}, 100));
}

TEST(Sections, MayHaveNamesOfEightLetters) {
  const std::array<FileSection, 2> all{
      {{.name = {'b', 'o', 'x', 'e', 's'}}, {.name = {'b', 'o', 'x', 'h', 'u', 'l', 'l', 's'}}}};
  EXPECT_EQ(name_of(all[0]), "boxes");
  EXPECT_EQ(name_of(all[1]), "boxhulls");
  const SectionFileKind kind{};
  const std::string name = "a file";
  const SectionTable sections(kind, name, all, {});
  EXPECT_EQ(&sections["boxhulls"], &all[1]);
  EXPECT_TRUE(sections.has("boxes"));
  EXPECT_FALSE(sections.has("box"));
}

}  // namespace
}  // namespace tsmini
