// The experiments of the paper, each a function of a setting and a lab.
//
//   for (const Experiment& experiment : experiments()) std::cout << experiment.name << '\n';
//   Report report = experiment_named("overall").run(setting, lab);
#pragma once

#include <string_view>
#include <vector>

#include "experiment/lab.h"
#include "experiment/report.h"
#include "experiment/setting.h"

namespace tsmini::experiment {

Report dataset_statistics(const Setting& setting, Lab& lab);
Report overall(const Setting& setting, Lab& lab);
Report ablation(const Setting& setting, Lab& lab);
Report attention(const Setting& setting, Lab& lab);
Report clustering(const Setting& setting, Lab& lab);
Report parameters(const Setting& setting, Lab& lab);
Report length(const Setting& setting, Lab& lab);
Report scale(const Setting& setting, Lab& lab);
Report quality(const Setting& setting, Lab& lab);
Report transfer(const Setting& setting, Lab& lab);
Report efficiency(const Setting& setting, Lab& lab);

// Which rivals the paper has in an experiment: some are those of Rival::in_every_table.
enum class PaperRivals { none, some, all };

struct Experiment {
  std::string_view name;
  std::string_view in_paper;  // "Table II"
  std::string_view shows;
  Report (*run)(const Setting& setting, Lab& lab);
  PaperRivals rivals = PaperRivals::none;
  bool needs_other = false;  // a second city
};

// All experiments in the paper's order.
const std::vector<Experiment>& experiments();
// Throws Error(usage) that lists the names.
const Experiment& experiment_named(std::string_view name);

}  // namespace tsmini::experiment
