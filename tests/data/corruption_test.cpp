// A .tsd file that is not as it was written is refused before a wrong number leaves it.
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/dataset.h"

#include "data/tsd_format.h"
#include "support/datasets.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "support/imports.h"

namespace tsmini {
namespace {

const std::vector<OwnedTrajectory> some{{"first", {{1, 2}, {3, 4}, {5, 6}}, {10, 20, 30}},
                                        {"second", {{-7, 8}, {9, -10}}, {}},
                                        {"third", {{0.5, 0.25}}, {7}}};
const std::vector<Part> some_parts{Part::train, Part::none, Part::test};

// With every attribute of every trajectory.
std::vector<std::string> all_of(const Dataset& data) {
  std::vector<std::string> lines = lines_of(data);
  for (const AttributeColumn& column : data.attributes()) {
    std::string& line = lines.emplace_back(column.name());
    for (std::size_t i = 0; i < data.size(); ++i) line += "|" + text_of(column[i]);
  }
  return lines;
}

class Corruption : public testing::Test {
 protected:
  Corruption() {
    DatasetWriter writer(file_);
    const std::string_view long_text = "a longer text, of more than a word";
    const std::vector<std::vector<Attribute>> attributes{
        {{"text", "one"}, {"whole", std::int64_t{7}}, {"real", 0.5}, {"is", true}},
        {},
        {{"text", long_text}, {"real", -1.5}, {"is", false}}};
    for (std::size_t i = 0; i < some.size(); ++i) writer.add(some[i].view(), attributes[i]);
    writer.finish(some_parts, "{\"made\":\"by a test\"}");
    bytes_ = read_file(file_);
    std::memcpy(&header_, bytes_.data(), sizeof header_);
  }

  void write(const std::string& bytes) const { write_file(file_, bytes); }

  // The file with a header changed by `change`, its checksum made to fit.
  void write_with_header(const std::function<void(tsd::Header&)>& change) const {
    tsd::Header header = header_;
    change(header);
    header.checksum = checksum_of_header(header);
    std::string bytes = bytes_;
    std::memcpy(bytes.data(), &header, sizeof header);
    write(bytes);
  }

  // The file with the bytes of a section changed, all checksums made to fit.
  void write_with_section(std::string_view name, const std::function<void(char*)>& change) const {
    std::string bytes = bytes_;
    tsd::Header header = header_;
    for (FileSection& section : header.sections) {
      if (std::string_view(section.name.data()) != name) continue;
      change(bytes.data() + section.offset);
      const std::span<const char> content(bytes.data() + section.offset, section.size);
      section.checksum = checksum_of(std::as_bytes(content));
    }
    header.checksum = checksum_of_header(header);
    std::memcpy(bytes.data(), &header, sizeof header);
    write(bytes);
  }

  void expect_refused(const std::string& message, const std::string& hint = "") const {
    expect_error(ErrorCode::bad_input, "data.tsd: .*" + message, hint,
                 [&] { Dataset::open(file_).verify(); });
  }

  bool is_padding(std::size_t at) const {
    if (at < sizeof header_) return false;
    for (std::size_t i = 0; i < header_.section_count; ++i) {
      const FileSection& s = header_.sections[i];
      if (at >= s.offset && at < s.offset + s.size) return false;
    }
    return true;
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "data.tsd";
  std::string bytes_;
  tsd::Header header_;
};

TEST_F(Corruption, EveryByteCounts) {
  const auto lines = all_of(Dataset::open(file_));
  std::size_t padding = 0;
  for (std::size_t at = 0; at < bytes_.size(); ++at) {
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::string altered = bytes_;
      altered[at] = static_cast<char>(altered[at] ^ flip);
      write(altered);
      try {
        const Dataset data = Dataset::open(file_);
        data.verify();
        ASSERT_TRUE(is_padding(at)) << "byte " << at << " was altered unnoticed";
        ASSERT_EQ(all_of(data), lines);
        ++padding;
      } catch (const Error& error) {
        ASSERT_EQ(error.code(), ErrorCode::bad_input) << error.what();
        ASSERT_FALSE(is_padding(at)) << at;
      }
    }
  }
  EXPECT_GT(padding, 0u);
}

TEST_F(Corruption, EveryByteCountsWithoutVerify) {
  const auto lines = all_of(Dataset::open(file_));
  for (std::size_t at = 0; at < bytes_.size(); ++at) {
    std::string altered = bytes_;
    altered[at] = static_cast<char>(altered[at] ^ 4);
    write(altered);
    try {
      ASSERT_EQ(all_of(Dataset::open(file_)), lines) << at;
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::bad_input);
    }
  }
}

TEST_F(Corruption, EveryCutIsNoticed) {
  for (std::size_t size = 0; size < bytes_.size(); ++size) {
    write(bytes_.substr(0, size));
    expect_refused(size < 8 ? "is not a .tsd data set" : "the data set is cut short");
  }
}

TEST_F(Corruption, AltersOfLargerFilesAreNoticedWhereTheyAreRead) {
  write_dataset(file_, random_trajectories(300, 1));
  const std::string bytes = read_file(file_);
  for (std::size_t at = 512; at < bytes.size(); at += 997) {
    std::string altered = bytes;
    altered[at] = static_cast<char>(altered[at] ^ 2);
    write(altered);
    try {
      expect_same(Dataset::open(file_), built(random_trajectories(300, 1)));
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::bad_input);
    }
  }
}

TEST_F(Corruption, HeaderClaimsABillionTrajectories) {
  write_with_header([](tsd::Header& h) { h.trajectories = 1'000'000'000; });
  expect_refused("claims 1000000000 trajectories.* more than its [0-9]+ bytes can hold");
  write_with_header([](tsd::Header& h) { h.points = 1'000'000'000; });
  expect_refused("claims");
  for (const std::uint64_t huge :
       {~std::uint64_t{0}, ~std::uint64_t{0} - 1, std::uint64_t{1} << 61}) {
    write_with_header([&](tsd::Header& h) { h.trajectories = huge; });
    expect_refused("claims");
    write_with_header([&](tsd::Header& h) { h.points = huge; });
    expect_refused("claims");
  }
}

TEST_F(Corruption, HeaderClaimsOneTooMany) {
  write_with_header([](tsd::Header& h) { ++h.trajectories; });
  expect_refused("does not fit its header");
  write_with_header([](tsd::Header& h) { --h.points; });
  expect_refused("does not fit its header");
}

TEST_F(Corruption, SectionsOutsideTheFile) {
  for (std::size_t i = 0; i < header_.section_count; ++i) {
    for (const std::uint64_t offset :
         {std::uint64_t{1} << 40, ~std::uint64_t{63}, header_.sections[i].offset + 1}) {
      write_with_header([&](tsd::Header& h) { h.sections[i].offset = offset; });
      expect_refused("");
    }
    for (const std::uint64_t size : {std::uint64_t{1} << 40, ~std::uint64_t{0}, std::uint64_t{1}}) {
      write_with_header([&](tsd::Header& h) { h.sections[i].size = size; });
      expect_refused("");
    }
    write_with_header([&](tsd::Header& h) { h.sections[i].name[0] = 'X'; });
    const std::string_view name(header_.sections[i].name.data());
    const bool is_optional =
        name == tsd::times_section || name == tsd::parts_section || name == tsd::attributes_section;
    if (!is_optional) expect_refused("is missing");
  }
}

TEST_F(Corruption, HeaderThatMakesNoSense) {
  write_with_header([](tsd::Header& h) { h.section_count = 9; });
  expect_refused("the header makes no sense");
  write_with_header([](tsd::Header& h) { h.section_count = ~0u; });
  expect_refused("the header makes no sense");
  write_with_header([](tsd::Header& h) { h.coordinates = 2; });
  expect_refused("the header makes no sense");
  write_with_header([](tsd::Header& h) { h.section_count = 0; });
  expect_refused("is missing");
  write_with_header([](tsd::Header& h) { h.file_size += 1; });
  expect_refused("cut short");
}

TEST_F(Corruption, NewerVersion) {
  write_with_header([](tsd::Header& h) { h.version = 2; });
  expect_refused("is of version 2, this program reads up to 1", "update tsmini");
}

TEST_F(Corruption, OffsetsThatDoNotRise) {
  const auto set = [](std::size_t index, std::uint64_t value) {
    return [=](char* bytes) { std::memcpy(bytes + 8 * index, &value, 8); };
  };
  for (const auto section : {tsd::offsets_section, tsd::id_offsets_section}) {
    write_with_section(section, set(1, 1'000'000));
    expect_refused("offsets do not rise");
    write_with_section(section, set(0, 1));
    expect_refused("offsets do not rise");
    write_with_section(section, set(3, 5));
    expect_refused("offsets do not rise");
  }
}

TEST_F(Corruption, ContentsThatBreakTheContract) {
  write_with_section(tsd::points_section, [](char* bytes) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    std::memcpy(bytes, &nan, sizeof nan);
  });
  expect_refused("trajectory 0 \\('first'\\) has a point that is not finite");
  write_with_section(tsd::points_section, [](char* bytes) {
    const double far = 1000;
    std::memcpy(bytes, &far, sizeof far);
  });
  expect_refused("outside the extent");
  write_with_section(tsd::times_section, [](char* bytes) {
    const std::int64_t late = 25;
    std::memcpy(bytes, &late, sizeof late);
  });
  expect_refused("times that go backwards");
  write_with_section(tsd::ids_section, [](char* bytes) { bytes[0] = '\xff'; });
  expect_refused("an id that is not UTF-8");
  write_with_section(tsd::parts_section, [](char* bytes) { bytes[0] = 4; });
  expect_refused("a split mark is unknown");
}

// Every eight bytes of the section's head, table and columns as any number at all, all checksums
// made to fit: refused, or read without harm.
TEST_F(Corruption, AttributesOfAnyNumbers) {
  std::size_t size = 0;
  for (const FileSection& section : header_.sections) {
    if (std::string_view(section.name.data()) == tsd::attributes_section) size = section.size;
  }
  ASSERT_GT(size, 64u * 5);
  std::size_t refused = 0;
  for (std::size_t at = 0; at + 8 <= size; at += 8) {
    for (const std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{64}, std::uint64_t{size},
          std::uint64_t{1} << 32, std::uint64_t{1} << 63, ~std::uint64_t{0}, ~std::uint64_t{63}}) {
      write_with_section(tsd::attributes_section,
                         [&](char* bytes) { std::memcpy(bytes + at, &value, sizeof value); });
      try {
        const Dataset data = Dataset::open(file_);
        all_of(data);
        data.verify();
      } catch (const Error& error) {
        ASSERT_EQ(error.code(), ErrorCode::bad_input);
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 100u);
}

TEST_F(Corruption, AttributesThatBreakTheContract) {
  const auto table = [](std::size_t column, std::size_t field, std::uint64_t value) {
    return [=](char* bytes) { std::memcpy(bytes + 64 + 64 * column + field, &value, 8); };
  };
  const auto section = tsd::attributes_section;
  write_with_section(section, [](char* bytes) { bytes[0] = 0x7f; });
  expect_refused("claims 127 attributes");
  write_with_section(section, table(0, 0, 4));
  expect_refused("the unknown type 4");
  write_with_section(section, table(1, 8, 3));
  expect_refused("more or fewer values than it says");
  write_with_section(section, table(0, 32, 1 << 20));
  expect_refused("lies outside its section");
  write_with_section(section, table(0, 40, 8));
  expect_refused("is not aligned");
  write_with_section(section, table(0, 56, 5));
  expect_refused("offsets of an attribute do not rise");
}

// Three trajectories have three bits.
TEST_F(Corruption, AttributesWithBitsBehindTheLastTrajectory) {
  const auto bitmap = [](std::size_t column, std::size_t field, char bits) {
    return [=](char* bytes) {
      std::uint64_t at = 0;
      std::memcpy(&at, bytes + 64 + 64 * column + field, sizeof at);
      bytes[at] = bits;
    };
  };
  constexpr std::size_t text = 0, boolean = 3, validity = 32, values = 40;
  for (const auto& [column, field] :
       std::vector<std::pair<std::size_t, std::size_t>>{{text, validity}, {boolean, values}}) {
    write_with_section(tsd::attributes_section, bitmap(column, field, 0b101));
    EXPECT_NO_THROW(Dataset::open(file_).verify());
    write_with_section(tsd::attributes_section, bitmap(column, field, 0b1001));  // as many
    expect_refused("bits set behind the last trajectory");
  }
}

TEST_F(Corruption, ImportOfADamagedFileFails) {
  std::string altered = bytes_;
  altered[520] = static_cast<char>(altered[520] ^ 1);
  write(altered);
  const TemporaryFolder out;
  expect_error(ErrorCode::bad_input, "data.tsd: section 'points' was altered", "again",
               [&] { import_files({file_}, out / "x.tsd", {}); });
  EXPECT_EQ(out.names(), std::vector<std::string>{});
}

}  // namespace
}  // namespace tsmini
