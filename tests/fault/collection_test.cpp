// Every call with which a collection is made and changed fails in turn, or is the last of its
// process: what was acknowledged is there, what was refused is not, and work goes on.
#include "tsmini/collection.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/error.h"

#include "fault/scenes.h"
#include "fault/soundness.h"
#include "fault/sweep.h"
#include "support/files.h"

namespace tsmini {
namespace {

namespace fs = std::filesystem;

class FaultyCollection : public testing::Test {
 protected:
  FaultyCollection() {
    Collection collection = Collection::create(folder_ / "before", small_model());
    for (const Scene& scene : opening_scenes()) {
      scene.play(collection);
      before_ = scene.after(before_);
    }
  }

  fs::path path() const { return folder_ / "run/c"; }

  void prepare() const {
    fs::remove_all(folder_ / "run");
    fs::create_directory(folder_ / "run");
    fs::copy(folder_ / "before", path());
  }

  void sweep_verb(const std::string& verb) const {
    const Ids after = scene(verb).after(before_);
    sweep(
        {.name = verb,
         .words = {TSMINI_FAULT_WRITER, verb, path().string()},
         .folder = folder_ / "run",
         .prepare = [&] { prepare(); },
         .check =
             [&](const FaultyRun& run) {
               expect_sound(path(), run.done() ? std::vector{after} : std::vector{before_, after});
             }});
  }

  TemporaryFolder folder_;
  Ids before_;
};

TEST_F(FaultyCollection, Add) {
  sweep_verb("add");
}

TEST_F(FaultyCollection, Remove) {
  sweep_verb("remove");
}

TEST_F(FaultyCollection, Index) {
  sweep_verb("index");
}

TEST_F(FaultyCollection, Compact) {
  sweep_verb("compact");
}

TEST_F(FaultyCollection, AddModel) {
  sweep_verb("model");
}

TEST_F(FaultyCollection, RemoveModel) {
  sweep_verb("unmodel");
}

// The first write to a collection of tsmini 0.1 changes its format: all or nothing.
TEST_F(FaultyCollection, Upgrade) {
  const fs::path golden = TSMINI_SOURCE_DIR "/tests/data/golden/0.1.0/collection";
  const std::vector<std::string> first{"trip-0000001"}, second{"trip-0000002"};
  sweep({.name = "upgrade",
         .words = {TSMINI_FAULT_WRITER, "upgrade", path().string()},
         .folder = folder_ / "run",
         .prepare =
             [&] {
               fs::remove_all(folder_ / "run");
               fs::create_directory(folder_ / "run");
               fs::copy(golden, path());
             },
         .check =
             [&](const FaultyRun& run) {
               try {
                 Collection collection = Collection::open(path());
                 collection.verify();
                 EXPECT_TRUE(collection.size() == 156 || (!run.done() && collection.size() == 157));
                 EXPECT_EQ(collection.remove(second), 1U);
                 collection.remove(first, true);
                 EXPECT_EQ(collection.size(), 155U);
                 collection.verify();
               } catch (const Error& error) {
                 ADD_FAILURE() << error.what();
               }
             }});
}

// One that was not made can be made; one that was is empty and usable.
TEST_F(FaultyCollection, Create) {
  sweep({.name = "create",
         .words = {TSMINI_FAULT_WRITER, "create", path().string()},
         .folder = folder_ / "run",
         .prepare =
             [&] {
               fs::remove_all(folder_ / "run");
               fs::create_directory(folder_ / "run");
             },
         .check =
             [&](const FaultyRun& run) {
               if (!run.done() && !fs::exists(path() / "collection.db")) {
                 try {
                   Collection::create(path(), small_model());
                 } catch (const Error& error) {
                   ADD_FAILURE() << error.what();
                 }
               }
               expect_sound(path(), {{}});
             }});
}

}  // namespace
}  // namespace tsmini
