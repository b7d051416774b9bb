// What tables say of rivals, cell by cell.
#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "experiment/degrade.h"
#include "experiment/paper_figures.h"
#include "experiment/scoring.h"
#include "experiment/synthetic.h"
#include "experiment/trip_sets.h"
#include "experiment/with_rivals.h"

namespace tsmini::experiment {
namespace {

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

}  // namespace
}  // namespace tsmini::experiment
