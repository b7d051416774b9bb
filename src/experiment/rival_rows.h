// What tables say of rivals.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiment/report.h"
#include "experiment/rival_study.h"

namespace tsmini::experiment {

// A rival with what came of it for each measure of the setting.
struct Rated {
  Contender contender;
  std::vector<RivalOutcome> outcomes;
};

// "↑" behind the figure of a run that was still getting better when its time was over.
Cell marked(const Spread& figure, bool rising);
inline constexpr std::string_view mark_note =
    "↑: its validation figure was still rising when its time was over.";

// What the times of those that compare pairs are; empty where none does.
std::string pairs_note(std::span<const Contender> contenders);

// HR@10 for each measure beside the paper's on a city, sizes and times.
Table rivals_table(const Setting& setting, std::span<const Rated> rated, std::string_view city);

// For each measure how many of the rivals, mended, are below a figure of the same measure, whose
// owner is named.
std::vector<std::string> counted_below(const Setting& setting, std::span<const Rated> rated,
                                       std::span<const double> figures, std::string_view owner);

}  // namespace tsmini::experiment
