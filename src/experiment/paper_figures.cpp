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

}  // namespace

std::string_view paper_city(std::string_view city) {
  std::string lower(city.substr(0, 5));
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower == "porto" ? "Porto" : "Xi'an";
}

std::optional<PaperScore> paper_score(std::string_view city, std::string_view variant,
                                      Measure measure) {
  const auto* const row = row_of(scores, city, variant);
  const auto column = column_of(measure);
  if (row == scores.end() || !column) return {};
  return row->scores[*column];
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

}  // namespace tsmini::experiment
