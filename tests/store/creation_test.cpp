// Making a collection: exactly one of many succeeds, and one that is killed is no obstacle.
#include "store/creation.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/collection.h"

#include "store/small_collection.h"
#include "store/sqlite.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "support/process.h"

namespace tsmini {
namespace {

namespace fs = std::filesystem;

constexpr const char* told_words = "it exists already|another is making one there at this moment";

class StoreCreation : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // Nothing but a sound collection of one trip, of the one who won.
  static void expect_only(const fs::path& folder, const std::string& winner) {
    const Collection collection = Collection::open(folder);
    collection.verify();
    EXPECT_EQ(collection.size(), 1u);
    EXPECT_TRUE(collection.find(winner + "0")) << winner;
    expect_nothing_left(folder);
  }

  static void expect_nothing_left(const fs::path& folder) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      EXPECT_FALSE(matches(entry.path().filename().string(), "unfinished")) << entry.path();
    }
  }

  std::vector<std::string> log_lines(const std::string& name) const {
    std::vector<std::string> lines;
    std::ifstream in(folder_ / name);
    for (std::string line; std::getline(in, line) && !in.eof();) lines.push_back(line);
    return lines;
  }

  TemporaryFolder folder_;
};

TEST_F(StoreCreation, OneOfManyThreadsWins) {
  constexpr std::size_t rounds = 30, rivals = 4;
  const Model model = small_model();
  for (std::size_t round = 0; round < rounds && !HasFailure(); ++round) {
    const fs::path folder = folder_ / std::to_string(round);
    if (round % 2 == 1) fs::create_directory(folder);
    std::atomic<std::size_t> ready = 0;
    std::vector<int> won(rivals);
    std::vector<std::thread> threads;
    for (std::size_t r = 0; r < rivals; ++r) {
      threads.emplace_back([&, r] {
        const Dataset trip = small_trips(1, "r" + std::to_string(r) + "-");
        ++ready;
        while (ready < rivals) {
        }
        try {
          Collection::create(folder, model).add(trip);
          won[r] = 1;
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), ErrorCode::failure);
          EXPECT_TRUE(matches(error.what(), told_words)) << error.what();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(std::count(won.begin(), won.end(), 1), 1) << "round " << round;
    const auto winner = std::find(won.begin(), won.end(), 1) - won.begin();
    expect_only(folder, "r" + std::to_string(winner) + "-");
  }
}

TEST_F(StoreCreation, OneOfManyProcessesWins) {
  constexpr std::size_t rounds = 30, rivals = 3;
  std::vector<std::unique_ptr<RunningProcess>> processes;
  for (std::size_t r = 0; r < rivals; ++r) {
    write_file(folder_ / ("log" + std::to_string(r)), "");
    processes.push_back(std::make_unique<RunningProcess>(
        Words{TSMINI_RIVAL_MAKER, "r" + std::to_string(r) + "-", path("log" + std::to_string(r))}));
  }
  for (std::size_t round = 0; round < rounds && !HasFailure(); ++round) {
    const std::string folder = path("deep/" + std::to_string(round));
    for (const auto& process : processes) process->feed(folder + "\n");
    std::string winner;
    for (std::size_t r = 0; r < rivals; ++r) {
      std::vector<std::string> lines;
      while ((lines = log_lines("log" + std::to_string(r))).size() <= round) {
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
      if (lines[round] == "won " + folder) {
        EXPECT_EQ(winner, "") << "two won " << folder;
        winner = "r" + std::to_string(r) + "-";
      } else {
        EXPECT_TRUE(matches(lines[round], told_words)) << lines[round];
      }
    }
    ASSERT_NE(winner, "") << "nobody won " << folder;
    expect_only(folder, winner);
  }
}

TEST_F(StoreCreation, OneThatIsKilledIsNoObstacle) {
  std::mt19937 random(7);
  std::size_t cut_short = 0;
  for (int kill = 0; kill < 15 && !HasFailure(); ++kill) {
    const std::string log = "log" + std::to_string(kill);
    write_file(folder_ / log, "");
    const std::string prefix = path(std::to_string(kill) + "-");
    RunningProcess maker({TSMINI_RIVAL_MAKER, "k", path(log)});
    for (int i = 0; i < 40; ++i) maker.feed(prefix + std::to_string(i) + "\n");
    while (log_lines(log).empty()) std::this_thread::sleep_for(std::chrono::microseconds(200));
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000));
    maker.signal(SIGKILL);
    maker.wait();
    const std::size_t acknowledged = log_lines(log).size();
    for (std::size_t i = 0; i < acknowledged; ++i) expect_only(prefix + std::to_string(i), "k");
    // Nobody knows how far the next one came.
    const std::string last = prefix + std::to_string(acknowledged);
    if (!fs::exists(fs::path(last) / "collection.db")) {
      cut_short += fs::exists(last) ? 1u : 0u;
      Collection::create(last, small_model()).add(small_trips(1, "k"));
      expect_only(last, "k");
    } else {
      Collection::open(last).verify();
    }
  }
  EXPECT_GT(cut_short, 0u) << "none was killed in the midst of it";
}

// The same, at a moment that is hard to meet.
TEST_F(StoreCreation, WhatAKilledOneLeftIsRemoved) {
  write_file(folder_ / "c/tsmini-unfinished", "");
  write_file(folder_ / "c/tsmini-unfinished-0123456789ab.db", "half a database");
  write_file(folder_ / "c/tsmini-unfinished-0123456789ab.db-journal", "x");
  write_file(folder_ / "c/.tsmini-unfinished-0123456789ab.safetensors.123.tmp", "x");
  write_file(folder_ / "c/model.safetensors", "half a model");
  expect_error(ErrorCode::bad_input, "c: is being made, or was never finished",
               "make it again with `create", [&] { Collection::open(folder_ / "c"); });
  Collection::create(folder_ / "c", small_model()).add(small_trips(1, "k"));
  expect_only(folder_ / "c", "k");
}

TEST_F(StoreCreation, WhileAnotherMakesIt) {
  {
    const NewCollection other(folder_ / "c");
    expect_error(ErrorCode::failure, "c: cannot make a collection: another is making one there", "",
                 [&] { Collection::create(folder_ / "c", small_model()); });
    expect_error(ErrorCode::bad_input, "c: is being made", "wait until it is there",
                 [&] { Collection::open(folder_ / "c"); });
  }
  EXPECT_EQ(folder_.names(), std::vector<std::string>{}) << "nothing is left of one given up";
}

TEST_F(StoreCreation, OtherFilesAreNotTouched) {
  for (const std::string name : {"model.safetensors", "notes.txt", "collection.db-wal"}) {
    write_file(folder_ / "c" / name, "mine");
    EXPECT_THROW(Collection::create(folder_ / "c", small_model()), Error) << name;
    EXPECT_EQ(read_file(folder_ / "c" / name), "mine");
    EXPECT_EQ(folder_.names(), (std::vector<std::string>{"c", "c/" + name}));
    fs::remove_all(folder_ / "c");
  }
  // Neither where a killed one was in the folder.
  write_file(folder_ / "c/tsmini-unfinished", "");
  write_file(folder_ / "c/notes.txt", "mine");
  expect_error(ErrorCode::failure, "it exists already", "another name",
               [&] { Collection::create(folder_ / "c", small_model()); });
  EXPECT_EQ(read_file(folder_ / "c/notes.txt"), "mine");
}

TEST_F(StoreCreation, AnEmptyFolderIsTaken) {
  fs::create_directory(folder_ / "c");
  fs::permissions(folder_ / "c", fs::perms(0700));
  Collection::create(folder_ / "c/", small_model());
  EXPECT_EQ(fs::status(folder_ / "c").permissions(), fs::perms(0700));
  Collection::open(folder_ / "c").verify();
  // Also where a link leads to it.
  fs::create_directory(folder_ / "d");
  fs::create_directory_symlink(folder_ / "d", folder_ / "link");
  Collection::create(folder_ / "link", small_model());
  Collection::open(folder_ / "d").verify();
}

TEST_F(StoreCreation, WhereNobodyMayWrite) {
  if (!fs::exists("/sys/kernel")) GTEST_SKIP() << "no folder here is closed to everybody";
  expect_error(ErrorCode::failure, "cannot make a collection", "a folder that you may write to",
               [] { Collection::create("/sys/tsmini-test", small_model()); });
}

// Whoever reads goes on with what is open; whoever writes would write for nobody.
TEST_F(StoreCreation, TransactionsOfADatabaseThatWasRemoved) {
  Database database(folder_ / "d.db", Database::Access::create);
  database.run("CREATE TABLE t (n)");
  fs::remove(folder_ / "d.db");
  EXPECT_NO_THROW(Transaction(database, Transaction::Kind::read));
  expect_error(ErrorCode::failure, "d.db", ".",
               [&] { const Transaction writing(database, Transaction::Kind::write); });
}

// 0.1.0 was killed after it had written the model, or the file of the database.
TEST_F(StoreCreation, LeftByTheFirstVersion) {
  small_model().save(folder_ / "model.safetensors");
  for (const char* database : {"none", "empty", "header"}) {
    const fs::path folder = folder_ / database;
    fs::create_directory(folder);
    fs::copy(folder_ / "model.safetensors", folder);
    if (database == std::string("empty")) write_file(folder / "collection.db", "");
    if (database == std::string("header")) {
      Database(folder / "collection.db", Database::Access::create)
          .run("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL");
    }
    const bool is_certain = database != std::string("none");
    expect_error(ErrorCode::bad_input, is_certain ? "was never finished" : "is not a collection",
                 "remove the folder and make it again", [&] { Collection::open(folder); });
    expect_error(
        ErrorCode::failure,
        is_certain ? "holds the beginnings of one that was never finished" : "it exists already",
        "remove the folder", [&] { Collection::create(folder, small_model()); });
    EXPECT_TRUE(fs::exists(folder / "model.safetensors"));
  }
}

TEST_F(StoreCreation, OnlyAnUnusedOneCanBeDiscarded) {
  Collection first = Collection::create(folder_ / "c", small_model());
  {
    Collection other = Collection::open(folder_ / "c");
    other.add(small_trips(1));
    other.remove(std::vector<std::string>{"t0"});
  }
  EXPECT_FALSE(first.discard_if_unused());
  EXPECT_EQ(Collection::open(folder_ / "c").size(), 0u);
  expect_nothing_left(folder_ / "c");

  Collection second = Collection::create(folder_ / "d", small_model());
  Collection other = Collection::open(folder_ / "d");
  EXPECT_EQ(other.size(), 0u);
  EXPECT_TRUE(second.discard_if_unused());
  EXPECT_TRUE(fs::is_empty(folder_ / "d"));
  expect_error(ErrorCode::failure, "removed or replaced", "open it again",
               [&] { other.add(small_trips(1)); });
  // Nor is another discarded in its place.
  Collection::create(folder_ / "d", small_model());
  expect_error(ErrorCode::failure, "removed or replaced", "open it again",
               [&] { second.discard_if_unused(); });
  EXPECT_EQ(Collection::open(folder_ / "d").size(), 0u);
  expect_nothing_left(folder_ / "d");
}

}  // namespace
}  // namespace tsmini
