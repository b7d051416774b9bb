// What stands beside our figures is what the paper has: its tables as they are printed, row by row.
#include "experiment/paper_figures.h"

#include <array>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tsmini::experiment {
namespace {

constexpr std::array paper_measures{Measure::dtw, Measure::edwp, Measure::frechet,
                                    Measure::hausdorff};

struct PrintedRow {
  std::string city, name;
  std::vector<double> values;
};

// Lines of a city, a name and numbers.
std::vector<PrintedRow> printed(const std::string& table) {
  std::vector<PrintedRow> rows;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    std::istringstream words(line);
    PrintedRow row;
    words >> row.city >> row.name;
    for (double value = 0; words >> value;) row.values.push_back(value);
    rows.push_back(row);
  }
  return rows;
}

// HR@10, HR@50 and R10@50 for each of the four measures.
template <class Score>
void expect_scores(const std::string& table, const Score& score) {
  for (const PrintedRow& row : printed(table)) {
    ASSERT_EQ(row.values.size(), 12u) << row.city << ' ' << row.name;
    for (std::size_t m = 0; m < paper_measures.size(); ++m) {
      const auto found = score(row.city, row.name, paper_measures[m]);
      ASSERT_TRUE(found.has_value()) << row.city << ' ' << row.name;
      EXPECT_EQ(found->hr10, row.values[3 * m]) << row.city << ' ' << row.name << ' ' << m;
      EXPECT_EQ(found->hr50, row.values[3 * m + 1]) << row.city << ' ' << row.name << ' ' << m;
      EXPECT_EQ(found->r10at50, row.values[3 * m + 2]) << row.city << ' ' << row.name << ' ' << m;
    }
  }
}

template <class Value>
void expect_values(const std::string& table, const Value& value) {
  for (const PrintedRow& row : printed(table)) {
    ASSERT_EQ(row.values.size(), 4u) << row.city << ' ' << row.name;
    for (std::size_t m = 0; m < paper_measures.size(); ++m) {
      EXPECT_EQ(value(row.city, row.name, paper_measures[m]), row.values[m])
          << row.city << ' ' << row.name << ' ' << m;
    }
  }
}

TEST(PaperFigures, TableTwo) {
  expect_scores(R"(
Porto neutraj 0.445 0.568 0.824 0.484 0.601 0.866 0.539 0.677 0.930 0.477 0.650 0.888
Porto t3s 0.255 0.406 0.564 0.423 0.557 0.795 0.492 0.659 0.892 0.478 0.648 0.886
Porto tmn 0.228 0.290 0.520 0.216 0.285 0.503 0.215 0.280 0.542 0.159 0.217 0.382
Porto trajgat 0.279 0.366 0.686 0.226 0.345 0.601 0.384 0.430 0.793 0.714 0.770 0.988
Porto trajcl 0.415 0.572 0.791 0.546 0.668 0.910 0.584 0.715 0.938 0.644 0.754 0.975
Porto kgts 0.464 0.497 0.784 0.535 0.501 0.812 0.343 0.331 0.618 0.306 0.315 0.548
Porto movsemcl 0.439 0.591 0.811 0.590 0.697 0.935 0.681 0.796 0.987 0.684 0.781 0.984
Xi'an neutraj 0.547 0.663 0.882 0.392 0.504 0.759 0.591 0.731 0.955 0.531 0.715 0.913
Xi'an t3s 0.298 0.474 0.619 0.334 0.495 0.705 0.600 0.735 0.925 0.461 0.647 0.844
Xi'an tmn 0.385 0.414 0.686 0.396 0.417 0.705 0.389 0.422 0.729 0.305 0.365 0.550
Xi'an trajgat 0.479 0.616 0.917 0.378 0.577 0.842 0.522 0.633 0.959 0.778 0.822 0.993
Xi'an trajcl 0.444 0.625 0.815 0.427 0.556 0.799 0.634 0.732 0.948 0.704 0.802 0.968
Xi'an kgts 0.553 0.594 0.868 0.606 0.574 0.871 0.458 0.445 0.754 0.421 0.457 0.714
Xi'an movsemcl 0.384 0.527 0.742 0.347 0.567 0.824 0.736 0.820 0.988 0.746 0.831 0.984
)",
                paper_rival_score);
}

// Its full model is that of Table II.
TEST(PaperFigures, TableThree) {
  expect_scores(R"(
Porto full 0.765 0.869 0.996 0.796 0.881 0.998 0.754 0.838 0.996 0.755 0.849 0.995
Porto w/o-S 0.589 0.725 0.936 0.540 0.680 0.901 0.381 0.554 0.776 0.321 0.499 0.71
Porto w/o-K 0.436 0.586 0.802 0.484 0.617 0.865 0.656 0.771 0.983 0.662 0.766 0.981
Porto w/o-SK 0.131 0.262 0.382 0.118 0.222 0.332 0.282 0.455 0.654 0.167 0.333 0.464
Xi'an full 0.754 0.883 0.995 0.797 0.889 0.996 0.812 0.890 0.997 0.813 0.892 0.997
Xi'an w/o-S 0.635 0.778 0.954 0.600 0.741 0.931 0.512 0.669 0.860 0.518 0.690 0.878
Xi'an w/o-K 0.339 0.532 0.670 0.344 0.570 0.814 0.765 0.835 0.993 0.710 0.816 0.983
Xi'an w/o-SK 0.255 0.468 0.611 0.120 0.270 0.381 0.390 0.570 0.771 0.321 0.521 0.702
)",
                paper_score);
}

// The paper prints other figures of its full model on Xi'an here than in Table II.
TEST(PaperFigures, TableFour) {
  expect_values(R"(
Porto full 0.765 0.796 0.754 0.755
Porto gqa 0.761 0.789 0.752 0.739
Porto vanilla 0.751 0.793 0.740 0.725
Xi'an full 0.754 0.813 0.812 0.812
Xi'an gqa 0.751 0.788 0.807 0.797
Xi'an vanilla 0.751 0.783 0.799 0.798
)",
                paper_attention);
}

TEST(PaperFigures, TableFive) {
  expect_values("Xi'an full 0.919 0.954 0.939 0.966\nXi'an w/o-S 0.903 0.935 0.929 0.932\n",
                paper_rand_index);
  EXPECT_FALSE(paper_rand_index("Porto", "full", Measure::dtw).has_value());
}

TEST(PaperFigures, TableSix) {
  EXPECT_EQ(paper_batch_hours, (std::array{2.40, 1.43, 0.76, 0.44, 0.38}));
}

TEST(PaperFigures, TableSeven) {
  EXPECT_EQ(paper_scale_hr10, (std::array{0.812, 0.822, 0.824}));
  EXPECT_EQ(paper_scale_label_seconds, (std::array{5303.0, 10636.0, 52805.0}));
  const std::array trajcl{0.634, 0.726, 0.729}, movsemcl{0.736, 0.768, 0.767};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(paper_rival_scale("trajcl", i), trajcl[i]);
    EXPECT_EQ(paper_rival_scale("movsemcl", i), movsemcl[i]);
  }
  EXPECT_FALSE(paper_rival_scale("kgts", 0).has_value());
}

TEST(PaperFigures, TableEight) {
  EXPECT_EQ(paper_quality, (std::array{0.812, 0.799, 0.669, 0.793, 0.686, 0.783, 0.559}));
  const std::array trajcl{0.634, 0.632, 0.583, 0.545, 0.470, 0.502, 0.452},
      movsemcl{0.736, 0.735, 0.655, 0.716, 0.562, 0.730, 0.655};
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(paper_rival_quality("trajcl", i), trajcl[i]);
    EXPECT_EQ(paper_rival_quality("movsemcl", i), movsemcl[i]);
  }
  EXPECT_FALSE(paper_rival_quality("tmn", 0).has_value());
}

TEST(PaperFigures, TableNine) {
  expect_values(R"(
to-Porto trajcl 0.230 0.368 0.548 0.543
to-Xi'an trajcl 0.261 0.284 0.254 0.349
to-Porto movsemcl 0.119 0.121 0.118 0.158
to-Xi'an movsemcl 0.241 0.234 0.171 0.270
)",
                [](const std::string& city, const std::string& rival, Measure measure) {
                  return paper_rival_transfer(rival, city == "to-Porto", measure);
                });
  expect_values("to-Porto full 0.509 0.621 0.633 0.601\nto-Xi'an full 0.494 0.619 0.687 0.645\n",
                [](const std::string& city, const std::string&, Measure measure) {
                  return paper_transfer(city == "to-Porto", measure);
                });
  EXPECT_FALSE(paper_rival_transfer("t3s", true, Measure::dtw).has_value());
}

TEST(PaperFigures, TableTen) {
  EXPECT_EQ(paper_parameters, 280'000);
  EXPECT_EQ(paper_training_seconds, 1917);
  EXPECT_EQ(paper_embedding_seconds, 0.28);
  const std::map<std::string, std::array<double, 3>> rivals{
      {"neutraj", {0.12, 5605, 2.47}},  {"t3s", {0.20, 2246, 0.26}},
      {"trajgat", {2.84, 15529, 2.48}}, {"trajcl", {1.22, 2810, 0.20}},
      {"kgts", {2.99, 2534, 0.14}},     {"movsemcl", {1.85, 8490, 2.27}}};
  for (const auto& [rival, values] : rivals) {
    const auto cost = paper_rival_cost(rival);
    ASSERT_TRUE(cost.has_value()) << rival;
    EXPECT_DOUBLE_EQ(cost->parameters, 1e6 * values[0]) << rival;
    EXPECT_EQ(cost->training_seconds, values[1]) << rival;
    EXPECT_EQ(cost->embedding_seconds, values[2]) << rival;
  }
  const auto tmn = paper_rival_cost("tmn");
  ASSERT_TRUE(tmn.has_value());
  EXPECT_DOUBLE_EQ(tmn->parameters, 0.18e6);
  EXPECT_EQ(tmn->training_seconds, 3968);
  EXPECT_FALSE(tmn->embedding_seconds.has_value());
  EXPECT_FALSE(paper_rival_cost("grot").has_value());
}

TEST(PaperFigures, NothingWhereItHasNone) {
  EXPECT_FALSE(paper_score("Porto", "gqa", Measure::dtw).has_value());
  EXPECT_FALSE(paper_score("Porto", "full", Measure::sspd).has_value());
  EXPECT_FALSE(paper_transfer(true, Measure::erp).has_value());
  EXPECT_FALSE(paper_rival_score("Germany", "t3s", Measure::dtw).has_value());
}

TEST(PaperFigures, CitiesStandBesideTheirOwn) {
  for (const char* city : {"porto", "Porto", "PORTO", "porto-2013", "Portos"}) {
    EXPECT_EQ(paper_city(city), "Porto") << city;
  }
  for (const char* city : {"xian", "port", "geolife", "", "a porto"}) {
    EXPECT_EQ(paper_city(city), "Xi'an") << city;
  }
}

}  // namespace
}  // namespace tsmini::experiment
