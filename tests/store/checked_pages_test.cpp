// Bits that flip in the file of the database, in its tables and in the indexes that SQLite keeps.
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/collection.h"

#include "base/random.h"
#include "store/small_collection.h"
#include "store/sqlite.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

constexpr std::size_t page_size = 8192;

class StorePages : public testing::Test {
 protected:
  StorePages() {
    {
      Collection collection = Collection::create(path(), small_model());
      collection.add(data_);
      collection.make_index();
    }
    bytes_ = read_file(file());
  }

  std::filesystem::path path() const { return folder_ / "c"; }
  std::filesystem::path file() const { return path() / "collection.db"; }

  // What people ask, each answered as by an undamaged collection.
  void ask() const {
    const Collection collection = Collection::open(path());
    for (std::size_t i = 0; i < data_.size(); i += 29) {
      SearchRequest request;
      request.k = 3;
      const auto [low, high] = std::pair(data_[i].points.front(), data_[i].points.back());
      request.filter.box =
          Box{std::min(low.lon, high.lon) - 1e5, std::min(low.lat, high.lat) - 1e5,
              std::max(low.lon, high.lon) + 1e5, std::max(low.lat, high.lat) + 1e5};
      request.filter.ids = {std::string(data_[i].id)};
      for (const SearchMode mode : {SearchMode::fast, SearchMode::rerank, SearchMode::exact}) {
        request.mode = mode;
        ASSERT_EQ(ids_of(collection.search(data_[i].points, request)),
                  std::vector{std::string(data_[i].id)});
      }
      ASSERT_TRUE(collection.find(data_[i].id));
    }
    ASSERT_EQ(collection.size(), data_.size());
  }

  void add_again() const {
    AddOptions options;
    options.duplicates = Duplicates::skip;
    Collection collection = Collection::open(path());
    EXPECT_EQ(collection.add(data_, options).added, 0u);
  }

  template <class Work>
  static void expect_right_or_refused(const Work& work) {
    try {
      work();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_input) << error.what();
    }
  }

  TemporaryFolder folder_;
  Dataset data_ = small_trips(300);
  std::string bytes_;
};

TEST_F(StorePages, AFlippedBitIsNeverAnOtherAnswer) {
  ASSERT_EQ(bytes_.size() % page_size, 0u);
  ASSERT_GT(bytes_.size() / page_size, 20u);
  Random random(1);
  for (std::size_t page = 0; page < bytes_.size() / page_size; ++page) {
    // Also the checksum itself, and in the first page what says that there are any.
    for (const std::size_t at :
         {page == 0 ? 20 : random.below(page_size), random.below(page_size), page_size - 1}) {
      std::string damaged = bytes_;
      damaged[page * page_size + at] ^= static_cast<char>(1 << random.below(8));
      write_file(file(), damaged);
      expect_right_or_refused([&] { ask(); });
      expect_error(ErrorCode::bad_input, "damaged", "restore",
                   [&] { Collection::open(path()).verify(); });
    }
  }
}

TEST_F(StorePages, PagesThatChangedPlaces) {
  for (std::size_t page = 2; page + 1 < bytes_.size() / page_size; page += 3) {
    std::string damaged = bytes_;
    std::swap_ranges(damaged.begin() + static_cast<std::ptrdiff_t>(page * page_size),
                     damaged.begin() + static_cast<std::ptrdiff_t>((page + 1) * page_size),
                     damaged.begin() + static_cast<std::ptrdiff_t>((page + 1) * page_size));
    write_file(file(), damaged);
    expect_error(ErrorCode::bad_input, "damaged", "restore",
                 [&] { Collection::open(path()).verify(); });
  }
}

// SQLite takes zeros for what a file lacks of its last page.
TEST_F(StorePages, CutInsideAPage) {
  for (const std::size_t cut : {1u, 9u, 1000u, 8191u, 8193u, 20'000u}) {
    write_file(file(), bytes_.substr(0, bytes_.size() - cut));
    expect_right_or_refused([&] { ask(); });
    expect_error(ErrorCode::bad_input, "damaged", "restore",
                 [&] { Collection::open(path()).verify(); });
    expect_right_or_refused([&] { add_again(); });
  }
}

// As of a power cut while the log goes into the database: what the log has is read from there.
TEST_F(StorePages, PagesThatTheLogHasMayBeTorn) {
  const std::filesystem::path copy = folder_ / "copy";
  {
    Collection collection = Collection::open(path());
    collection.add(small_trips(50, "u", 2));
    std::filesystem::copy(path(), copy, std::filesystem::copy_options::recursive);
  }
  ASSERT_GT(std::filesystem::file_size(copy / "collection.db-wal"), 0u);
  std::filesystem::remove(copy / "collection.db-shm");
  const std::string log = read_file(copy / "collection.db-wal");
  std::string torn = read_file(copy / "collection.db");
  constexpr std::size_t frame_header = 24, first_frame = 32;
  for (std::size_t at = first_frame; at + frame_header <= log.size();
       at += frame_header + page_size) {
    std::size_t page = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      page = page << 8 | static_cast<unsigned char>(log[at + i]);
    }
    if (page == 1 || page * page_size > torn.size()) continue;
    torn.replace((page - 1) * page_size + 4096, 4096, std::string(4096, 'x'));
  }
  ASSERT_NE(torn, read_file(copy / "collection.db"));
  write_file(copy / "collection.db", torn);
  Collection collection = Collection::open(copy);
  EXPECT_EQ(collection.size(), data_.size() + 50);
  collection.verify();
  collection.add(small_trips(5, "v", 3));
  collection.verify();
}

// What cannot be told from new must not be stored a second time.
TEST_F(StorePages, NothingIsAddedTwice) {
  Random random(2);
  for (std::size_t page = 1; page < bytes_.size() / page_size; ++page) {
    std::string damaged = bytes_;
    damaged[page * page_size + random.below(page_size)] ^= 4;
    write_file(file(), damaged);
    expect_right_or_refused([&] { add_again(); });
  }
}

TEST_F(StorePages, ChecksumsStayWhereAllIsWrittenAnew) {
  {
    Collection collection = Collection::open(path());
    collection.add(small_trips(100, "u", 2));
    std::vector<std::string> gone;
    for (std::size_t i = 0; i < 150; ++i) gone.push_back("t" + std::to_string(i));
    collection.remove(gone);
    collection.compact();
    collection.verify();
    EXPECT_EQ(collection.size(), 250u);
  }
  EXPECT_TRUE(Database(file(), Database::Access::read).has_checksums());
  Collection::open(path()).verify();
}

}  // namespace
}  // namespace tsmini
