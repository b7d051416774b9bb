// What every verb can be tried on: a model, twelve trips and a collection of them, in a folder of
// their own.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "encode/random_model.h"
#include "support/files.h"
#include "tools/program.h"

namespace tsmini {

class SmallCity : public testing::Test {
 protected:
  // m.safetensors; trips.tsd with "trip 0" to "trip 11"; city, a collection.
  SmallCity() {
    NetSettings settings;
    settings.dimension = 32;
    settings.hidden = 32;
    random_model(settings).save(folder_ / "m.safetensors");
    DatasetWriter writer(folder_ / "trips.tsd", Coordinates::planar);
    const Dataset trips = random_trips(std::vector<std::size_t>(12, 20));
    for (std::size_t i = 0; i < trips.size(); ++i) writer.add(trips[i]);
    writer.finish();
    EXPECT_EQ(run("index m.safetensors trips.tsd -o city --quiet").status, 0);
  }

  // The program with these words in that folder; they may end in more of a line of the shell.
  ProcessResult run(const std::string& words) const {
    return shell("cd '" + folder_.path().string() + "'; \"$TSMINI\" " + words);
  }

  TemporaryFolder folder_;
};

}  // namespace tsmini
