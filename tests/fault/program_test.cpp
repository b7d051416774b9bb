// The program itself with every call that writes failing in turn, or being its last: a file is
// whole or not there, one that was to be replaced is the old or the new, and a collection is sound.
#include "tools/program.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tsmini/collection.h"
#include "tsmini/dataset.h"
#include "tsmini/model.h"

#include "fault/scenes.h"
#include "fault/soundness.h"
#include "fault/sweep.h"
#include "support/files.h"

namespace tsmini {
namespace {

namespace fs = std::filesystem;

void write_trips(const fs::path& path, const Dataset& data) {
  DatasetWriter writer(path, data.info().coordinates);
  for (std::size_t i = 0; i < data.size(); ++i) writer.add(data[i]);
  writer.finish({}, "{}");
}

class FaultyProgram : public testing::Test {
 protected:
  FaultyProgram() {
    fs::create_directory(folder_ / "in");
    small_model().save(folder_ / "in/model.safetensors");
    write_trips(folder_ / "in/trips.tsd", small_trips(12));
    write_trips(folder_ / "in/new.tsd", small_trips(5, "new", 5));
    empty_run();
  }

  std::string in(const std::string& name) const { return (folder_ / "in" / name).string(); }
  std::string out(const std::string& name) const { return (folder_ / "run" / name).string(); }

  void empty_run() const {
    fs::remove_all(folder_ / "run");
    fs::create_directory(folder_ / "run");
  }

  Words command(Words words) const {
    words.insert(words.end(), {"--threads", "1", "--quiet"});
    return program(std::move(words));
  }

  // Everything in the run's folder, but what one that is killed or cannot remove it may leave
  // there.
  std::vector<std::string> names(const FaultyRun& run) const {
    const bool may_leave = run.killed() || run.crashed() || run.where.starts_with("unlink");
    std::vector<std::string> result;
    for (const auto& entry : fs::directory_iterator(folder_ / "run")) {
      const std::string name = entry.path().filename().string();
      if (may_leave && matches(name, R"(^\..*\.tmp$)")) continue;
      result.push_back(name);
    }
    std::sort(result.begin(), result.end());
    return result;
  }

  // A verb that writes one file, where none is and where another is.
  void sweep_file(const std::string& verb, const Words& words, const std::string& name,
                  bool nameless_files = true, bool memory = true) const {
    const ProcessResult good = run_command(command(words));
    ASSERT_EQ(good.status, 0) << good.errors;
    const std::string expected = read_file(out(name)), old = "something older";
    for (const bool replaces : {false, true}) {
      const std::string title = fmt::format("{}{}{}", verb, replaces ? ", replacing" : "",
                                            nameless_files ? "" : ", without nameless files");
      sweep({.name = title,
             .words = command(words),
             .folder = folder_ / "run",
             .prepare =
                 [&] {
                   empty_run();
                   if (replaces) write_file(out(name), old);
                 },
             .check =
                 [&](const FaultyRun& run) {
                   const bool exists = fs::exists(out(name));
                   EXPECT_TRUE(exists || (!replaces && !run.done()));
                   std::vector<std::string> there = names(run);
                   // What embed writes beside its matrix: of the same rows, or not there.
                   const bool has_legend = std::erase(there, name + ".json") > 0;
                   EXPECT_EQ(there, exists ? std::vector{name} : std::vector<std::string>());
                   if (has_legend) {
                     EXPECT_EQ(read_file(out(name)), expected);
                   }
                   if (!exists) return;
                   const std::string is = read_file(out(name));
                   EXPECT_TRUE(is == expected || (replaces && !run.done() && is == old))
                       << is.size() << " bytes in place of " << expected.size();
                 },
             .most = 24,
             .memory = memory,
             .nameless_files = nameless_files});
    }
  }

  // A verb that changes the collection run/c.
  void sweep_collection(const std::string& verb, const Words& words) const {
    Ids before;
    {
      Collection collection = Collection::create(folder_ / "before", small_model());
      for (const Scene& scene : opening_scenes()) {
        scene.play(collection);
        before = scene.after(before);
      }
    }
    const Ids after = scene(verb).after(before);
    sweep(
        {.name = "tsmini " + verb,
         .words = command(words),
         .folder = folder_ / "run",
         .prepare =
             [&] {
               empty_run();
               fs::copy(folder_ / "before", out("c"));
             },
         .check =
             [&](const FaultyRun& run) {
               expect_sound(out("c"), run.done() ? std::vector{after} : std::vector{before, after});
             },
         .most = 16});
  }

  TemporaryFolder folder_;
};

TEST_F(FaultyProgram, Import) {
  write_file(in("data.csv"), "id,time,lon,lat\na,1,1.5,2.5\na,2,1.6,2.5\nb,1,3,4\nb,3,3,4.5\n");
  const Words words{"import", in("data.csv"), "-o", out("x.tsd")};
  sweep_file("import", words, "x.tsd");
  sweep_file("import", words, "x.tsd", false);
}

TEST_F(FaultyProgram, Export) {
  sweep_file("export", {"export", in("trips.tsd"), "-o", out("x.csv.gz")}, "x.csv.gz");
}

// Not with allocations that fail: oneTBB starts at the first trip, and spins for ever at the end of
// a program where it could not.
TEST_F(FaultyProgram, Embed) {
  sweep_file("embed", {"embed", in("model.safetensors"), in("trips.tsd"), "-o", out("x.npy")},
             "x.npy", true, false);
}

// A matrix that was not finished goes on with the same command.
TEST_F(FaultyProgram, Distance) {
  const Words words =
      command({"distance", in("trips.tsd"), "--measure", "dtw", "-o", out("x.npy")});
  ASSERT_EQ(run_command(words).status, 0);
  const std::string expected = read_file(out("x.npy"));
  sweep({.name = "distance",
         .words = words,
         .folder = folder_ / "run",
         .prepare = [&] { empty_run(); },
         .check =
             [&](const FaultyRun& run) {
               EXPECT_TRUE(fs::exists(out("x.npy")) || !run.done());
               if (fs::exists(out("x.npy"))) {
                 EXPECT_EQ(read_file(out("x.npy")), expected);
               }
               const ProcessResult again = run_command(words);
               EXPECT_EQ(again.status, 0) << again.errors;
               EXPECT_EQ(read_file(out("x.npy")), expected);
               EXPECT_EQ(names(run), (std::vector<std::string>{"x.npy", "x.npy.json"}));
             },
         .most = 24});
}

TEST_F(FaultyProgram, Index) {
  const Ids all = ids_of(small_trips(12));
  sweep({.name = "tsmini index",
         .words = command({"index", in("model.safetensors"), in("trips.tsd"), "-o", out("c")}),
         .folder = folder_ / "run",
         .prepare = [&] { empty_run(); },
         .check =
             [&](const FaultyRun& run) {
               if (!run.done() && !fs::exists(out("c/collection.db"))) {
                 Collection::create(out("c"), small_model());
               }
               expect_sound(out("c"), run.done() ? std::vector{all} : std::vector{Ids(), all});
             },
         .most = 40});
}

TEST_F(FaultyProgram, Add) {
  sweep_collection("add", {"add", out("c"), in("new.tsd")});
}

TEST_F(FaultyProgram, Remove) {
  sweep_collection("remove", {"remove", out("c"), "a0", "b0"});
}

TEST_F(FaultyProgram, ModelAdd) {
  small_model(Measure::hausdorff).save(in("another.safetensors"));
  sweep_collection("model", {"model", "add", out("c"), in("another.safetensors")});
}

TEST_F(FaultyProgram, ModelRemove) {
  sweep_collection("unmodel", {"model", "remove", out("c"), "dtw"});
}

TEST_F(FaultyProgram, Compact) {
  sweep_collection("compact", {"compact", out("c")});
}

// Whatever a training that did not come to its end has left, --resume goes on to the same weights.
TEST_F(FaultyProgram, Train) {
  ASSERT_EQ(
      run_command(command({"synth", "--count", "60", "--split", "40,10,10", "-o", in("city.tsd")}))
          .status,
      0);
  const Words words =
      command({"train", in("city.tsd"), "-o", out("m.safetensors"), "--preset", "quick", "--batch",
               "8", "--set", "loss.k=3", "--set", "net.hidden=32", "--set", "validations=2",
               "--steps", "4", "--resume"});
  ASSERT_EQ(run_command(words).status, 0);
  const auto weights = [&] {
    std::map<std::string, std::vector<float>> result;
    for (const auto& [name, tensor] : Model::load(out("m.safetensors")).tensors) {
      result[name] = tensor.values;
    }
    return result;
  };
  const auto expected = weights();
  sweep({.name = "train",
         .words = words,
         .folder = folder_ / "run",
         .prepare = [&] { empty_run(); },
         .check =
             [&](const FaultyRun& run) {
               if (!run.done()) {
                 const ProcessResult again = run_command(words);
                 EXPECT_EQ(again.status, 0) << again.errors;
               }
               EXPECT_TRUE(weights() == expected) << "other weights";
             },
         .most = 6,
         .memory = false,
         .brief = true});
}

}  // namespace
}  // namespace tsmini
