// What the verbs of a collection are tried on: a synthetic city in two parts, a model of dtw, and
// words to run the program with and to look at what it says.
#pragma once

#include <cstdint>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tsmini/dataset.h"
#include "tsmini/model.h"
#include "tsmini/space.h"

#include "encode/random_model.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "tools/program.h"

namespace tsmini {

// city.tsd has 200 trips, more.tsd 100 others; make() makes the collection city of the former.
class CollectionVerbs : public testing::Test {
 protected:
  CollectionVerbs() {
    run({"synth", "--count", "300", "-o", file("all.tsd"), "--quiet"});
    const Dataset all = Dataset::open(folder_ / "all.tsd");
    write_part(all, 0, 200, "city.tsd");
    write_part(all, 200, 300, "more.tsd");
    model(all).save(folder_ / "m.safetensors");
  }

  // Random weights, in the ground space of the data.
  static Model model(const Dataset& data, std::uint64_t seed = 1) {
    NetSettings settings;
    settings.dimension = 32;
    settings.hidden = 32;
    Model result = random_model(settings, seed);
    result.frame = FeatureFrame::fit(data);
    result.space = Space::fit(SpaceKind::ground, data);
    result.measure = Measure::dtw;
    return result;
  }

  void write_part(const Dataset& all, std::size_t begin, std::size_t end,
                  const std::string& name) const {
    DatasetWriter writer(folder_ / name);
    for (std::size_t i = begin; i < end; ++i) writer.add(all[i]);
    writer.finish();
  }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  static ProcessResult run(const Words& words) {
    const ProcessResult result = tsmini_program(words);
    EXPECT_EQ(result.status, 0) << result.errors;
    return result;
  }

  static nlohmann::json report(Words words) {
    words.emplace_back("--json");
    return nlohmann::json::parse(run(words).output);
  }

  void make() const {
    run({"index", file("m.safetensors"), file("city.tsd"), "-o", file("city"), "--quiet"});
  }

  static void expect_failure(int status, const Words& words, const std::string& message) {
    const ProcessResult result = tsmini_program(words);
    EXPECT_EQ(result.status, status) << result.errors;
    EXPECT_TRUE(matches(result.errors, message)) << result.errors;
  }

  TemporaryFolder folder_;
};

}  // namespace tsmini
