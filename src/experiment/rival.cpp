#include "experiment/rival.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/amounts.h"
#include "base/enum_names.h"
#include "base/text.h"
#include "base/utf8.h"
#include "experiment/experiments.h"

namespace tsmini::experiment {
namespace {

constexpr std::array<Rival, 7> all_rivals{
    {{.name = "neutraj", .title = "NeuTraj"},
     {.name = "t3s", .title = "T3S"},
     {.name = "tmn", .title = "TMN", .compares_pairs = true},
     {.name = "trajgat", .title = "TrajGAT"},
     {.name = "trajcl", .title = "TrajCL", .in_every_table = true},
     {.name = "kgts", .title = "KGTS", .has_mistakes = false},
     {.name = "movsemcl", .title = "MovSemCL", .in_every_table = true}}};

bool is_among(std::span<const Rival> some, const Rival& rival) {
  return std::any_of(some.begin(), some.end(),
                     [&](const Rival& one) { return one.name == rival.name; });
}

}  // namespace

std::span<const Rival> rivals() {
  return all_rivals;
}

const Rival& rival_named(std::string_view name) {
  for (const Rival& rival : all_rivals)
    if (rival.name == name) return rival;
  throw Error(
      ErrorCode::usage, fmt::format("there is no rival '{}'", printable(name)),
      fmt::format("choose among all, {}", fmt::join(names_of(all_rivals, &Rival::name), ", ")),
      "rivals");
}

std::vector<Rival> rivals_of_paper(std::string_view experiment) {
  const auto& all = experiments();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Experiment& one) { return one.name == experiment; });
  std::vector<Rival> chosen;
  if (found == all.end() || found->rivals == PaperRivals::none) return chosen;
  for (const Rival& rival : all_rivals)
    if (found->rivals == PaperRivals::all || rival.in_every_table) chosen.push_back(rival);
  return chosen;
}

bool has_rivals(std::string_view experiment) {
  return !rivals_of_paper(experiment).empty();
}

RivalChoice rivals_from(const std::vector<std::string>& names) {
  RivalChoice choice;
  for (const std::string& name : names) {
    if (trimmed(name) == "all")
      choice.all = true;
    else
      choice.named.push_back(rival_named(trimmed(name)));
  }
  return choice;
}

std::string Contender::title() const {
  return as_released ? fmt::format("{}, as released", rival.title) : std::string(rival.title);
}

std::vector<Contender> contenders(const RivalChoice& choice, std::string_view experiment) {
  std::vector<Contender> chosen;
  const std::vector<Rival> paper = rivals_of_paper(experiment);
  if (paper.empty()) return chosen;
  for (const Rival& rival : all_rivals) {
    if (!is_among(choice.named, rival) && !(choice.all && is_among(paper, rival))) continue;
    chosen.push_back({rival, false});
    if (choice.as_released && rival.has_mistakes) chosen.push_back({rival, true});
  }
  return chosen;
}

std::string rivals_with(const RivalChoice& choice) {
  return choice.seconds ? fmt::format(
                              "rivals: at most {} of training a run, and before it as much, and a "
                              "third of it for "
                              "vectors of cells, for what does not depend on the measure",
                              human_seconds(*choice.seconds))
                        : std::string("rivals: as many epochs as their recipes have");
}

}  // namespace tsmini::experiment
