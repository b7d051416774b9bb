// What tests of experiments with rivals share: labs whose rivals a stand-in for tsmini-rivals
// trains (fake_rivals.cpp), and what it says of trips.
#pragma once

#include <cmath>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/planar_set.h"

#include "experiment/experiments.h"
#include "experiment/lab.h"
#include "experiment/rival.h"
#include "experiment/sketch.h"
#include "experiment/small_setting.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini::experiment {

inline Setting setting_with(const std::vector<std::string>& rivals) {
  Setting setting = small_setting();
  setting.rivals = rivals_from(rivals);
  return setting;
}

// What labs with the stand-in have in common.
class WithRivals {
 protected:
  WorkLab lab(const std::filesystem::path& program = TSMINI_FAKE_RIVALS) {
    return WorkLab(runs_, "cpu", 1,
                   [this](const RunEvent& event) {
                     labels_.insert(event.label);
                     if (event.is_rival) rival_labels_.insert(event.label);
                   },
                   {}, {program, {}});
  }

  Cost cost(const Setting& setting, const Experiment& experiment) const {
    PlanLab plan(runs_, "cpu");
    experiment.run(setting, plan);
    return plan.cost();
  }

  std::size_t data_files() const {
    std::size_t count = 0;
    for (const std::string& name : folder_.names()) count += matches(name, "runs/data-") ? 1U : 0U;
    return count;
  }

  TemporaryFolder folder_;
  std::filesystem::path runs_ = folder_ / "runs";
  std::set<std::string> labels_, rival_labels_;
};

class Rivals : public WithRivals, public testing::Test {
 protected:
  static const std::vector<Cell>& row_of(const Table& table, const std::string& name) {
    for (const auto& row : table.rows)
      if (row[0].text == name) return row;
    throw std::invalid_argument("no row " + name);
  }
};

inline PlanarSet mercator_trips(const Dataset& data) {
  return {data, Space::fit(SpaceKind::mercator, data), data.indices_of(Part::test)};
}

// What the stand-in says of test trips: its embeddings are 16 points of each in the Mercator plane.
inline std::vector<float> embedded_distances(const Dataset& data) {
  const PlanarSet trips = mercator_trips(data);
  const Sketch& sketch = sketches().front();
  std::vector<float> distances(trips.size() * trips.size());
  for (std::size_t i = 0; i < trips.size(); ++i) {
    for (std::size_t j = 0; j < trips.size(); ++j) {
      const auto a = sketch.points(trips[i]), b = sketch.points(trips[j]);
      double squares = 0;
      for (std::size_t k = 0; k < a.size(); ++k)
        squares += (a[k].x - b[k].x) * (a[k].x - b[k].x) + (a[k].y - b[k].y) * (a[k].y - b[k].y);
      distances[i * trips.size() + j] = static_cast<float>(std::sqrt(squares));
    }
  }
  return distances;
}

// And where it compares pairs.
inline std::vector<float> paired_distances(const Dataset& data) {
  return sketch_distances(sketches().front(), mercator_trips(data), Measure::dtw);
}

}  // namespace tsmini::experiment
