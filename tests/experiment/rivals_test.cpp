// Experiments with rivals, which a stand-in for tsmini-rivals trains (fake_rivals.cpp).
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/error.h"

#include "experiment/experiments.h"
#include "experiment/paper_figures.h"
#include "experiment/rival.h"
#include "experiment/scoring.h"
#include "experiment/small_setting.h"
#include "experiment/with_rivals.h"
#include "support/environment.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini::experiment {
namespace {

std::vector<std::string> titles_of(const RivalChoice& choice, std::string_view experiment) {
  std::vector<std::string> titles;
  for (const Contender& one : contenders(choice, experiment)) titles.push_back(one.title());
  return titles;
}

TEST(RivalNames, AreChecked) {
  expect_error(ErrorCode::usage, "no rival 'trajsim'", "all, neutraj, t3s, tmn, .*movsemcl", [] {
    rivals_from({"trajcl", "trajsim"});
  });
  EXPECT_FALSE(rivals_from({}).any());
}

TEST(RivalNames, AllAreThoseOfThePaper) {
  const RivalChoice all = rivals_from({"all"});
  for (const char* experiment : {"overall", "length", "efficiency"})
    EXPECT_EQ(titles_of(all, experiment),
              (std::vector<std::string>{"NeuTraj", "T3S", "TMN", "TrajGAT", "TrajCL", "KGTS",
                                        "MovSemCL"}));
  for (const char* experiment : {"scale", "quality", "transfer"})
    EXPECT_EQ(titles_of(all, experiment), (std::vector<std::string>{"TrajCL", "MovSemCL"}));
  for (const char* experiment : {"dataset", "ablation", "attention", "clustering", "parameters"})
    EXPECT_TRUE(contenders(all, experiment).empty()) << experiment;
}

TEST(RivalNames, GivenOnesAreUsedEverywhereInThePapersOrder) {
  RivalChoice choice = rivals_from({"trajcl", "tmn", "tmn"});
  choice.as_released = true;
  const std::vector<std::string> expected{"TMN", "TMN, as released", "TrajCL",
                                          "TrajCL, as released"};
  EXPECT_EQ(titles_of(choice, "overall"), expected);
  EXPECT_EQ(titles_of(choice, "transfer"), expected);
  EXPECT_TRUE(contenders(choice, "ablation").empty());
}

TEST(RivalNames, HaveFiguresOfThePaper) {
  for (const Rival& rival : rivals()) {
    EXPECT_TRUE(paper_rival_cost(rival.name)) << rival.name;
    for (const char* city : {"Porto", "Xi'an"})
      EXPECT_TRUE(paper_rival_score(city, rival.name, Measure::edwp)) << rival.name;
  }
  EXPECT_EQ(paper_rival_score("Xi'an", "trajgat", Measure::hausdorff)->hr10, .778);
  EXPECT_EQ(paper_rival_score("Porto", "movsemcl", Measure::dtw)->r10at50, .811);
  EXPECT_EQ(paper_rival_transfer("trajcl", true, Measure::frechet), .548);
  EXPECT_EQ(paper_rival_transfer("movsemcl", false, Measure::hausdorff), .270);
  EXPECT_EQ(paper_rival_transfer("kgts", true, Measure::dtw), std::nullopt);
  EXPECT_EQ(paper_rival_quality("movsemcl", 6), .655);
  EXPECT_EQ(paper_rival_scale("trajcl", 2), .729);
  EXPECT_EQ(paper_rival_cost("tmn")->embedding_seconds, std::nullopt);
}

TEST(RivalNames, TellRunsApart) {
  const RivalRequest plain{{rival_named("trajcl")}, Measure::dtw, SpaceKind::zscore, 1, 60};
  std::set<std::string> names;
  const auto add = [&](const std::function<void(RivalRequest&)>& change) {
    RivalRequest request = plain;
    change(request);
    names.insert(rival_run_name("00", request, "cpu"));
  };
  add([](RivalRequest&) {});
  EXPECT_TRUE(matches(*names.begin(), "^rival-[0-9a-f]{16}$")) << *names.begin();
  add([](RivalRequest& r) { r.contender.rival = rival_named("kgts"); });
  add([](RivalRequest& r) { r.contender.as_released = true; });
  add([](RivalRequest& r) { r.measure = Measure::frechet; });
  add([](RivalRequest& r) { r.space = SpaceKind::ground; });
  add([](RivalRequest& r) { r.seed = 2; });
  add([](RivalRequest& r) { r.seconds = 61; });
  add([](RivalRequest& r) { r.seconds.reset(); });
  names.insert(rival_run_name("00", plain, "cuda"));
  names.insert(rival_run_name("01", plain, "cpu"));
  EXPECT_EQ(names.size(), 10u);
  EXPECT_NE(contents_of(small_city("a", 1).data), contents_of(small_city("a", 2).data));
}

class RivalExperiments : public WithRivals, public testing::TestWithParam<const char*> {};

TEST_P(RivalExperiments, CostWhatWasPlannedAndAreNotMadeTwice) {
  Setting setting = setting_with({"all", "tmn"});
  setting.rivals.as_released = true;
  const Experiment& experiment = experiment_named(GetParam());
  const Cost before = cost(setting, experiment);
  EXPECT_GT(before.rival_runs, 0u);
  EXPECT_GT(before.runs, before.rival_runs);
  std::string made;
  {
    WorkLab work = lab();
    const Report report = experiment.run(setting, work);
    for (const Table& table : report.tables)
      for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.title;
    made = report.json();
    EXPECT_GT(data_files(), 0u);
  }
  EXPECT_EQ(labels_.size(), before.runs);
  EXPECT_EQ(rival_labels_.size(), before.rival_runs);
  EXPECT_EQ(data_files(), 0u) << "they are gone with the lab";
  for (const char* title : {"TrajCL, as released", "MovSemCL", "TMN"})
    EXPECT_NE(made.find(title), std::string::npos) << title;

  const Cost after = cost(setting, experiment);
  EXPECT_EQ(after.runs, 0u);
  EXPECT_EQ(after.rival_runs, 0u);
  EXPECT_EQ(after.done, before.runs);
  labels_.clear();
  WorkLab again = lab("/nowhere/tsmini-rivals");
  const std::string repeated = experiment.run(setting, again).json();
  EXPECT_TRUE(labels_.empty());
  if (experiment.name != "efficiency") {
    EXPECT_EQ(repeated, made);
  }
}

TEST_P(RivalExperiments, TellOfThoseThatFailAndHaveTheOthers) {
  Setting setting = setting_with({"trajcl", "movsemcl"});
  setting.measures = {Measure::frechet};
  const Environment fails("FAKE_RIVALS_FAILS", "trajcl");
  WorkLab work = lab();
  const Report report = experiment_named(GetParam()).run(setting, work);
  ASSERT_FALSE(report.failures.empty());
  for (const std::string& failure : report.failures)
    EXPECT_TRUE(matches(failure, "TrajCL.*: out of memory \\(take a larger machine\\)\\.$"))
        << failure;
  const std::string page = report.markdown();
  EXPECT_TRUE(matches(page, "\nMissing:\n\n- .*TrajCL"));
  EXPECT_FALSE(matches(page, "nan")) << page;
  for (const Figure& figure : report.figures) EXPECT_FALSE(matches(figure.svg, "nan"));
  EXPECT_NE(report.json().find("out of memory"), std::string::npos);
  EXPECT_NE(page.find("MovSemCL"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, RivalExperiments,
                         testing::Values("overall", "length", "scale", "quality", "transfer",
                                         "efficiency"),
                         [](const auto& tested) { return std::string(tested.param); });

// The stand-in's distances are those of 16 points in the Mercator plane.
TEST_F(Rivals, AreScoredAgainstTheTruth) {
  Setting setting = setting_with({"trajcl", "tmn"});
  setting.measures = {Measure::frechet};
  setting.seeds = {1, 2};
  WorkLab work = lab();
  const Report report = overall(setting, work);
  const Dataset& data = setting.city.data;
  const auto truth = work.truth(Measure::frechet, Space::fit(SpaceKind::zscore, data), data);
  const RetrievalScore pairs = score_of(paired_distances(data), truth);
  const RetrievalScore embedded = score_of(embedded_distances(data), truth);
  const auto tmn = row_of(report.tables.at(0), "TMN");
  EXPECT_NEAR(*tmn[1].value, pairs.hr10, 1e-12);
  EXPECT_NEAR(*tmn[2].value, pairs.hr50, 1e-12);
  EXPECT_NEAR(*tmn[3].value, pairs.r10at50, 1e-12);
  const auto trajcl = row_of(report.tables.at(0), "TrajCL");
  EXPECT_NEAR(*trajcl[1].value, embedded.hr10, 1e-12);
  EXPECT_TRUE(matches(trajcl[1].text, "± .000 ↑$")) << trajcl[1].text;

  const auto second = row_of(report.tables.at(1), "TrajCL");
  EXPECT_EQ(second[2].value, .584);  // the paper's, Porto
  std::vector<double> numbers;
  for (std::size_t i = 3; i < second.size(); ++i) numbers.push_back(second[i].value.value_or(-1));
  EXPECT_EQ(numbers, (std::vector<double>{1220237, 4096, 500, 1100, 60, 30, .125}));
  EXPECT_TRUE(matches(report.tables[1].note, "TMN has no embedding.*all pairs"));
  const double simple = *row_of(report.tables[0], "16 points by length, not learned")[1].value;
  const int below = (pairs.hr10 < simple ? 1 : 0) + (embedded.hr10 < simple ? 1 : 0);
  EXPECT_TRUE(matches(report.findings.back(),
                      "^Fréchet: HR@10 of " + std::to_string(below) + " of 2 rivals is below"))
      << report.findings.back();
}

TEST_F(Rivals, GoOnAfterAnInterruption) {
  Setting setting = setting_with({"trajcl", "kgts"});
  setting.measures = {Measure::frechet};
  {
    const Environment stops("FAKE_RIVALS_STOPS", "kgts");
    WorkLab work = lab();
    expect_error(ErrorCode::interrupted, "", "", [&] { overall(setting, work); });
  }
  const Cost left = cost(setting, experiment_named("overall"));
  EXPECT_EQ(left.runs, 1u);
  EXPECT_EQ(left.rival_runs, 1u);
  EXPECT_EQ(left.done, 3u);
  labels_.clear();
  WorkLab again = lab();
  EXPECT_EQ(overall(setting, again).tables.size(), 2u);
  EXPECT_EQ(labels_, std::set<std::string>{"porto, frechet, KGTS, seed 1"});
}

TEST_F(Rivals, AreAskedAnewWhenTheyAreMadeAnew) {
  Setting setting = setting_with({"trajcl"});
  setting.measures = {Measure::frechet};
  const auto answers = [&] {
    std::vector<std::filesystem::path> found;
    for (const std::string& name : folder_.names())
      if (matches(name, "rival-.*\\.npy$")) found.push_back(folder_ / name);
    return found;
  };
  {
    WorkLab work = lab();
    overall(setting, work);
  }
  ASSERT_EQ(answers().size(), 1u);
  std::string record = answers()[0].string();
  record = record.substr(0, record.rfind('-')) + ".json";
  ASSERT_TRUE(std::filesystem::remove(record)) << record;
  write_file(answers()[0], "of the run before");
  WorkLab again = lab();
  EXPECT_GT(*row_of(overall(setting, again).tables.at(0), "TrajCL")[1].value, 0);
}

TEST_F(Rivals, ThatFailLeaveGapsBesideThoseThatDoNot) {
  Setting setting = setting_with({"t3s", "trajcl"});
  setting.measures = {Measure::frechet};
  const Environment fails("FAKE_RIVALS_FAILS", "t3s");
  WorkLab work = lab();
  const Report report = overall(setting, work);
  const auto failed = row_of(report.tables.at(1), "T3S");
  for (std::size_t i = 1; i < failed.size(); ++i)
    EXPECT_EQ(failed[i].text, i == 2 ? ".492" : "–") << report.tables[1].columns[i];
  EXPECT_GT(*row_of(report.tables.at(1), "TrajCL")[1].value, 0);
  EXPECT_EQ(
      report.failures,
      std::vector<std::string>{"T3S on porto for Fréchet: out of memory (take a larger machine)."});
  const bool counts_one = std::any_of(
      report.findings.begin(), report.findings.end(),
      [](const std::string& finding) { return matches(finding, "HR@10 of [01] of 1 rivals"); });
  EXPECT_TRUE(counts_one);
}

TEST_F(Rivals, FailInManyWays) {
  Setting setting = setting_with({"t3s", "tmn"});
  setting.measures = {Measure::frechet};
  const std::vector<std::pair<const char*, const char*>> ways{
      {"FAKE_RIVALS_REFUSES", "a trip is too long \\(thin it\\)"},
      {"FAKE_RIVALS_FORGETS", "status 1"},
      {"FAKE_RIVALS_MUMBLES", "not of 25 test trips \\(use a tsmini-rivals of the same"}};
  for (const auto& [way, words] : ways) {
    const Environment fails(way, "t3s");
    WorkLab work = lab();
    const Report report = overall(setting, work);
    ASSERT_EQ(report.failures.size(), 1u) << way;
    EXPECT_TRUE(matches(report.failures[0], words)) << report.failures[0];
    EXPECT_GT(*row_of(report.tables.at(1), "TMN")[1].value, 0) << way;
  }
}

TEST_F(Rivals, ThatAllFailAreNotCounted) {
  Setting setting = setting_with({"t3s"});
  setting.measures = {Measure::frechet};
  const Environment fails("FAKE_RIVALS_FAILS", "t3s");
  WorkLab work = lab();
  for (const std::string& finding : overall(setting, work).findings)
    EXPECT_FALSE(matches(finding, "rivals")) << finding;
}

TEST_F(Rivals, ThatCannotBeStartedFail) {
  Setting setting = setting_with({"t3s"});
  setting.measures = {Measure::frechet};
  WorkLab work = lab("/nowhere/tsmini-rivals");
  const Report report = overall(setting, work);
  ASSERT_EQ(report.failures.size(), 1u);
  EXPECT_TRUE(matches(report.failures[0], "/nowhere/tsmini-rivals: cannot start it"))
      << report.failures[0];
}

// Whatever happens to the files of a run, its figures are those of before, or are made again.
TEST_F(Rivals, AreMadeAgainWhereTheirFilesAreDamaged) {
  Setting setting = setting_with({"trajcl"});
  setting.measures = {Measure::frechet};
  const auto hr10 = [&] {
    WorkLab work = lab();
    const Report report = overall(setting, work);
    EXPECT_TRUE(report.failures.empty());
    return *row_of(report.tables.at(0), "TrajCL")[1].value;
  };
  const double before = hr10();
  std::vector<std::filesystem::path> files;
  for (const std::string& name : folder_.names())
    if (matches(name, "runs/rival-.*\\.(npy|json|safetensors)$")) files.push_back(folder_ / name);
  ASSERT_EQ(files.size(), 4u);  // of the run with its weights, and of its answer
  for (const std::filesystem::path& file : files) {
    const std::string whole = read_file(file);
    std::string flipped = whole;
    for (std::size_t i = flipped.size() / 2; i < flipped.size(); i += 7) flipped[i] ^= 1;
    for (const std::string& text : {std::string(), whole.substr(0, whole.size() / 2), flipped}) {
      write_file(file, text);
      EXPECT_EQ(hr10(), before) << file << ' ' << text.size();
    }
  }
}

TEST_F(Rivals, ThatSayNoneOfThisAreNoRuns) {
  const auto script = folder_ / "tsmini-rivals";
  write_file(script, "#!/bin/sh\necho '{\"rival\": \"t3s\"}'\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  Setting setting = setting_with({"t3s"});
  setting.measures = {Measure::frechet};
  WorkLab work = lab(script);
  const Report report = overall(setting, work);
  ASSERT_EQ(report.failures.size(), 1u);
  EXPECT_TRUE(matches(report.failures[0], "T3S on porto.*told something else"))
      << report.failures[0];
  EXPECT_EQ(cost(setting, experiment_named("overall")).rival_runs, 1u);
}

TEST_F(Rivals, CostTheirCapsAtMost) {
  Setting setting = setting_with({"trajcl", "kgts"});
  setting.rivals.seconds = 60;
  Cost planned = cost(setting, experiment_named("overall"));
  EXPECT_EQ(planned.rival_runs, 4u);
  EXPECT_EQ(planned.rival_seconds, 4 * 60 + 2 * 80);
  setting.rivals.as_released = true;
  setting.seeds = {1, 2};
  planned = cost(setting, experiment_named("overall"));
  // TrajCL as it is and as released, KGTS, which has no mistakes, once.
  EXPECT_EQ(planned.rival_runs, 12u);
  EXPECT_EQ(planned.rival_seconds, 12 * 60 + 6 * 80);
  setting.rivals.seconds.reset();
  EXPECT_EQ(cost(setting, experiment_named("overall")).rival_seconds, std::nullopt);
  EXPECT_EQ(cost(small_setting(), experiment_named("overall")).rival_seconds, 0);
}

}  // namespace
}  // namespace tsmini::experiment
