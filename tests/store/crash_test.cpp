// A writer is killed at random moments: nothing acknowledged is lost, nothing is ever wrong.
#include <array>
#include <csignal>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/collection.h"

#include "store/crash_plan.h"
#include "support/files.h"
#include "support/process.h"

namespace tsmini {
namespace {

class StoreCrash : public testing::Test {
 protected:
  // Checks all pieces that were begun against the collection.
  static void check_pieces(const Collection& collection, const CrashLog& log) {
    std::set<std::string> removed, perhaps_removed;
    for (std::size_t n = 0; n < log.begun; ++n) {
      if (kind_of(n) != Piece::remove) continue;
      for (const std::string& id : removed_by(n)) {
        (log.done[n] ? removed : perhaps_removed).insert(id);
      }
    }
    for (std::size_t n = 0; n < log.begun; ++n) {
      if (kind_of(n) != Piece::add) continue;
      const Dataset trips = trips_of(n);
      std::size_t there = 0, expected = 0;
      for (std::size_t i = 0; i < trips.size(); ++i) {
        const std::string id(trips[i].id);
        const auto found = collection.find(id);
        if (removed.contains(id)) {
          EXPECT_FALSE(found) << id << " was removed";
          continue;
        }
        if (perhaps_removed.contains(id)) continue;
        ++expected;
        there += found ? 1u : 0u;
      }
      if (log.done[n]) {
        EXPECT_EQ(there, expected) << "piece " << n << " was acknowledged";
      } else {
        EXPECT_TRUE(there == 0 || there == expected) << "piece " << n << " is there by half";
      }
    }
  }

  // The newest acknowledged trips are found by every kind of search.
  static void check_search(const Collection& collection, const CrashLog& log) {
    std::size_t n = log.begun;
    while (n > 0 && !(log.done[n - 1] && kind_of(n - 1) == Piece::add)) --n;
    if (n == 0) return;
    const Dataset trips = trips_of(n - 1);
    for (const SearchMode mode : {SearchMode::fast, SearchMode::rerank, SearchMode::exact}) {
      SearchRequest request;
      request.k = 1;
      request.mode = mode;
      EXPECT_EQ(ids_of(collection.search(trips[0].points, request)),
                std::vector{std::string(trips[0].id)})
          << name_of(mode);
    }
  }
};

TEST_F(StoreCrash, NothingAcknowledgedIsLost) {
  const TemporaryFolder folder;
  const std::string path = (folder / "c").string(), log_file = (folder / "log").string();
  Collection::create(path, small_model());
  write_file(log_file, "");
  std::array<int, piece_kinds> killed_in{};
  for (int kill = 0; kill < TSMINI_KILLS; ++kill) {
    const std::size_t kind = static_cast<std::size_t>(kill) % piece_kinds;
    EXPECT_EQ(RunningProcess({TSMINI_KILLED_WRITER, path, log_file, std::to_string(kind),
                              std::to_string(20'251 + kill)})
                  .wait()
                  .status,
              128 + SIGKILL);
    const CrashLog log = CrashLog::read(log_file);
    ASSERT_GT(log.begun, 0u);
    ASSERT_FALSE(log.done.back()) << "it died between two pieces";
    ++killed_in[static_cast<std::size_t>(kind_of(log.begun - 1))];
    const Collection collection = Collection::open(path);
    collection.verify();
    EXPECT_TRUE(collection.notes().empty()) << collection.notes().front();
    check_pieces(collection, log);
    check_search(collection, log);
    if (HasFailure()) break;
  }
  // It did die in the midst of every kind of work.
  for (const int count : killed_in) EXPECT_EQ(count, TSMINI_KILLS / static_cast<int>(piece_kinds));
}

}  // namespace
}  // namespace tsmini
