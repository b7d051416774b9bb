// What experiments make of the figures of their runs, number by number: a lab says what is made up
// here, and the tables are worked out by hand.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/embedding.h"
#include "tsmini/encoder.h"
#include "tsmini/planar_set.h"

#include "experiment/experiments.h"
#include "experiment/lab.h"
#include "experiment/small_setting.h"
#include "experiment/study.h"
#include "support/datasets.h"
#include "support/files.h"

namespace tsmini::experiment {
namespace {

// Trains nothing: a run is what `made` makes of it, and is judged by what `judged` says of it.
class MadeUpLab : public PlanLab {
 public:
  struct Run {
    std::string city, label;
    Recipe recipe;
    Measure measure;
    std::uint64_t seed;
  };
  using Make = std::function<void(const Run&, Trained&)>;
  using Judge = std::function<Evaluation(const Run&, bool known)>;

  explicit MadeUpLab(Judge judged, Make made = {})
      : PlanLab("nowhere", "cpu"), judged_(std::move(judged)), made_(std::move(made)) {}

  Trained train(const City& city, const std::string& label, TrainOptions request) override {
    const Run run{city.name, label, request.recipe, request.measure, request.seed};
    Trained trained = PlanLab::train(city, label, request);
    trained.model.provenance = std::to_string(runs_.size());
    if (made_) made_(run, trained);
    runs_.push_back(run);
    return trained;
  }
  Evaluation judge(const Model& model, const Dataset&, std::span<const float> known) override {
    return judged_(runs_[std::stoul(model.provenance)], !known.empty());
  }
  std::span<const float> truth(Measure, const Space&, const Dataset&) override {
    static const float something[] = {0};
    return says_truth ? std::span<const float>(something) : std::span<const float>();
  }

  bool says_truth = false;

 private:
  Judge judged_;
  Make made_;
  std::vector<Run> runs_;
};

Evaluation scored(double hr10, double hr50 = 0, double r10at50 = 0) {
  Evaluation evaluation;
  evaluation.score.hr10 = hr10;
  evaluation.score.hr50 = hr50;
  evaluation.score.r10at50 = r10at50;
  return evaluation;
}

Setting two_seeds() {
  Setting setting = small_setting();
  setting.seeds = {1, 2};
  return setting;
}

bool has(const MadeUpLab::Run& run, const std::string& text) {
  return run.label.find(text) != std::string::npos;
}

void expect_row(const std::vector<Cell>& row, const std::vector<std::string>& texts) {
  ASSERT_EQ(row.size(), texts.size());
  for (std::size_t i = 0; i < row.size(); ++i) EXPECT_EQ(row[i].text, texts[i]) << "column " << i;
}

// .5 and .7 in the mean .6, with a deviation of √.02.
TEST(ExperimentContents, OverallIsTheMeanOfSeeds) {
  const Setting setting = two_seeds();
  MadeUpLab lab([](const MadeUpLab::Run& run, bool) {
    const double more = has(run, "`default`") ? .1 : 0;
    const double seed = run.seed == 1 ? -.1 : .1;
    return run.measure == Measure::dtw ? scored(.6 + more + seed, .7, .8)
                                       : scored(.76 + more / 2, .9 + seed / 10, .95);
  });
  const Report report = overall(setting, lab);
  const auto& rows = report.tables.at(0).rows;
  EXPECT_EQ(report.tables[0].columns,
            (std::vector<std::string>{"method", "DTW HR@10", "DTW HR@50", "DTW R10@50",
                                      "Fréchet HR@10", "Fréchet HR@50", "Fréchet R10@50"}));
  expect_row(rows.at(0), {"the paper, Porto", ".765", ".869", ".996", ".754", ".838", ".996"});
  expect_row(rows.at(1), {"`paper` preset", ".600 ± .141", ".700 ± .000", ".800 ± .000",
                          ".760 ± .000", ".900 ± .014", ".950 ± .000"});
  EXPECT_DOUBLE_EQ(*rows[1][1].value, .6);
  EXPECT_DOUBLE_EQ(*rows[2][1].value, .7);
  EXPECT_DOUBLE_EQ(*rows[2][4].value, .81);
  EXPECT_EQ(report.findings.at(0), "`paper`: HR@10 above the paper's on Porto for 1 of 2.");
  EXPECT_EQ(report.findings.at(1), "`default`: HR@10 above the paper's on Porto for 1 of 2.");
  EXPECT_EQ(report.findings.at(2),
            "From `paper` to `default` HR@10 changes by +0.075 in the mean.");
}

TEST(ExperimentContents, AblationComparesWithTheFullModel) {
  const Setting setting = two_seeds();
  std::map<std::string, std::pair<bool, double>> recipes;
  MadeUpLab lab([&](const MadeUpLab::Run& run, bool) {
    const std::string name = run.label.substr(
        run.label.find("w/o") == std::string::npos ? run.label.size() : run.label.find("w/o"));
    recipes[name.substr(0, name.find(','))] = {run.recipe.net.sub_views, run.recipe.loss.lambda};
    if (has(run, "w/o-SK")) return scored(.1, .2, .3);
    if (has(run, "w/o-K")) return scored(run.measure == Measure::dtw ? .9 : .4, .5, .6);
    if (has(run, "w/o-S")) return scored(.8, .81, .82);
    return scored(.8, .9, .99);
  });
  const Report report = ablation(setting, lab);
  ASSERT_EQ(report.tables.size(), 3u);
  const auto& hr10 = report.tables[0].rows;
  EXPECT_EQ(report.tables[0].title, "HR@10");
  expect_row(hr10.at(0), {"full", ".800 ± .000", ".800 ± .000", ".765", ".754"});
  expect_row(hr10.at(1), {"w/o-S", ".800 ± .000", ".800 ± .000", ".589", ".381"});
  expect_row(hr10.at(2), {"w/o-K", ".900 ± .000", ".400 ± .000", ".436", ".656"});
  expect_row(hr10.at(3), {"w/o-SK", ".100 ± .000", ".100 ± .000", ".131", ".282"});
  expect_row(report.tables[1].rows.at(1), {"w/o-S", ".810 ± .000", ".810 ± .000", ".725", ".554"});
  expect_row(report.tables[2].rows.at(3), {"w/o-SK", ".300 ± .000", ".300 ± .000", ".382", ".654"});
  EXPECT_EQ(report.findings,
            (std::vector<std::string>{
                "w/o-S: HR@10 below the full model's for 0 of 2 measures, +0.000 in the mean.",
                "w/o-K: HR@10 below the full model's for 1 of 2 measures, -0.150 in the mean.",
                "w/o-SK: HR@10 below the full model's for 2 of 2 measures, -0.700 in the mean."}));
  // And the variants are what they say.
  EXPECT_TRUE(recipes.at("").first);
  EXPECT_LT(recipes.at("").second, 1);
  EXPECT_FALSE(recipes.at("w/o-S").first);
  EXPECT_EQ(recipes.at("w/o-S").second, recipes.at("").second);
  EXPECT_TRUE(recipes.at("w/o-K").first);
  EXPECT_EQ(recipes.at("w/o-K").second, 1);
  EXPECT_FALSE(recipes.at("w/o-SK").first);
  EXPECT_EQ(recipes.at("w/o-SK").second, 1);
}

TEST(ExperimentContents, AttentionComparesItsKinds) {
  const Setting setting = small_setting();
  std::map<std::string, NetSettings> nets;
  MadeUpLab lab([&](const MadeUpLab::Run& run, bool) {
    const bool is_dtw = run.measure == Measure::dtw;
    const std::string kind = has(run, ", gqa,")       ? "gqa"
                             : has(run, ", vanilla,") ? "vanilla"
                                                      : "full";
    nets[kind] = run.recipe.net;
    if (kind == "gqa") return scored(is_dtw ? .69 : .62);
    return kind == "vanilla" ? scored(is_dtw ? .5 : .55) : scored(is_dtw ? .7 : .6);
  });
  const Report report = attention(setting, lab);
  ASSERT_EQ(report.tables.size(), 1u);
  EXPECT_EQ(report.tables[0].columns,
            (std::vector<std::string>{"variant", "DTW", "Fréchet", "DTW, the paper on Porto",
                                      "Fréchet, the paper on Porto"}));
  const auto& rows = report.tables[0].rows;
  ASSERT_EQ(rows.size(), 3u);
  expect_row(rows[0], {"full", ".700", ".600", ".765", ".754"});
  expect_row(rows[1], {"gqa", ".690", ".620", ".761", ".752"});
  expect_row(rows[2], {"vanilla", ".500", ".550", ".751", ".740"});
  EXPECT_EQ(report.findings,
            (std::vector<std::string>{
                "gqa: HR@10 below the full model's for 1 of 2 measures, +0.005 in the mean.",
                "vanilla: HR@10 below the full model's for 2 of 2 measures, -0.125 in the mean."}));
  // And the kinds are what they say.
  EXPECT_EQ(nets.at("full").key_heads, nets.at("full").heads);
  EXPECT_EQ(nets.at("full").block, BlockKind::modern);
  EXPECT_LT(nets.at("gqa").key_heads, nets.at("gqa").heads);
  EXPECT_EQ(nets.at("gqa").block, BlockKind::modern);
  EXPECT_EQ(nets.at("vanilla").block, BlockKind::vanilla);
}

// .89 and .91 in the mean .9, with a deviation of √.0002. The paper has figures of Xi'an alone.
TEST(ExperimentContents, ClusteringIsARandIndex) {
  const Setting setting = two_seeds();
  MadeUpLab lab([](const MadeUpLab::Run& run, bool) {
    const bool is_dtw = run.measure == Measure::dtw;
    Evaluation evaluation = scored(.1);
    evaluation.rand_index = run.recipe.net.sub_views ? is_dtw ? .9 : .95 : is_dtw ? .85 : .96;
    *evaluation.rand_index += run.seed == 1 ? -.01 : .01;
    return evaluation;
  });
  const Report report = clustering(setting, lab);
  ASSERT_EQ(report.tables.size(), 1u);
  EXPECT_EQ(report.tables[0].title, "Rand index");
  EXPECT_EQ(report.tables[0].columns.at(3), "DTW, the paper on Xi'an");
  const auto& rows = report.tables[0].rows;
  ASSERT_EQ(rows.size(), 2u);
  expect_row(rows[0], {"full", ".900 ± .014", ".950 ± .014", ".919", ".939"});
  expect_row(rows[1], {"w/o-S", ".850 ± .014", ".960 ± .014", ".903", ".929"});
  EXPECT_EQ(report.findings,
            (std::vector<std::string>{
                "w/o-S: Rand index below the full model's for 1 of 2 measures, -0.020 in the "
                "mean."}));
}

// All reach .5, the worst of their best: at 10 s of the first, at 20 s of the others.
TEST(ExperimentContents, ParametersWaitForWhatAllReach) {
  Setting setting = small_setting();
  setting.measures = {Measure::frechet};
  const auto judged = [](const MadeUpLab::Run& run, bool) {
    return scored(has(run, "lambda") ? .5 + run.recipe.loss.lambda * (1 - run.recipe.loss.lambda) +
                                           .1 * run.recipe.loss.lambda
                                     : .3);
  };
  MadeUpLab lab(judged, [](const MadeUpLab::Run& run, Trained& trained) {
    trained.seconds = has(run, "batch 32") ? 40 : 50;
    trained.stages = {{1, 10, has(run, "batch 32") ? .5 : .499}, {2, 20, .5}, {3, 30, .4}};
    if (has(run, "batch 64")) trained.stages.push_back({4, 40, .9});
  });
  const Report report = parameters(setting, lab);
  ASSERT_EQ(report.tables.size(), 4u);
  expect_row(report.tables[0].rows.at(0), {"Fréchet", ".300", ".300", ".300", ".300", ".300"});
  expect_row(report.tables[1].rows.at(0), {"Fréchet", "40 s", "50 s", "50 s", "50 s", "50 s"});
  expect_row(report.tables[1].rows.at(1),
             {"the paper on Xi'an", "2.4 h", "1.43 h", "0.76 h", "0.44 h", "0.38 h"});
  expect_row(report.tables[2].rows.at(0),
             {"Fréchet (.500)", "10 s", "20 s", "20 s", "20 s", "20 s"});
  expect_row(report.tables[3].rows.at(0),
             {"Fréchet", ".500", ".680", ".780", ".800", ".740", ".600"});
  EXPECT_EQ(report.findings.at(0),
            "Both losses together are better than either alone for 1 of 1 measures; the ranking "
            "loss alone is better than the squared error alone for 0.");
}

// 35 synthetic trips to learn from, 5 to choose by and 10 to test; 110 in the city, whose pieces
// join to nothing.
TEST(ExperimentContents, LengthHasThreeClasses) {
  const Setting setting = small_setting();
  MadeUpLab lab(
      [](const MadeUpLab::Run& run, bool) {
        EXPECT_EQ(run.measure, Measure::frechet);
        EXPECT_EQ(run.recipe.augment_to, 0u);
        if (run.city == "porto") return scored(.4, .45, .48);
        return scored(has(run, "20–200") ? .5 : has(run, "200–400") ? .55 : .625, .7, .8);
      },
      [](const MadeUpLab::Run&, Trained& trained) { trained.seconds = 90; });
  const Report report = length(setting, lab);
  ASSERT_EQ(report.tables.size(), 2u);
  const auto& dense = report.tables[0].rows;
  ASSERT_EQ(dense.size(), 3u);
  const auto points = [](const std::vector<Cell>& row) { return row.at(3); };
  const auto expect_class = [&](const std::vector<Cell>& row, const std::string& name,
                                const std::string& hr10, double fewest, double most) {
    expect_row(row, {name, "50", "10", points(row).text, hr10, ".700", ".800", "90 s"});
    EXPECT_GE(points(row).value.value(), fewest);
    EXPECT_LE(points(row).value.value(), most);
  };
  expect_class(dense[0], "20–200", ".500", 20, 200);
  expect_class(dense[1], "200–400", ".550", 200, 400);
  expect_class(dense[2], "400–800", ".625", 400, 800);
  const auto& own = report.tables[1].rows;
  ASSERT_EQ(own.size(), 1u);
  expect_row(own[0], {"20–200", "110", "25", points(own[0]).text, ".400", ".450", ".480", "90 s"});
  double all = 0;
  for (std::size_t i = 0; i < 110; ++i) all += static_cast<double>(setting.city.data[i].size());
  EXPECT_DOUBLE_EQ(points(own[0]).value.value(), all / 110);
  EXPECT_TRUE(report.tables[1].note.ends_with(
      " It has no 400 trips of 200–400 points, joined or not. It has no 400 trips of 400–800 "
      "points, joined or not."))
      << report.tables[1].note;
  EXPECT_EQ(report.findings,
            (std::vector<std::string>{
                "From 20–200 to 400–800 points HR@10 changes by +0.125 on the synthetic city."}));
}

// 60 trips to learn from and 10 of no part: a quarter of them is 17.
TEST(ExperimentContents, ScaleDoublesTwice) {
  const Setting setting = small_setting();
  MadeUpLab lab(
      [](const MadeUpLab::Run& run, bool) {
        if (run.city.starts_with("17 of")) return scored(.4, .5, .6);
        return run.city.starts_with("68 of") ? scored(.425, .5, .6) : scored(.41, .5, .6);
      },
      [](const MadeUpLab::Run&, Trained& trained) {
        trained.seconds = 90;
        trained.label_seconds = 3;
      });
  const Report report = scale(setting, lab);
  const auto& rows = report.tables.at(0).rows;
  expect_row(rows.at(0),
             {"`paper`", "17", "3.00 s", "90 s", ".400", ".500", ".600", ".812", "1 h 28 min"});
  expect_row(rows.at(2),
             {"`paper`", "68", "3.00 s", "90 s", ".425", ".500", ".600", ".824", "14 h 40 min"});
  EXPECT_EQ(*rows[1][1].value, 34);
  EXPECT_EQ(*rows[1][7].value, .822);
  EXPECT_EQ(*rows[1][8].value, 10636);
  EXPECT_EQ(report.findings.at(0),
            "porto, `paper`: four times the trips change HR@10 by +0.025 (the paper: +0.012).");
}

TEST(ExperimentContents, QualityIsWhatIsKept) {
  Setting setting = small_setting();
  std::map<std::string, int> calls;
  MadeUpLab lab([&](const MadeUpLab::Run& run, bool known) {
    // Case after case: by the truth of the damaged .80, .72, …; of the undamaged half of that.
    const int number = calls[run.label]++;
    EXPECT_EQ(known, number % 2 == 1);
    return scored((.80 - .08 * (number / 2)) / (known ? 2 : 1));
  });
  lab.says_truth = true;
  const Report report = quality(setting, lab);
  const auto& rows = report.tables.at(0).rows;
  expect_row(rows.at(0), {"as it is", ".800", "1.000", ".400", "1.000", "1.000"});
  expect_row(rows.at(1), {"40 % masked", ".720", ".900", ".360", ".900", ".984"});
  expect_row(rows.at(6), {"80 % masked, shifted 500 m", ".320", ".400", ".160", ".400", ".688"});
  EXPECT_DOUBLE_EQ(*rows[4][5].value, .686 / .812);
  EXPECT_EQ(report.findings.at(0),
            "`paper` keeps at least the paper's share in 0 of 6 cases by the truth of the damaged "
            "trips, in 0 by that of the undamaged.");
}

// Fine-tuned to .9 of what the city's own model has: enough, but only just.
TEST(ExperimentContents, TransferComparesWithTheCitysOwn) {
  Setting setting = small_setting();
  MadeUpLab lab([](const MadeUpLab::Run& run, bool) {
    const bool is_dtw = run.measure == Measure::dtw;
    if (has(run, " from ")) return scored(is_dtw ? .45 : .44);
    return scored(run.city == "porto" ? .5 : .4);
  });
  const Report report = transfer(setting, lab);
  ASSERT_EQ(report.tables.size(), 2u);
  const auto& away = report.tables[0].rows;
  EXPECT_EQ(report.tables[0].title, "HR@10, porto → elsewhere");
  expect_row(away.at(0), {"as it is", ".500", ".500"});
  expect_row(away.at(1), {"fine-tuned", ".450", ".440"});
  expect_row(away.at(2), {"learned in elsewhere", ".400", ".400"});
  expect_row(away.at(3), {"fine-tuned / learned", "1.125", "1.100"});
  expect_row(away.at(4), {"the paper, Porto → Xi'an", ".494", ".687"});
  const auto& back = report.tables[1].rows;
  expect_row(back.at(0), {"as it is", ".400", ".400"});
  expect_row(back.at(2), {"learned in porto", ".500", ".500"});
  expect_row(back.at(3), {"fine-tuned / learned", ".900", ".880"});
  expect_row(back.at(4), {"the paper, Xi'an → Porto", ".509", ".633"});
  EXPECT_EQ(report.findings,
            (std::vector<std::string>{
                "porto → elsewhere: fine-tuning reaches nine tenths of the figure of the city "
                "itself for 2 of 2.",
                "elsewhere → porto: fine-tuning reaches nine tenths of the figure of the city "
                "itself for 1 of 2."}));
}

TEST(ExperimentContents, EfficiencyIsOfOneTrip) {
  Setting setting = small_setting();
  MadeUpLab lab(
      [](const MadeUpLab::Run&, bool) {
        Evaluation evaluation;
        evaluation.embed_seconds = .05;
        return evaluation;
      },
      [](const MadeUpLab::Run&, Trained& trained) {
        trained.parameters = 12'345;
        trained.seconds = 7;
        trained.label_seconds = 2;
        trained.steps = 4321;
      });
  const Report report = efficiency(setting, lab);
  const auto& rows = report.tables.at(0).rows;
  // 25 test trips in 50 ms; the paper's 2,000 in 0.28 s.
  expect_row(rows.at(0),
             {"`paper` preset", "12,345", "2.00 s", "7.00 s", "4,321", "50 ms", "2,000 µs"});
  expect_row(rows.at(2),
             {"the paper, Porto, A100", "280,000", "–", "31 min 57 s", "–", "0.28 s", "140 µs"});
}

// Trips 5 and 17 long, of two and three points, on 5 by 12; the paper's Table I beside it.
TEST(ExperimentContents, StatisticsOfTwoTrips) {
  Setting setting;
  setting.city = {"plane",
                  built({{"a", {{0, 0}, {3, 4}}, {}}, {"b", {{0, 0}, {0, 12}, {5, 12}}, {}}},
                        {Part::train, Part::test}, Coordinates::planar)};
  PlanLab lab("nowhere", "cpu");
  const Report report = dataset_statistics(setting, lab);
  const auto& rows = report.tables.at(0).rows;
  expect_row(rows.at(0), {"trips", "2", "1,372,725", "900,562", "420,074"});
  expect_row(rows.at(1), {"points a trip, mean", "2.5", "48", "118", "72"});
  expect_row(rows.at(2), {"points a trip, most", "3", "200", "200", "200"});
  const std::string unit = "[km; of a plane its own unit]";
  expect_row(rows.at(3), {"length, mean " + unit, "11", "6.37", "3.25", "252"});
  expect_row(rows.at(4), {"length, longest " + unit, "17", "80.6", "99.4", "116,000"});
  expect_row(rows.at(5),
             {"extent " + unit, "5.0 × 12.0", "16.0 × 20.1", "9.9 × 9.6", "1,000 × 1,200"});
  EXPECT_EQ(report.made_with.at(0), "plane: 1 to learn from, 0 to choose by, 1 to test");
}

// 0.01° of the equator are 1.113 km, 0.04° of a meridian from there on 4.423 km.
TEST(ExperimentContents, StatisticsOfDegreesAreInKilometres) {
  Setting setting;
  setting.city = {"equator", built({{"a", {{0, 0}, {.01, 0}}, {}}, {"b", {{0, 0}, {0, .04}}, {}}},
                                   {Part::train, Part::test})};
  PlanLab lab("nowhere", "cpu");
  const auto rows = dataset_statistics(setting, lab).tables.at(0).rows;
  expect_row(rows.at(3), {"length, mean [km]", "2.77", "6.37", "3.25", "252"});
  expect_row(rows.at(4), {"length, longest [km]", "4.42", "80.6", "99.4", "116,000"});
  expect_row(rows.at(5), {"extent [km]", "1.1 × 4.4", "16.0 × 20.1", "9.9 × 9.6", "1,000 × 1,200"});
}

// The `count` nearest of the others, ties to the lower number.
std::set<std::size_t> nearest_of(const std::vector<double>& distances, std::size_t self,
                                 std::size_t count) {
  std::vector<std::size_t> order(distances.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase(order, self);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return distances[a] < distances[b]; });
  return {order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count)};
}

// The hit ratio of a trained model, from its embeddings and the measure's definition alone.
TEST(ExperimentContents, AHitRatioIsWhatPlainLoopsFind) {
  const TemporaryFolder folder;
  Setting setting = small_setting();
  setting.measures = {Measure::frechet};
  WorkLab lab(folder.path(), "cpu", 1, {});
  const Report report = overall(setting, lab);
  const Dataset& data = setting.city.data;
  const std::vector<std::size_t> test = data.indices_of(Part::test);
  const PlanarSet trips(data, Space::fit(SpaceKind::zscore, data), test);
  for (const auto& [row, preset] :
       {std::pair(std::size_t{1}, "paper"), std::pair(std::size_t{2}, "default")}) {
    const Model model =
        trained_as(lab, setting, setting.city, {preset, preset, {}}, Measure::frechet, 1).model;
    const Encoder encoder(model);
    std::vector<std::vector<float>> rows(test.size(), std::vector<float>(encoder.dimension()));
    for (std::size_t i = 0; i < test.size(); ++i) encoder.embed(data[test[i]].points, rows[i]);
    std::size_t hits = 0;
    for (std::size_t q = 0; q < test.size(); ++q) {
      std::vector<double> truth, predicted;
      for (std::size_t i = 0; i < test.size(); ++i) {
        truth.push_back(distance(Measure::frechet, trips[q], trips[i]));
        predicted.push_back(embedding_distance(model.net.metric, rows[q], rows[i]));
      }
      const auto near = nearest_of(truth, q, 10), found = nearest_of(predicted, q, 10);
      for (const std::size_t i : near) hits += found.contains(i) ? 1u : 0u;
    }
    const double hr10 = static_cast<double>(hits) / (10.0 * static_cast<double>(test.size()));
    EXPECT_DOUBLE_EQ(*report.tables[0].rows[row][1].value, hr10) << preset;
  }
}

}  // namespace
}  // namespace tsmini::experiment
