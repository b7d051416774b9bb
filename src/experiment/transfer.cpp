#include <fmt/format.h>

#include "tsmini/error.h"

#include "experiment/experiments.h"
#include "experiment/paper_figures.h"
#include "experiment/rival_study.h"
#include "experiment/scoring.h"
#include "experiment/study.h"
#include "experiment/trip_sets.h"

namespace tsmini::experiment {
namespace {

constexpr std::size_t tuning_trips = 500;

// The same weights in the box and the space of another city. Both are those of all its trips, the
// test part among them, as they are for a model that is trained there.
Model moved(Model model, const Dataset& data) {
  model.frame = FeatureFrame::fit(data);
  model.space = Space::fit(model.space.kind(), data);
  return model;
}

struct Journey {
  std::vector<double> as_is, tuned, at_home;  // HR@10, a value a seed
};

Journey travel(Lab& lab, const Setting& setting, const City& from, const City& to,
               Measure measure) {
  Journey journey;
  const Variant variant{"default", "default", {}};
  for (const std::uint64_t seed : setting.seeds) {
    const Model learned = trained_as(lab, setting, from, variant, measure, seed).model;
    const Model native = trained_as(lab, setting, to, variant, measure, seed).model;
    journey.as_is.push_back(lab.judge(moved(learned, to.data), to.data).score.hr10);
    journey.at_home.push_back(lab.judge(native, to.data).score.hr10);
    const std::size_t trips = std::min(tuning_trips, to.data.indices_of(Part::train).size());
    const City sample{fmt::format("{} trips of {}", trips, to.name),
                      sample_for_tuning(to.data, trips, seed)};
    TrainOptions request = request_for(setting, sample, variant, measure, seed);
    request.init = learned;
    request.rebox = true;
    const std::string label =
        fmt::format("{}, {}, from {}, seed {}", sample.name, name_of(measure), from.name, seed);
    const Model tuned = lab.train(sample, label, request).model;
    journey.tuned.push_back(lab.judge(tuned, sample.data).score.hr10);
  }
  return journey;
}

// HR@10 of a rival that learned in one city, in the box of another.
Spread travel(Lab& lab, const Setting& setting, const City& from, const City& to,
              const Contender& contender, Measure measure) {
  std::vector<double> as_is;
  const Space space = Space::fit(setting.space, to.data);
  for (const std::uint64_t seed : setting.seeds) {
    const RivalRun run = rival_run(lab, setting, from, contender, measure, seed);
    const Predicted predicted = lab.rival_distances(run, to.data, true);
    as_is.push_back(score_of(predicted.distances, lab.truth(measure, space, to.data)).hr10);
  }
  return spread_of(as_is);
}

// Adds rows for each rival: our figures and, unless it is as released, those the paper has of it.
void add_rivals(Report& report, Table& table, Lab& lab, const Setting& setting, const City& from,
                const City& to, const std::string& paper_name, bool to_porto) {
  for (const Contender& contender : contenders(setting.rivals, "transfer")) {
    std::vector<Cell> own{fmt::format("{}, as it is", contender.title())};
    std::vector<Cell> paper{fmt::format("{}, {}", contender.rival.title, paper_name)};
    bool is_in_paper = false;
    for (const Measure measure : setting.measures) {
      const std::string label = fmt::format("{} from {} to {} for {}", contender.title(), from.name,
                                            to.name, title_of(measure));
      own.emplace_back("–");
      succeeds(report, label,
               [&] { own.back() = travel(lab, setting, from, to, contender, measure).cell(); });
      const auto figure = paper_rival_transfer(contender.rival.name, to_porto, measure);
      paper.push_back(ratio(figure));
      is_in_paper |= figure.has_value();
    }
    table.rows.push_back(own);
    if (is_in_paper && !contender.as_released) table.rows.push_back(paper);
  }
}

}  // namespace

Report transfer(const Setting& setting, Lab& lab) {
  if (!setting.other)
    throw Error(ErrorCode::usage, "transfer needs a second city", "name it with `other`", "other");
  Report report{"transfer", "Learned in one city, used in another", made_with(setting), {}, {}, {}};
  report.made_with.push_back(
      fmt::format("`default` preset; as it is: the weights in the box of all trips of the new "
                  "city; fine-tuned: as many steps again as the city's own model has, on {} of its "
                  "training trips, a fifth of them to choose the weights by",
                  tuning_trips));
  if (setting.rivals.any()) report.made_with.push_back(rivals_with(setting.rivals));
  BarChart chart = measures_chart(setting);
  chart.title = "In another city";
  const City *here = &setting.city, *there = &*setting.other;
  for (const auto& [from, to] : {std::pair{here, there}, std::pair{there, here}}) {
    Table table{fmt::format("HR@10, {} → {}", from->name, to->name), {""}, {}, ""};
    for (const Measure measure : setting.measures) table.columns.push_back(title_of(measure));
    std::vector<Cell> as_is{std::string("as it is")}, tuned{std::string("fine-tuned")},
        at_home{fmt::format("learned in {}", to->name)}, share{std::string("fine-tuned / learned")};
    BarChart::Series plain{fmt::format("{} → {}", from->name, to->name), {}};
    BarChart::Series after{fmt::format("{} → {}, fine-tuned", from->name, to->name), {}};
    std::size_t enough = 0;
    for (const Measure measure : setting.measures) {
      const Journey journey = travel(lab, setting, *from, *to, measure);
      const Spread first = spread_of(journey.as_is), second = spread_of(journey.tuned),
                   home = spread_of(journey.at_home);
      as_is.push_back(first.cell());
      tuned.push_back(second.cell());
      at_home.push_back(home.cell());
      share.push_back(ratio(second.mean / home.mean));
      plain.values.push_back(first.mean);
      after.values.push_back(second.mean);
      if (second.mean >= .9 * home.mean) ++enough;
    }
    table.rows = {as_is, tuned, at_home, share};
    const bool to_porto = paper_city(to->name) == "Porto";
    const std::string paper_name =
        to_porto ? "the paper, Xi'an → Porto" : "the paper, Porto → Xi'an";
    std::vector<Cell> paper{paper_name};
    for (const Measure measure : setting.measures)
      paper.push_back(ratio(paper_transfer(to_porto, measure)));
    table.rows.push_back(paper);
    add_rivals(report, table, lab, setting, *from, *to, paper_name, to_porto);
    report.tables.push_back(table);
    chart.series.insert(chart.series.end(), {plain, after});
    report.findings.push_back(
        fmt::format("{} → {}: fine-tuning reaches nine tenths of the figure of the city itself "
                    "for {} of {}.",
                    from->name, to->name, enough, setting.measures.size()));
  }
  report.figures.push_back({"", svg_of(chart)});
  return report;
}

}  // namespace tsmini::experiment
