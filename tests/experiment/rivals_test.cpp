// Experiments with rivals, which a stand-in for tsmini-rivals trains (fake_rivals.cpp).
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tsmini/error.h"
#include "tsmini/planar_set.h"

#include "experiment/degrade.h"
#include "experiment/experiments.h"
#include "experiment/lab.h"
#include "experiment/paper_figures.h"
#include "experiment/rival.h"
#include "experiment/scoring.h"
#include "experiment/sketch.h"
#include "experiment/small_setting.h"
#include "experiment/synthetic.h"
#include "experiment/trip_sets.h"
#include "support/environment.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini::experiment {
namespace {

Setting setting_with(const std::vector<std::string>& rivals) {
  Setting setting = small_setting();
  setting.rivals = rivals_from(rivals);
  return setting;
}

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

class Rivals : public WithRivals, public testing::Test {
 protected:
  static const std::vector<Cell>& row_of(const Table& table, const std::string& name) {
    for (const auto& row : table.rows)
      if (row[0].text == name) return row;
    throw std::invalid_argument("no row " + name);
  }
};

PlanarSet mercator_trips(const Dataset& data) {
  return {data, Space::fit(SpaceKind::mercator, data), data.indices_of(Part::test)};
}

// What the stand-in says of test trips: its embeddings are 16 points of each in the Mercator plane.
std::vector<float> embedded_distances(const Dataset& data) {
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
std::vector<float> paired_distances(const Dataset& data) {
  return sketch_distances(sketches().front(), mercator_trips(data), Measure::dtw);
}

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

// Has runs of rivals made; our own are models without weights, whose figures are 0.
class RivalsAlone : public WorkLab {
 public:
  explicit RivalsAlone(const std::filesystem::path& folder)
      : WorkLab(folder, "cpu", 1, {}, {}, {TSMINI_FAKE_RIVALS, {}}) {}

  Trained train(const City& city, const std::string& label, TrainOptions request) override {
    return plan_.train(city, label, std::move(request));
  }
  Evaluation judge(const Model&, const Dataset&, std::span<const float>) override { return {}; }

 private:
  PlanLab plan_{"nowhere", "cpu"};
};

// What tables say of rivals, cell by cell, in small cities whose true distances are computed here.
class RivalContents : public Rivals {
 protected:
  RetrievalScore score(const std::vector<float>& predicted, const Dataset& data,
                       Measure measure = Measure::frechet) {
    return score_of(predicted, lab_.truth(measure, Space::fit(SpaceKind::zscore, data), data));
  }
  static std::string hr10(const RetrievalScore& score) { return ratio(score.hr10).text; }

  static void expect_row(const std::vector<Cell>& row, const std::vector<std::string>& texts) {
    ASSERT_EQ(row.size(), texts.size()) << row[0].text;
    for (std::size_t i = 0; i < row.size(); ++i)
      EXPECT_EQ(row[i].text, texts[i]) << row[0].text << ", column " << i;
  }

  RivalsAlone lab_{runs_};
};

TEST_F(RivalContents, OfOverall) {
  const Setting setting = setting_with({"tmn", "trajcl"});
  const Dataset& data = setting.city.data;
  const Report report = overall(setting, lab_);
  ASSERT_EQ(report.tables.size(), 2u);
  const Table& table = report.tables[1];
  EXPECT_EQ(table.columns,
            (std::vector<std::string>{"rival", "DTW", "DTW, the paper on Porto", "Fréchet",
                                      "Fréchet, the paper on Porto", "parameters",
                                      "numbers in tables", "steps", "steps of its recipe",
                                      "training", "pretraining", "embedding"}));
  const auto pairs = paired_distances(data), embedded = embedded_distances(data);
  ASSERT_EQ(table.rows.size(), 2u);
  expect_row(table.rows[0],
             {"TMN", hr10(score(pairs, data, Measure::dtw)), ".228", hr10(score(pairs, data)),
              ".215", "1,220,237", "4,096", "500", "1,100", "60 s", "30 s", "0.12 s"});
  expect_row(table.rows[1], {"TrajCL", hr10(score(embedded, data, Measure::dtw)) + " ↑", ".415",
                             hr10(score(embedded, data)) + " ↑", ".584", "1,220,237", "4,096",
                             "500", "1,100", "60 s", "30 s", "0.12 s"});
}

// After the rows of our own two presets, three each.
TEST_F(RivalContents, OfScale) {
  const Setting setting = setting_with({"trajcl", "movsemcl"});
  const Report report = scale(setting, lab_);
  ASSERT_EQ(report.tables.size(), 2u);
  const auto& rows = report.tables[0].rows;
  EXPECT_EQ(report.tables[0].columns[7], "HR@10, the paper on Xi'an");
  ASSERT_EQ(rows.size(), 12u);
  const std::array counts{17, 34, 68};
  const std::array trajcl{".634", ".726", ".729"}, movsemcl{".736", ".768", ".767"};
  for (std::size_t i = 0; i < 3; ++i) {
    const Dataset data = with_training_set(setting.city.data, static_cast<std::size_t>(counts[i]));
    const RetrievalScore found = score(embedded_distances(data), data);
    const std::string count = std::to_string(counts[i]), hr50 = ratio(found.hr50).text,
                      r10at50 = ratio(found.r10at50).text;
    expect_row(rows[6 + i], {"TrajCL", count, "1.50 s", "90 s", hr10(found) + " ↑", hr50, r10at50,
                             trajcl[i], "–"});
    expect_row(rows[9 + i],
               {"MovSemCL", count, "1.50 s", "90 s", hr10(found), hr50, r10at50, movsemcl[i], "–"});
    EXPECT_EQ(report.tables[1].rows.at(6 + i)[7].text, trajcl[i]);
  }
}

// By the truth of damaged trips and by that of the same trips before.
TEST_F(RivalContents, OfQuality) {
  const Setting setting = setting_with({"trajcl", "movsemcl"});
  const Dataset& data = setting.city.data;
  const Report report = quality(setting, lab_);
  ASSERT_EQ(report.tables.size(), 4u);  // two of our own
  const std::array<Damage, 7> damages{
      {{}, {.4, 0}, {.8, 0}, {0, 100}, {0, 500}, {.4, 100}, {.8, 500}}};
  const std::array trajcl{.634, .632, .583, .545, .470, .502, .452},
      movsemcl{.736, .735, .655, .716, .562, .730, .655};
  const Space space = Space::fit(SpaceKind::zscore, data);
  const auto truth = lab_.truth(Measure::frechet, space, data);
  double first = 0;
  for (std::size_t c = 0; c < damages.size(); ++c) {
    const Dataset damaged = degraded(data, data.indices_of(Part::test), damages[c],
                                     FeatureFrame::fit(data), setting.seeds[0]);
    const auto predicted = embedded_distances(damaged);
    const double by_damaged =
        score_of(predicted, lab_.truth(Measure::frechet, space, damaged)).hr10;
    const double by_undamaged = score_of(predicted, truth).hr10;
    if (c == 0) first = by_damaged;
    for (const std::size_t table : {2u, 3u}) {
      const auto& row = report.tables[table].rows.at(c);
      EXPECT_NEAR(*row.at(1).value, by_damaged, 1e-12) << c;
      EXPECT_NEAR(*row.at(2).value, by_damaged / first, 1e-12) << c;
      EXPECT_NEAR(*row.at(3).value, by_undamaged, 1e-12) << c;
      EXPECT_NEAR(*row.at(4).value, by_undamaged / first, 1e-12) << c;
    }
    EXPECT_DOUBLE_EQ(*report.tables[2].rows[c].at(5).value, trajcl[c] / .634) << c;
    EXPECT_DOUBLE_EQ(*report.tables[3].rows[c].at(5).value, movsemcl[c] / .736) << c;
  }
  EXPECT_EQ(report.tables[2].title, "HR@10 for Fréchet, TrajCL");
  EXPECT_EQ(report.tables[3].title, "HR@10 for Fréchet, MovSemCL");
}

// On three synthetic cities; the pieces of the small one join to nothing.
TEST_F(RivalContents, OfLength) {
  Setting setting = setting_with({"tmn", "trajcl"});
  setting.synthetic = 70;
  const Report report = length(setting, lab_);
  ASSERT_EQ(report.tables.size(), 3u);
  const Table& table = report.tables[2];
  EXPECT_EQ(table.title, "Fréchet: HR@10 of rivals");
  EXPECT_EQ(table.columns,
            (std::vector<std::string>{"rival", "synthetic city, 20–200", "porto, 20–200",
                                      "synthetic city, 200–400", "synthetic city, 400–800"}));
  const auto synthetic = [](double sampling, std::size_t fewest, std::size_t most) {
    return synthetic_city({70, 30, sampling, fewest, most}).data;
  };
  std::vector<std::string> tmn{"TMN"}, trajcl{"TrajCL"};
  for (const Dataset& data : {synthetic(15, 20, 200), setting.city.data, synthetic(2, 200, 400),
                              synthetic(1, 400, 800)}) {
    tmn.push_back(hr10(score(paired_distances(data), data)));
    trajcl.push_back(hr10(score(embedded_distances(data), data)) + " ↑");
  }
  ASSERT_EQ(table.rows.size(), 2u);
  expect_row(table.rows[0], tmn);
  expect_row(table.rows[1], trajcl);
}

// A rival's own row, and the paper's below it.
TEST_F(RivalContents, OfTransfer) {
  const Setting setting = setting_with({"trajcl", "movsemcl"});
  const Report report = transfer(setting, lab_);
  ASSERT_EQ(report.tables.size(), 2u);
  const auto expect_table = [&](const Table& table, const Dataset& to, const std::string& way,
                                const std::vector<std::string>& trajcl,
                                const std::vector<std::string>& movsemcl) {
    const auto predicted = embedded_distances(to);
    const std::string dtw = hr10(score(predicted, to, Measure::dtw)),
                      frechet = hr10(score(predicted, to));
    EXPECT_EQ(table.columns, (std::vector<std::string>{"", "DTW", "Fréchet"}));
    ASSERT_EQ(table.rows.size(), 9u);
    expect_row(table.rows[5], {"TrajCL, as it is", dtw, frechet});
    expect_row(table.rows[6], {"TrajCL, the paper, " + way, trajcl[0], trajcl[1]});
    expect_row(table.rows[7], {"MovSemCL, as it is", dtw, frechet});
    expect_row(table.rows[8], {"MovSemCL, the paper, " + way, movsemcl[0], movsemcl[1]});
  };
  expect_table(report.tables[0], setting.other->data, "Porto → Xi'an", {".261", ".254"},
               {".241", ".171"});
  expect_table(report.tables[1], setting.city.data, "Xi'an → Porto", {".230", ".548"},
               {".119", ".118"});
  std::size_t moved = 0;
  for (const std::string& name : folder_.names()) moved += matches(name, "-moved.npy$") ? 1U : 0U;
  EXPECT_EQ(moved, 8u);
}

// 25 test trips; the paper's 2,000.
TEST_F(RivalContents, OfEfficiency) {
  Setting setting = setting_with({"tmn", "trajcl"});
  setting.rivals.as_released = true;
  const Report report = efficiency(setting, lab_);
  const auto& rows = report.tables.at(0).rows;
  EXPECT_EQ(report.tables[0].columns,
            (std::vector<std::string>{"method", "parameters", "true distances", "training", "steps",
                                      "embedding", "embedding of one trip"}));
  ASSERT_EQ(rows.size(), 9u);
  const auto expect_made = [](const std::vector<Cell>& row, const std::string& title,
                              const std::string& parameters) {
    expect_row(row, {title, parameters, "1.50 s", "90 s", "500", "0.12 s", "5,000 µs"});
  };
  expect_made(rows[3], "TMN", "1,220,237");
  expect_row(rows[4], {"TMN, the paper, Porto, A100", "180,000", "–", "1 h 06 min", "–", "–", "–"});
  expect_made(rows[5], "TMN, as released", "7");
  expect_made(rows[6], "TrajCL", "1,220,237");
  expect_row(rows[7], {"TrajCL, the paper, Porto, A100", "1,220,000", "–", "46 min 50 s", "–",
                       "0.20 s", "100 µs"});
  expect_made(rows[8], "TrajCL, as released", "7");
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
