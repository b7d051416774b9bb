#include <fmt/format.h>

#include "experiment/comparison.h"
#include "experiment/experiments.h"
#include "experiment/paper_figures.h"
#include "experiment/variants.h"

namespace tsmini::experiment {
namespace {

template <double PaperScore::*figure>
std::optional<double> paper_figure(std::string_view city, std::string_view variant,
                                   Measure measure) {
  const auto score = paper_score(city, variant, measure);
  return score ? std::optional((*score).*figure) : std::nullopt;
}

Report report_of(const Setting& setting, const char* name, const char* title) {
  Report report{name, title, made_with(setting), {}, {}, {}};
  report.made_with.push_back(fmt::format("`{}` preset", studied_preset));
  return report;
}

}  // namespace

Report ablation(const Setting& setting, Lab& lab) {
  Report report = report_of(setting, "ablation", "What the parts of the model are worth");
  const std::string_view beside = paper_city(setting.city.name);
  compare(report, setting, lab,
          {full_model(), without_sub_views(), without_ranking(), without_both()},
          {{"HR@10", &Outcome::hr10, paper_figure<&PaperScore::hr10>, beside},
           {"HR@50", &Outcome::hr50, paper_figure<&PaperScore::hr50>, beside},
           {"R10@50", &Outcome::r10at50, paper_figure<&PaperScore::r10at50>, beside}});
  return report;
}

Report attention(const Setting& setting, Lab& lab) {
  Report report = report_of(setting, "attention", "Kinds of attention");
  compare(report, setting, lab, {full_model(), grouped_queries(), vanilla_attention()},
          {{"HR@10", &Outcome::hr10, paper_attention, paper_city(setting.city.name)}});
  return report;
}

Report clustering(const Setting& setting, Lab& lab) {
  Report report =
      report_of(setting, "clustering", "Clusters of embeddings against clusters of trips");
  report.made_with.emplace_back(
      "ten medoids, once by the true distances and once by those of embeddings");
  compare(report, setting, lab, {full_model(), without_sub_views()},
          {{"Rand index", &Outcome::rand_index, paper_rand_index, "Xi'an"}});
  return report;
}

}  // namespace tsmini::experiment
