// Every call with which a collection is made and changed fails in turn, or is the last of its
// process: what was acknowledged is there, what was refused is not, and work goes on.
#include "tsmini/collection.h"

#include <filesystem>
#include <string>

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
