// No answer rests on an altered part of an index file, and no altered part gets into another.
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "search/embeddings.h"
#include "search/index_damage.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

using Answers = std::vector<std::vector<Hit>>;

constexpr std::size_t dimension = 32, row_count = 3'000, query_count = 12, nearest_count = 5;

class DamagedIndexFile : public testing::TestWithParam<IndexKind> {
 protected:
  DamagedIndexFile() {
    EmbeddingIndex index(
        {.dimension = dimension, .metric = {MetricKind::l1, 1}, .kind = GetParam()});
    index.add(clustered_rows(row_count, dimension, 1));
    index.remove(8);
    index.save(path);
    content = read_file(path);
    const EmbeddingIndex loaded = EmbeddingIndex::load(path);
    for (std::size_t q = 0; q < query_count; ++q)
      truth.push_back(loaded.nearest(query(q), nearest_count));
  }

  std::span<const float> query(std::size_t i) const { return row_of(queries, dimension, i); }

  TemporaryFolder folder;
  std::filesystem::path path = folder / "index";
  std::string content;
  std::vector<float> queries = clustered_rows(query_count, dimension, 2);
  Answers truth;
};

TEST_P(DamagedIndexFile, GivesTheRightAnswerOrNone) {
  std::size_t found = 0;
  for (const Damage& damage : damages_of(content, 30, 1)) {
    const Damaged damaged(path, content, damage);
    SCOPED_TRACE(damage.section + " at " + std::to_string(damage.at));
    try {
      const EmbeddingIndex index = EmbeddingIndex::load(path);
      for (std::size_t q = 0; q < query_count; ++q) {
        try {
          EXPECT_EQ(index.nearest(query(q), nearest_count), truth[q]);
        } catch (const DamagedFile&) {
          ++found;
        }
      }
      EXPECT_THROW(index.verify(), DamagedFile);
      try {
        EXPECT_EQ(index.nearest_each(queries, nearest_count), truth);
      } catch (const DamagedFile&) {
        ++found;
      }
    } catch (const DamagedFile&) {
      ++found;  // as it was loaded: removed, ranges
    }
  }
  EXPECT_GT(found, 10u);
}

TEST_P(DamagedIndexFile, DoesNotGrowAndIsNotCopied) {
  const std::vector<float> more = clustered_rows(10, dimension, 3);
  for (const Damage& damage : damages_of(content, 3, 2)) {
    const Damaged damaged(path, content, damage);
    SCOPED_TRACE(damage.section + " at " + std::to_string(damage.at));
    EXPECT_THROW(EmbeddingIndex::load(path).add(more), DamagedFile);
    EXPECT_THROW(EmbeddingIndex::load(path).save(folder / "copy"), DamagedFile);
    EXPECT_EQ(folder.names(), std::vector<std::string>{"index"});
  }
}

TEST_P(DamagedIndexFile, WithAlteredChecksumsIsRefused) {
  for (const FileSection& section : sections_of(content)) {
    std::string altered = content;
    altered[section_aligned(section.offset + section.size)] ^= 4;
    write_file(path, altered);
    expect_error(ErrorCode::bad_input, "checksums of section '.*' were altered", "again",
                 [&] { EmbeddingIndex::load(path); });
  }
}

// Checksums fit, but nothing else does: no answer can be right, and no memory must be touched that
// is not there.
TEST_P(DamagedIndexFile, ThatLiesIsHarmless) {
  for (const Damage& damage : damages_of(content, 30, 4)) {
    std::string altered = content;
    altered.replace(damage.at, damage.bytes.size(), damage.bytes);
    write_file(path, resealed(altered));
    SCOPED_TRACE(damage.section + " at " + std::to_string(damage.at));
    try {
      EmbeddingIndex index = EmbeddingIndex::load(path);
      for (std::size_t q = 0; q < query_count; ++q) {
        for (const std::size_t wanted : {5U, 200U}) {  // by the graph, and by a scan
          for (const Hit& hit : index.nearest(query(q), wanted)) {
            EXPECT_LT(hit.row, row_count);
            EXPECT_GE(hit.distance, 0);
          }
        }
      }
      index.add(clustered_rows(10, dimension, 3));
    } catch (const DamagedFile& error) {
      ADD_FAILURE() << error.what();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_input) << error.what();
    }
  }
}

TEST_P(DamagedIndexFile, OfVersion1IsReadWholeWhenItIsLoaded) {
  const std::string old = as_version_1(content);
  write_file(path, old);
  {
    const EmbeddingIndex index = EmbeddingIndex::load(path);
    EXPECT_TRUE(index.was_read_whole());
    for (std::size_t q = 0; q < query_count; ++q)
      EXPECT_EQ(index.nearest(query(q), nearest_count), truth[q]);
    EXPECT_TRUE(index.removed(8));
    index.verify();
    index.save(folder / "new");
    EXPECT_EQ(read_file(folder / "new"), content);
    EXPECT_FALSE(EmbeddingIndex::load(folder / "new").was_read_whole());
  }
  for (const Damage& damage : damages_of(old, 6, 3)) {
    const Damaged damaged(path, old, damage);
    EXPECT_THROW(EmbeddingIndex::load(path), DamagedFile) << damage.section;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, DamagedIndexFile,
                         testing::Values(IndexKind::flat, IndexKind::coded, IndexKind::hnsw),
                         [](const auto& param) { return std::string(name_of(param.param)); });

}  // namespace
}  // namespace tsmini
