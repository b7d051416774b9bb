// Several who make an index of one collection at once, and what they leave behind.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/collection.h"

#include "store/index_maker.h"
#include "store/small_collection.h"
#include "support/files.h"

namespace tsmini {
namespace {

using Names = std::vector<std::string>;

// Does something while files are being made, at the n-th time that progress is told.
class Meanwhile {
 public:
  Meanwhile(int moment, std::function<void()> work) : left_(moment), work_(std::move(work)) {}

  Progress progress() {
    return [this](const ProgressState&) {
      if (left_-- == 0) work_();
    };
  }
  bool has_come() const { return left_ < 0; }

 private:
  int left_;
  std::function<void()> work_;
};

class IndexMaking : public testing::Test {
 protected:
  IndexMaking() { begin(); }

  void begin() {
    std::filesystem::remove_all(path_);
    Collection::create(path_, small_model(), IndexKind::hnsw).add(data_);
  }

  // scene(moment) says whether there was such a moment.
  void at_each_moment(const std::function<bool(int)>& scene) {
    int moment = 0;
    while (scene(moment)) {
      begin();
      ++moment;
    }
    EXPECT_GE(moment, 2);  // of exact search, and of the index
  }

  Names ids() const {
    Names ids;
    for (std::size_t i = 0; i < data_.size(); ++i) ids.emplace_back(data_[i].id);
    return ids;
  }

  // Everything but what belongs to the database and the model.
  Names companions() const {
    Names names;
    for (const auto& file : std::filesystem::directory_iterator(path_)) {
      const std::string name = file.path().filename().string();
      if (name.find("index-") != std::string::npos || name.find("exact-") != std::string::npos) {
        names.push_back(name);
      }
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "c";
  Dataset data_ = small_trips(40);
};

// No name before and no name after, but what was removed in between is forgotten.
TEST_F(IndexMaking, IsNotPutInForceAfterACompaction) {
  at_each_moment([&](int moment) {
    Collection collection = Collection::open(path_);
    Meanwhile meanwhile(moment, [&] {
      Collection other = Collection::open(path_);
      other.make_index();
      other.remove(ids());
      other.compact();
    });
    collection.make_index(meanwhile.progress());
    if (!meanwhile.has_come()) return false;
    EXPECT_EQ(collection.size(), 0u);
    EXPECT_EQ(only_model(collection).indexed, 0u);
    EXPECT_TRUE(collection.search(data_[0].points).answers.empty());
    collection.verify();
    EXPECT_EQ(companions(), Names());
    return true;
  });
}

TEST_F(IndexMaking, LeavesTheFilesOfOneWhoWasQuicker) {
  at_each_moment([&](int moment) {
    Collection collection = Collection::open(path_);
    Names files;
    Meanwhile meanwhile(moment, [&] {
      Collection other = Collection::open(path_);
      other.add(small_trips(5, "u", 2));
      other.make_index();
      files = companions();
    });
    collection.make_index(meanwhile.progress());
    if (!meanwhile.has_come()) return false;
    for (const std::string& name : companions()) {
      EXPECT_NE(std::find(files.begin(), files.end(), name), files.end());
    }
    EXPECT_EQ(only_model(collection).indexed, 45u);
    EXPECT_EQ(collection.search(data_[0].points, {.k = 100}).answers.size(), 45u);
    collection.verify();
    return true;
  });
}

TEST_F(IndexMaking, ACompactionForgetsWhatWasRemovedWhoeverElseIsAtWork) {
  at_each_moment([&](int moment) {
    Collection collection = Collection::open(path_);
    collection.make_index();
    collection.remove(Names{"t3", "t4"});
    Meanwhile meanwhile(moment, [&] {
      Collection other = Collection::open(path_);
      other.add(small_trips(5, "u", 2));
      other.make_index();
    });
    collection.compact(meanwhile.progress());
    if (!meanwhile.has_come()) return false;
    EXPECT_EQ(only_model(collection).removed, 0u);
    EXPECT_EQ(collection.search(data_[0].points, {.k = 100}).answers.size(), 43u);
    collection.verify();
    return true;
  });
}

TEST_F(IndexMaking, RemovesWhatWasLeftBehind) {
  Collection collection = Collection::open(path_);
  for (const std::string name : {"index-000000000000", "exact-000000000000"}) {
    write_file(path_ / name, "never put in force");
    write_file(path_ / ("." + name + ".77.tmp"), "of a process that was killed");
  }
  collection.make_index();
  EXPECT_EQ(companions().size(), 2u);
  collection.verify();
}

TEST_F(IndexMaking, LeavesTheWorkOfOthersAlone) {
  const Names work{".index-111111111111.77.tmp", "index-000000000000", "exact-000000000000"};
  at_each_moment([&](int moment) {
    Collection collection = Collection::open(path_);
    Meanwhile meanwhile(moment, [&] {
      for (const std::string& name : work) write_file(path_ / name, "in hand");
      Collection other = Collection::open(path_);
      other.make_index();
      EXPECT_EQ(only_model(other).indexed, 40u);
      for (const std::string& name : work) EXPECT_TRUE(std::filesystem::exists(path_ / name));
    });
    collection.make_index(meanwhile.progress());
    if (!meanwhile.has_come()) return false;
    EXPECT_EQ(companions().size(), 2u);
    return true;
  });
}

TEST(IndexWanted, WhereTheTailOrRemovalsAreATenthAndMany) {
  for (const std::size_t few : {std::size_t{0}, std::size_t{9'999}}) {
    EXPECT_FALSE(is_index_wanted(few, 0, 1'000)) << few;
    EXPECT_TRUE(is_index_wanted(few, 0, 1'001)) << few;
    EXPECT_FALSE(is_index_wanted(few, 1'000, 0)) << few;
    EXPECT_TRUE(is_index_wanted(few, 1'001, 0)) << few;
  }
  EXPECT_FALSE(is_index_wanted(100'000, 10'000, 10'000));
  EXPECT_TRUE(is_index_wanted(100'000, 10'001, 0));
  EXPECT_TRUE(is_index_wanted(100'000, 0, 10'001));
  EXPECT_FALSE(is_index_wanted(1'000'000, 100'000, 50'000));
  EXPECT_TRUE(is_index_wanted(1'000'000, 0, 50'001)) << "no search scans more than that";
}

}  // namespace
}  // namespace tsmini
