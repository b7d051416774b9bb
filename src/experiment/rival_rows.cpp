#include "experiment/rival_rows.h"

#include <cmath>

#include <fmt/format.h>

#include "experiment/paper_figures.h"

namespace tsmini::experiment {
namespace {

double mean_over(const Rated& rated, double RivalOutcome::*field) {
  double sum = 0;
  double count = 0;
  for (const RivalOutcome& outcome : rated.outcomes) {
    if (outcome.failed) continue;
    sum += outcome.*field;
    ++count;
  }
  return sum / count;  // NaN where all failed
}

// What is the same for all measures, and what is made once for them; NaN where all failed.
double largest(const Rated& rated, double RivalOutcome::*field) {
  double most = std::nan("");
  for (const RivalOutcome& outcome : rated.outcomes) most = std::fmax(most, outcome.*field);
  return most;
}

}  // namespace

Cell marked(const Spread& figure, bool rising) {
  Cell cell = figure.cell();
  if (rising) cell.text += " ↑";
  return cell;
}

std::string pairs_note(std::span<const Contender> contenders) {
  std::string note;
  for (const Contender& one : contenders) {
    if (one.rival.compares_pairs && !one.as_released)
      note += fmt::format(
          " {} has no embedding of a trip: its time is that for all pairs of the test trips.",
          one.rival.title);
  }
  return note;
}

Table rivals_table(const Setting& setting, std::span<const Rated> rated, std::string_view city) {
  Table table{"Rivals: HR@10, sizes and times", {"rival"}, {}, std::string(mark_note)};
  for (const Measure measure : setting.measures) {
    table.columns.push_back(title_of(measure));
    table.columns.push_back(fmt::format("{}, the paper on {}", title_of(measure), city));
  }
  table.columns.insert(table.columns.end(),
                       {"parameters", "numbers in tables", "steps", "steps of its recipe",
                        "training", "pretraining", "embedding"});
  std::vector<Contender> all;
  for (const Rated& one : rated) {
    std::vector<Cell> row{one.contender.title()};
    for (std::size_t m = 0; m < setting.measures.size(); ++m) {
      const auto paper = paper_rival_score(city, one.contender.rival.name, setting.measures[m]);
      row.push_back(marked(one.outcomes[m].hr10, one.outcomes[m].rising));
      row.push_back(paper ? ratio(paper->hr10) : Cell("–"));
    }
    row.insert(row.end(), {count_of(largest(one, &RivalOutcome::parameters)),
                           count_of(largest(one, &RivalOutcome::table)),
                           count_of(mean_over(one, &RivalOutcome::steps)),
                           count_of(mean_over(one, &RivalOutcome::recipe_steps)),
                           seconds_of(mean_over(one, &RivalOutcome::seconds)),
                           seconds_of(largest(one, &RivalOutcome::pretraining_seconds)),
                           seconds_of(mean_over(one, &RivalOutcome::embed_seconds))});
    table.rows.push_back(row);
    all.push_back(one.contender);
  }
  table.note +=
      " Tables: frozen vectors of cells. Steps and seconds: the mean of the measures; pretraining, "
      "which is made once for all of them: the longest. Embedding: the test trips.";
  table.note += pairs_note(all);
  return table;
}

std::vector<std::string> counted_below(const Setting& setting, std::span<const Rated> rated,
                                       std::span<const double> figures, std::string_view owner) {
  std::vector<std::string> sentences;
  for (std::size_t m = 0; m < setting.measures.size(); ++m) {
    std::size_t below = 0, all = 0;
    for (const Rated& one : rated) {
      if (one.contender.as_released || one.outcomes[m].failed) continue;
      ++all;
      if (one.outcomes[m].hr10.mean < figures[m]) ++below;
    }
    if (all == 0) continue;
    sentences.push_back(fmt::format("{}: HR@10 of {} of {} rivals is below that of {} ({}).",
                                    title_of(setting.measures[m]), below, all, owner,
                                    ratio(figures[m]).text));
  }
  return sentences;
}

}  // namespace tsmini::experiment
