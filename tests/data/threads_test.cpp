// The result of an import does not depend on how many cores it ran on.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "tsmini/import.h"

#include "data/format_samples.h"
#include "support/arguments.h"
#include "support/files.h"
#include "support/imports.h"

namespace tsmini {
namespace {

// Several megabytes, with something of everything that is dropped, cut or skipped.
std::string large_file(const FormatTraits& traits) {
  std::vector<RawTrack> tracks;
  for (int i = 0; i < 4000; ++i) {
    RawTrack track{traits.one_track_per_file ? "1" : std::to_string(i), {}};
    const int size = i % 97 == 0 ? 1 : 5 + i % 40;
    for (int k = 0; k < size; ++k) {
      const int time = 1'200'000'000 + i * 10'000 + (i % 50 == 7 ? -k : k * (k % 9 == 8 ? 60 : 15));
      const bool bad = i % 301 == 5 && k == 3;
      track.points.push_back({bad ? "oops" : fmt::format("{:.6f}", 116 + i * 1e-4 + k % 3 * 1e-4),
                              fmt::format("{:.6f}", 39 + k * 1e-3), std::to_string(time)});
    }
    tracks.push_back(track);
  }
  return render(traits.format, tracks).text;
}

std::string imported_bytes(const std::filesystem::path& file, const std::string& options,
                           std::size_t threads) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  const TemporaryFolder out;
  import_files({file}, out / "x.tsd", import_options_from(options));
  return read_file(out / "x.tsd");
}

class Threads : public testing::TestWithParam<FormatTraits> {};

TEST_P(Threads, DoNotMatter) {
  const TemporaryFolder folder;
  const auto file = folder / GetParam().file;
  write_file(file, large_file(GetParam()));
  for (const std::string options :
       {"--on-error skip --sort-by-time",
        "--on-error skip --cut-gap 100 --thin 20 --max-speed 50 --split 0.5,0.2,0.3 "
        "--split-order random --sample 1000 --sort-by-time"}) {
    const std::string one = imported_bytes(file, options, 1);
    EXPECT_TRUE(one == imported_bytes(file, options, 4)) << options;
    EXPECT_TRUE(one == imported_bytes(file, options, 2)) << options;
  }
}

INSTANTIATE_TEST_SUITE_P(OfImports, Threads, testing::ValuesIn(text_formats()),
                         [](const auto& chosen) {
                           return std::string(name_of(chosen.param.format));
                         });

}  // namespace
}  // namespace tsmini
