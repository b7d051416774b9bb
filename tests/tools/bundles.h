// What findings are tried on: trips in bundles on a plane, where a shifted trip is as far as it was
// shifted.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tsmini/dataset.h"
#include "tsmini/measure.h"
#include "tsmini/planar_set.h"
#include "tsmini/space.h"

#include "support/error_expectation.h"
#include "support/files.h"
#include "tools/program.h"

namespace tsmini {

// trips.tsd: "east 0" to "east 9", each 2 north of the one before; "north 0" to "north 7", 3 apart;
// "copy", which is "east 4" once more; "odd", far from all. They know their bundle and when they
// were; the first half is marked train, the others test. The collection city has the same.
class Bundles : public testing::Test {
 protected:
  Bundles() {
    for (int i = 0; i < 10; ++i) add(fmt::format("east {}", i), {0, 2.0 * i}, {100, 0}, "east");
    for (int i = 0; i < 8; ++i) {
      add(fmt::format("north {}", i), {3000 + 3.0 * i, 0}, {0, 100}, "north");
    }
    add("copy", {0, 8}, {100, 0}, "east");
    add("odd", {9000, 9000}, {70, -70}, "");
    DatasetWriter writer(folder_ / "trips.tsd", Coordinates::planar);
    std::vector<Part> parts;
    for (const Trip& trip : trips_) {
      std::vector<Attribute> attributes{{"number", static_cast<std::int64_t>(parts.size())}};
      if (!trip.bundle.empty()) attributes.push_back({"bundle", std::string_view(trip.bundle)});
      writer.add({trip.id, trip.points, trip.times}, attributes);
      parts.push_back(parts.size() < trips_.size() / 2 ? Part::train : Part::test);
    }
    writer.finish(parts);
    EXPECT_EQ(run("index trips.tsd -o city --quiet").status, 0);
  }

  // The program with these words in the folder of the trips.
  ProcessResult run(const std::string& words) const {
    return shell("cd '" + folder_.path().string() + "'; \"$TSMINI\" " + words);
  }

  std::string output(const std::string& words) const {
    const ProcessResult result = run(words);
    EXPECT_EQ(result.status, 0) << words << "\n" << result.errors;
    return result.output;
  }
  nlohmann::json report(const std::string& words) const {
    return nlohmann::json::parse(output(words + " --json"));
  }
  nlohmann::json json_file(const std::string& name) const {
    return nlohmann::json::parse(read_file(folder_ / name));
  }

  // Those of the collection come and go as it is read.
  std::vector<std::string> own_files() const {
    std::vector<std::string> names = folder_.names();
    std::erase_if(names, [](const std::string& name) { return name.starts_with("city/"); });
    return names;
  }

  void refuse(int status, const std::string& words, const std::string& message,
              const std::string& hint = {}) const {
    const auto before = own_files();
    const ProcessResult result = run(words);
    EXPECT_EQ(result.status, status) << words << "\n" << result.errors;
    EXPECT_EQ(result.output, "") << words;
    EXPECT_TRUE(matches(result.errors, "error: .*" + message)) << words << "\n" << result.errors;
    if (!hint.empty()) {
      EXPECT_TRUE(matches(result.errors, "hint: .*" + hint)) << words << "\n" << result.errors;
    }
    EXPECT_EQ(own_files(), before) << words;
  }

  Dataset data(const std::string& name = "trips.tsd") const {
    return Dataset::open(folder_ / name);
  }

  // By the naive twin.
  double frechet(std::size_t a, std::size_t b) const {
    const Dataset all = data();
    const PlanarSet set(all, Space::fit(SpaceKind::planar, all));
    return distance(Measure::frechet, set[a], set[b]);
  }

  std::vector<std::string> ids(const std::string& name) const {
    std::vector<std::string> found;
    const Dataset trips = data(name);
    for (std::size_t i = 0; i < trips.size(); ++i) found.emplace_back(trips[i].id);
    return found;
  }

  struct Trip {
    std::string id;
    std::vector<Position> points;
    std::vector<std::int64_t> times;
    std::string bundle;
  };

  TemporaryFolder folder_;
  std::vector<Trip> trips_;

 private:
  void add(std::string id, Position at, Position step, std::string bundle) {
    Trip trip{std::move(id), {}, {}, std::move(bundle)};
    for (int i = 0; i < 12; ++i) {
      trip.points.push_back({at.lon + i * step.lon, at.lat + i * step.lat});
      trip.times.push_back(1'000'000 + 10 * i);
    }
    trips_.push_back(std::move(trip));
  }
};

}  // namespace tsmini
