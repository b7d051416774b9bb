#include "experiment/paper_figures.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace tsmini::experiment {
namespace {

using Four = std::array<double, 4>;  // dtw, edwp, frechet, hausdorff

std::optional<std::size_t> column_of(Measure measure) {
  switch (measure) {
    case Measure::dtw: return 0;
    case Measure::edwp: return 1;
    case Measure::frechet: return 2;
    case Measure::hausdorff: return 3;
    default: return {};
  }
}

struct ScoreRow {
  std::string_view city, variant;
  std::array<PaperScore, 4> scores;
};
constexpr std::array<ScoreRow, 8> scores{{
    {"Porto",
     "full",
     {{{.765, .869, .996}, {.796, .881, .998}, {.754, .838, .996}, {.755, .849, .995}}}},
    {"Porto",
     "w/o-S",
     {{{.589, .725, .936}, {.540, .680, .901}, {.381, .554, .776}, {.321, .499, .710}}}},
    {"Porto",
     "w/o-K",
     {{{.436, .586, .802}, {.484, .617, .865}, {.656, .771, .983}, {.662, .766, .981}}}},
    {"Porto",
     "w/o-SK",
     {{{.131, .262, .382}, {.118, .222, .332}, {.282, .455, .654}, {.167, .333, .464}}}},
    {"Xi'an",
     "full",
     {{{.754, .883, .995}, {.797, .889, .996}, {.812, .890, .997}, {.813, .892, .997}}}},
    {"Xi'an",
     "w/o-S",
     {{{.635, .778, .954}, {.600, .741, .931}, {.512, .669, .860}, {.518, .690, .878}}}},
    {"Xi'an",
     "w/o-K",
     {{{.339, .532, .670}, {.344, .570, .814}, {.765, .835, .993}, {.710, .816, .983}}}},
    {"Xi'an",
     "w/o-SK",
     {{{.255, .468, .611}, {.120, .270, .381}, {.390, .570, .771}, {.321, .521, .702}}}},
}};

struct Row {
  std::string_view city, variant;
  Four values;
};
constexpr std::array<Row, 6> attention_kinds{{
    {"Porto", "full", {.765, .796, .754, .755}},
    {"Porto", "gqa", {.761, .789, .752, .739}},
    {"Porto", "vanilla", {.751, .793, .740, .725}},
    {"Xi'an", "full", {.754, .813, .812, .812}},
    {"Xi'an", "gqa", {.751, .788, .807, .797}},
    {"Xi'an", "vanilla", {.751, .783, .799, .798}},
}};
constexpr std::array<Row, 2> rand_indices{{
    {"Xi'an", "full", {.919, .954, .939, .966}},
    {"Xi'an", "w/o-S", {.903, .935, .929, .932}},
}};
constexpr Four to_porto_figures{.509, .621, .633, .601}, from_porto_figures{.494, .619, .687, .645};

constexpr std::array<ScoreRow, 14> rival_scores{{
    {"Porto",
     "neutraj",
     {{{.445, .568, .824}, {.484, .601, .866}, {.539, .677, .930}, {.477, .650, .888}}}},
    {"Porto",
     "t3s",
     {{{.255, .406, .564}, {.423, .557, .795}, {.492, .659, .892}, {.478, .648, .886}}}},
    {"Porto",
     "tmn",
     {{{.228, .290, .520}, {.216, .285, .503}, {.215, .280, .542}, {.159, .217, .382}}}},
    {"Porto",
     "trajgat",
     {{{.279, .366, .686}, {.226, .345, .601}, {.384, .430, .793}, {.714, .770, .988}}}},
    {"Porto",
     "trajcl",
     {{{.415, .572, .791}, {.546, .668, .910}, {.584, .715, .938}, {.644, .754, .975}}}},
    {"Porto",
     "kgts",
     {{{.464, .497, .784}, {.535, .501, .812}, {.343, .331, .618}, {.306, .315, .548}}}},
    {"Porto",
     "movsemcl",
     {{{.439, .591, .811}, {.590, .697, .935}, {.681, .796, .987}, {.684, .781, .984}}}},
    {"Xi'an",
     "neutraj",
     {{{.547, .663, .882}, {.392, .504, .759}, {.591, .731, .955}, {.531, .715, .913}}}},
    {"Xi'an",
     "t3s",
     {{{.298, .474, .619}, {.334, .495, .705}, {.600, .735, .925}, {.461, .647, .844}}}},
    {"Xi'an",
     "tmn",
     {{{.385, .414, .686}, {.396, .417, .705}, {.389, .422, .729}, {.305, .365, .550}}}},
    {"Xi'an",
     "trajgat",
     {{{.479, .616, .917}, {.378, .577, .842}, {.522, .633, .959}, {.778, .822, .993}}}},
    {"Xi'an",
     "trajcl",
     {{{.444, .625, .815}, {.427, .556, .799}, {.634, .732, .948}, {.704, .802, .968}}}},
    {"Xi'an",
     "kgts",
     {{{.553, .594, .868}, {.606, .574, .871}, {.458, .445, .754}, {.421, .457, .714}}}},
    {"Xi'an",
     "movsemcl",
     {{{.384, .527, .742}, {.347, .567, .824}, {.736, .820, .988}, {.746, .831, .984}}}},
}};

struct SeriesRow {
  std::string_view rival;
  std::array<double, 3> scale;           // Table VII
  std::array<double, 7> quality;         // Table VIII
  std::array<double, 4> to_porto, away;  // Table IX
};
constexpr std::array<SeriesRow, 2> rival_series{{
    {"trajcl",
     {.634, .726, .729},
     {.634, .632, .583, .545, .470, .502, .452},
     {.230, .368, .548, .543},
     {.261, .284, .254, .349}},
    {"movsemcl",
     {.736, .768, .767},
     {.736, .735, .655, .716, .562, .730, .655},
     {.119, .121, .118, .158},
     {.241, .234, .171, .270}},
}};

struct CostRow {
  std::string_view rival;
  PaperCost cost;
};
constexpr std::array<CostRow, 7> rival_costs{{
    {"neutraj", {.12e6, 5605, 2.47}},
    {"t3s", {.20e6, 2246, .26}},
    {"tmn", {.18e6, 3968, {}}},
    {"trajgat", {2.84e6, 15529, 2.48}},
    {"trajcl", {1.22e6, 2810, .20}},
    {"kgts", {2.99e6, 2534, .14}},
    {"movsemcl", {1.85e6, 8490, 2.27}},
}};

const SeriesRow* series_of(std::string_view rival) {
  for (const SeriesRow& row : rival_series)
    if (row.rival == rival) return &row;
  return nullptr;
}

template <class Rows>
auto row_of(const Rows& rows, std::string_view city, std::string_view variant) {
  return std::find_if(rows.begin(), rows.end(),
                      [&](const auto& row) { return row.city == city && row.variant == variant; });
}

template <class Rows>
std::optional<double> value_of(const Rows& rows, std::string_view city, std::string_view variant,
                               Measure measure) {
  const auto row = row_of(rows, city, variant);
  const auto column = column_of(measure);
  if (row == rows.end() || !column) return {};
  return row->values[*column];
}

template <class Rows>
std::optional<PaperScore> scores_of(const Rows& rows, std::string_view city,
                                    std::string_view variant, Measure measure) {
  const auto row = row_of(rows, city, variant);
  const auto column = column_of(measure);
  if (row == rows.end() || !column) return {};
  return row->scores[*column];
}

}  // namespace

std::string_view paper_city(std::string_view city) {
  std::string lower(city.substr(0, 5));
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower == "porto" ? "Porto" : "Xi'an";
}

std::optional<PaperScore> paper_score(std::string_view city, std::string_view variant,
                                      Measure measure) {
  return scores_of(scores, city, variant, measure);
}

std::optional<double> paper_attention(std::string_view city, std::string_view variant,
                                      Measure measure) {
  return value_of(attention_kinds, city, variant, measure);
}

std::optional<double> paper_rand_index(std::string_view city, std::string_view variant,
                                       Measure measure) {
  return value_of(rand_indices, city, variant, measure);
}

std::optional<double> paper_transfer(bool to_porto, Measure measure) {
  const auto column = column_of(measure);
  if (!column) return {};
  return (to_porto ? to_porto_figures : from_porto_figures)[*column];
}

std::optional<PaperScore> paper_rival_score(std::string_view city, std::string_view rival,
                                            Measure measure) {
  return scores_of(rival_scores, city, rival, measure);
}

std::optional<double> paper_rival_scale(std::string_view rival, std::size_t size) {
  const SeriesRow* const row = series_of(rival);
  return row != nullptr ? std::optional(row->scale.at(size)) : std::nullopt;
}

std::optional<double> paper_rival_quality(std::string_view rival, std::size_t number) {
  const SeriesRow* const row = series_of(rival);
  return row != nullptr ? std::optional(row->quality.at(number)) : std::nullopt;
}

std::optional<double> paper_rival_transfer(std::string_view rival, bool to_porto, Measure measure) {
  const SeriesRow* const row = series_of(rival);
  const auto column = column_of(measure);
  if (row == nullptr || !column) return {};
  return (to_porto ? row->to_porto : row->away)[*column];
}

std::optional<PaperCost> paper_rival_cost(std::string_view rival) {
  for (const CostRow& row : rival_costs)
    if (row.rival == rival) return row.cost;
  return {};
}

}  // namespace tsmini::experiment
