// The power goes at any moment of the life of a collection: what was acknowledged is there.
#include "fault/power_cut.h"

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tsmini/collection.h"
#include "tsmini/error.h"

#include "fault/scenes.h"
#include "fault/soundness.h"
#include "fault/sweep.h"

namespace tsmini {
namespace {

namespace fs = std::filesystem;

constexpr Loss losses[] = {Loss::everything, Loss::data, Loss::names, Loss::some};

std::uint64_t number_of(const fs::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

// Runs `look` for what is left of `folder` when the power goes at moments of the recorded run.
// It gets the folder and the words that were said by then.
template <class Look>
void cut_power(const std::string& name, const Words& words, const fs::path& folder,
               const Look& look) {
  const std::uint64_t root = number_of(folder);
  const std::vector<Happening> log = record(words, folder);
  const std::size_t most = wants_all() ? log.size() : 60;
  const std::size_t stride = (log.size() + most - 1) / most;
  const int repetitions = wants_all() ? 8 : 1;
  std::mt19937 random(20'261);
  std::size_t cuts = 0;
  for (std::size_t end = 1; end <= log.size(); ++end) {
    // Always where something was acknowledged, and at the end.
    const bool is_said = log[end - 1].entry.event == fault::Event::acknowledge;
    if (end % stride != 0 && !is_said && end != log.size()) continue;
    Disk disk(root);
    std::vector<std::string> said;
    for (std::size_t i = 0; i < end; ++i) {
      disk.apply(log[i]);
      if (log[i].entry.event == fault::Event::acknowledge) said.push_back(log[i].data);
    }
    for (const Loss loss : losses) {
      for (int i = 0; i < (loss == Loss::some ? repetitions : 1); ++i) {
        const TemporaryFolder remains;
        disk.write_remains(remains / "disk", loss, random);
        SCOPED_TRACE(fmt::format("{}: power cut after {} of {} events, loss {}", name, end,
                                 log.size(), static_cast<int>(loss)));
        look(remains / "disk", said);
        ++cuts;
        if (testing::Test::HasFailure()) return;
      }
    }
  }
  fmt::print("{}: {} power cuts at every {} of {} events\n", name, cuts, stride, log.size());
}

TEST(PowerCut, NothingAcknowledgedIsLost) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "run");
  cut_power("story", {TSMINI_FAULT_WRITER, "story", (folder / "run/c").string()}, folder / "run",
            [](const fs::path& remains, const std::vector<std::string>& said) {
              const fs::path path = remains / "c";
              if (said.empty() && !fs::exists(path / "collection.db")) {
                Collection::create(path, small_model());
              }
              std::vector<Ids> states(1);
              const std::vector<Scene> scenes = story_scenes();
              for (std::size_t i = 0; i + 1 < said.size(); ++i) {
                states[0] = scenes[i].after(states[0]);
              }
              // The one that was at work may be done.
              if (!said.empty() && said.size() <= scenes.size()) {
                states.push_back(scenes[said.size() - 1].after(states[0]));
              }
              expect_sound(path, states);
            });
}

TEST(PowerCut, OneOfTwoFilesIsThere) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "run");
  cut_power("replace", {TSMINI_FAULT_WRITER, "replace", (folder / "run").string()}, folder / "run",
            [](const fs::path& remains, const std::vector<std::string>& said) {
              if (said.empty()) return;
              ASSERT_TRUE(fs::exists(remains / "file"));
              const std::string bytes = read_file(remains / "file");
              EXPECT_TRUE(bytes == old_bytes || bytes == new_bytes) << bytes.size() << " bytes";
            });
}

}  // namespace
}  // namespace tsmini
