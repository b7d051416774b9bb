// Every experiment in miniature: a hundred trips, two steps a run.
#include "experiment/experiments.h"

#include <filesystem>
#include <ostream>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tsmini/error.h"
#include "tsmini/planar_set.h"

#include "experiment/lab.h"
#include "experiment/scoring.h"
#include "experiment/sketch.h"
#include "experiment/small_setting.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "support/sanitized.h"

namespace tsmini::experiment {

// How the names of tests show one.
void PrintTo(const Experiment& one, std::ostream* out) {
  *out << one.name;
}

namespace {

class Experiments : public testing::TestWithParam<Experiment> {
 protected:
  WorkLab lab() {
    return WorkLab(runs_, "cpu", 0, [this](const RunEvent& event) { labels_.insert(event.label); });
  }

  void expect_files(const Report& report) const {
    const std::string name(GetParam().name);
    EXPECT_EQ(report.name, name);
    EXPECT_FALSE(report.tables.empty());
    for (const Table& table : report.tables) {
      for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.title;
    }
    report.save(folder_.path());
    EXPECT_TRUE(read_file(folder_ / (name + ".md")).starts_with("## "));
    EXPECT_EQ(nlohmann::json::parse(read_file(folder_ / (name + ".json")))["experiment"], name);
    EXPECT_NE(read_file(folder_ / (name + ".svg")).find("<svg"), std::string::npos);
  }

  TemporaryFolder folder_;
  std::filesystem::path runs_ = folder_ / "runs";
  std::set<std::string> labels_;
};

TEST_P(Experiments, CostWhatWasPlannedAndAreNotMadeTwice) {
  Setting setting = small_setting();
  if (sanitized) setting.measures = {Measure::frechet};
  const auto planned = [&] {
    PlanLab plan(runs_, "cpu");
    GetParam().run(setting, plan);
    return plan.cost();
  };
  const Cost before = planned();
  EXPECT_EQ(before.done, 0U);
  WorkLab work = lab();
  const Report report = GetParam().run(setting, work);
  EXPECT_EQ(labels_.size(), before.runs);
  expect_files(report);

  const Cost after = planned();
  EXPECT_EQ(after.runs, 0U);
  EXPECT_EQ(after.done, before.runs);
  labels_.clear();
  WorkLab again = lab();
  const Report repeated = GetParam().run(setting, again);
  EXPECT_TRUE(labels_.empty());
  if (GetParam().name != "efficiency") {
    EXPECT_EQ(repeated.json(), report.json());
  }
}

INSTANTIATE_TEST_SUITE_P(All, Experiments, testing::ValuesIn(experiments()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(ExperimentNames, UnknownOnesGetAList) {
  expect_error(ErrorCode::usage, "no experiment 'table2'", "overall",
               [] { experiment_named("table2"); });
}

// They cost nothing, and are there whether anything else is asked for or not.
TEST(ExperimentRuns, OverallHasSketches) {
  const TemporaryFolder folder;
  Setting setting = small_setting();
  setting.measures = {Measure::frechet};
  WorkLab lab(folder.path(), "cpu", 1, {});
  const Report report = overall(setting, lab);
  ASSERT_EQ(report.tables.size(), 1u);
  const auto& rows = report.tables[0].rows;
  ASSERT_EQ(rows.size(), 7u);
  const Space space = Space::fit(SpaceKind::zscore, setting.city.data);
  const PlanarSet trips(setting.city.data, space, setting.city.data.indices_of(Part::test));
  for (std::size_t i = 0; i < 4; ++i) {
    const RetrievalScore score = score_of(sketch_distances(sketches()[i], trips, Measure::frechet),
                                          lab.truth(Measure::frechet, space, setting.city.data));
    EXPECT_EQ(rows[3 + i][0].text, std::string(sketches()[i].title) + ", not learned");
    EXPECT_EQ(rows[3 + i][1].value, score.hr10);
    EXPECT_EQ(rows[3 + i][2].value, score.hr50);
    EXPECT_EQ(rows[3 + i][3].value, score.r10at50);
    EXPECT_EQ(score.queries, 25u);
  }
}

Setting setting_with_validations() {
  Setting setting = small_setting();
  setting.steps = 6;
  setting.validations = 3;
  setting.measures = {Measure::frechet};
  return setting;
}

// Stops the first run after its second validation.
void make_half_a_run(const Setting& setting, const std::filesystem::path& folder) {
  struct Stop {};
  std::size_t validated = 0;
  WorkLab stopped(folder, "cpu", 1, [&](const RunEvent& event) {
    if (event.training.validated && ++validated == 2) throw Stop();
  });
  EXPECT_THROW(overall(setting, stopped), Stop);
}

std::string made_at_once(const Setting& setting) {
  const TemporaryFolder folder;
  WorkLab lab(folder.path(), "cpu", 1, {});
  return overall(setting, lab).json();
}

std::filesystem::path checkpoint_in(const TemporaryFolder& folder) {
  for (const std::string& name : folder.names()) {
    if (name.ends_with(".checkpoint")) return folder / name;
  }
  ADD_FAILURE() << "no checkpoint";
  return {};
}

TEST(ExperimentRuns, GoOnAfterAnInterruption) {
  const TemporaryFolder folder;
  const Setting setting = setting_with_validations();
  const auto steps_planned = [&] {
    PlanLab plan(folder.path(), "cpu");
    overall(setting, plan);
    return plan.cost().steps;
  };
  const std::uint64_t at_first = steps_planned();
  make_half_a_run(setting, folder.path());
  EXPECT_EQ(steps_planned(), at_first - 4) << "those done are not to be made again";

  std::uint64_t first = 0;
  WorkLab resumed(folder.path(), "cpu", 1, [&](const RunEvent& event) {
    if (event.run == 1 && first == 0) first = event.training.step;
  });
  const std::string got = overall(setting, resumed).json();
  EXPECT_GE(first, 4U) << "what is told within the fifth step has four done";
  EXPECT_EQ(got, made_at_once(setting));
}

// Nor is a record that a power cut left empty.
TEST(ExperimentRuns, ADamagedCheckpointIsNoReasonToStop) {
  const TemporaryFolder folder;
  const Setting setting = setting_with_validations();
  make_half_a_run(setting, folder.path());
  std::filesystem::path path = checkpoint_in(folder);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  write_file(path.replace_extension(".json"), "");
  WorkLab lab(folder.path(), "cpu", 1, {});
  EXPECT_EQ(overall(setting, lab).json(), made_at_once(setting));
}

TEST(ExperimentRuns, ACheckpointThatCannotBeOpenedStays) {
  const TemporaryFolder folder;
  const Setting setting = setting_with_validations();
  make_half_a_run(setting, folder.path());
  const std::filesystem::path path = checkpoint_in(folder);
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  WorkLab lab(folder.path(), "cpu", 1, {});
  expect_error(ErrorCode::bad_input, path.filename().string() + ": is a folder", "",
               [&] { overall(setting, lab); });
  EXPECT_TRUE(std::filesystem::is_directory(path));
}

TEST(ExperimentRuns, BelieveNoOtherModel) {
  const TemporaryFolder folder;
  Setting setting = small_setting();
  setting.measures = {Measure::dtw, Measure::frechet};
  const auto make = [&] {
    WorkLab lab(folder.path(), "cpu", 1, {});
    return overall(setting, lab).json();
  };
  const std::string report = make();
  std::vector<std::filesystem::path> models;
  for (const std::string& name : folder.names()) {
    if (name.ends_with(".safetensors")) models.push_back(folder / name);
  }
  ASSERT_GE(models.size(), 2u);
  std::filesystem::copy_file(models[1], models[0],
                             std::filesystem::copy_options::overwrite_existing);
  expect_error(ErrorCode::bad_input, models[0].filename().string() + ": is not the model",
               "remove it", make);
  std::filesystem::remove(models[0]);
  EXPECT_EQ(make(), report);
}

TEST(ExperimentRuns, TransferNeedsAnotherCity) {
  const TemporaryFolder folder;
  Setting setting = small_setting();
  setting.other.reset();
  PlanLab plan(folder.path(), "cpu");
  expect_error(ErrorCode::usage, "second city", "`other", [&] { transfer(setting, plan); });
}

}  // namespace
}  // namespace tsmini::experiment
