#include <string>

#include <gtest/gtest.h>

#include "search/embeddings.h"
#include "search/index_bytes.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

constexpr std::array all_kinds{IndexKind::flat, IndexKind::coded, IndexKind::hnsw};

class IndexFile : public testing::TestWithParam<IndexKind> {
 protected:
  IndexFile() {
    EmbeddingIndex index({.dimension = 20, .metric = {MetricKind::l1, 1}, .kind = GetParam()});
    index.add(clustered_rows(100, 20, 1));
    index.save(path, "the owner");
    content = read_file(path);
  }

  void expect_refused(const std::string& altered, const std::string& message) const {
    write_file(path, altered);
    expect_error(ErrorCode::bad_input, message, "", [&] { EmbeddingIndex::load(path); });
  }
  // The file with another header, whose checksum is right.
  template <class Change>
  std::string with_header(const Change& change) const {
    IndexHeader header = header_of(content);
    change(header);
    std::string altered = content;
    set_header(altered, header);
    return altered;
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder / "index";
  std::string content;
};

TEST_P(IndexFile, WithAnyByteOfItsHeaderAlteredIsRefused) {
  for (std::size_t i = 0; i < sizeof(SectionFileHeader); ++i) {
    std::string altered = content;
    altered[i] = static_cast<char>(altered[i] ^ 0x10);
    expect_refused(altered, "index: ");
  }
}

TEST_P(IndexFile, WithAnyByteOfItsSectionsAlteredDoesNotVerify) {
  write_file(path, content);
  for (const FileSection& section : sections_of(content)) {
    for (std::size_t i = 0; i < section.size; i += 1 + section.size / 20) {
      std::string altered = content;
      altered[section.offset + i] = static_cast<char>(altered[section.offset + i] ^ 1);
      write_file(path, altered);
      expect_error(ErrorCode::bad_input, "was altered", "again",
                   [&] { EmbeddingIndex::load(path).verify(); });
    }
  }
}

TEST_P(IndexFile, CutOrProlongedIsRefused) {
  for (std::size_t size = 0; size < content.size(); size += 1 + size / 3) {
    expect_refused(content.substr(0, size), "");
  }
  expect_refused(content.substr(0, content.size() - 1), "bytes in place of");
  expect_refused(content + 'x', "bytes in place of");
}

TEST_P(IndexFile, OfAnotherFormatIsRefused) {
  expect_refused("", "is not an index");
  expect_refused("TSDATA\r\n" + content.substr(8), "is not an index");
  expect_refused(std::string(5'000, 'x'), "is not an index");
  std::filesystem::remove(path);
  expect_error(ErrorCode::bad_input, "index", "", [&] { EmbeddingIndex::load(path); });
}

// A liar who knows how to compute checksums.
TEST_P(IndexFile, ThatLiesIsRefused) {
  const auto refused = [&](const std::string& message,
                           const std::function<void(IndexHeader&)>& lie) {
    expect_refused(with_header(lie), message);
  };
  refused("of version 3", [](IndexHeader& h) { h.version = 3; });
  refused("makes no sense", [](IndexHeader& h) { h.version = 0; });
  refused("makes no sense", [](IndexHeader& h) { h.section_count = 12; });
  refused("unknown metric", [](IndexHeader& h) { h.fields.metric = 4; });
  refused("unknown metric or kind", [](IndexHeader& h) { h.fields.kind = 3; });
  refused("dimension", [](IndexHeader& h) { h.fields.dimension = 0; });
  refused("does not fit", [](IndexHeader& h) { h.fields.dimension = 65; });
  refused("does not fit", [](IndexHeader& h) { h.fields.rows = 101; });
  refused("does not fit", [](IndexHeader& h) { h.fields.rows = 99; });
  refused("more rows than", [](IndexHeader& h) { h.fields.rows = UINT64_MAX / 4; });
  refused("group does not", [](IndexHeader& h) { h.fields.metric = 3, h.fields.group = 7; });
  refused("group does not", [](IndexHeader& h) { h.fields.metric = 3, h.fields.group = 0; });
  refused("missing", [](IndexHeader& h) { h.section_count = 1; });
  refused("missing", [](IndexHeader& h) { h.sections[0].name[0] = 'R'; });
  refused("outside the file",
          [](IndexHeader& h) { h.sections[0].offset = std::uint64_t{1} << 40; });
  refused("outside the file", [](IndexHeader& h) { h.sections[0].offset += 8; });
  refused("outside the file", [](IndexHeader& h) { h.sections[0].size = UINT64_MAX - 64; });
  refused("does not fit", [](IndexHeader& h) { h.sections[0].size -= 4; });
}

INSTANTIATE_TEST_SUITE_P(Kinds, IndexFile, testing::ValuesIn(all_kinds),
                         [](const auto& param) { return std::string(name_of(param.param)); });

TEST(IndexOwner, IsShort) {
  const TemporaryFolder folder;
  const EmbeddingIndex index({.dimension = 4, .metric = {MetricKind::l1, 1}});
  index.save(folder / "index", std::string(64, 'a'));
  EXPECT_EQ(EmbeddingIndex::load(folder / "index").owner(), std::string(64, 'a'));
  expect_error(ErrorCode::usage, "65 bytes", "at most 64",
               [&] { index.save(folder / "index", std::string(65, 'a')); });
}

}  // namespace
}  // namespace tsmini
