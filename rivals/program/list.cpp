#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/document.h"
#include "rivals/core/rival.h"
#include "rivals/program/verbs.h"

namespace tsmini::rivals {
namespace {

using Json = nlohmann::ordered_json;

void run(const cli::CommonOptions& common) {
  Json all = Json::array();
  for (const RivalKind& kind : rival_kinds()) {
    Json mistakes = Json::array();
    for (const Mistake& mistake : kind.mistakes)
      mistakes.push_back({{"name", mistake.name}, {"meaning", mistake.meaning}});
    all.push_back({{"name", kind.name},
                   {"title", kind.title},
                   {"summary", kind.summary},
                   {"pairs", kind.pairs},
                   {"mistakes", mistakes}});
    if (common.json) continue;
    fmt::print("{:<9} {}: {}\n", kind.name, kind.title, kind.summary);
    for (const Mistake& mistake : kind.mistakes)
      fmt::print("            {}: {}\n", mistake.name, mistake.meaning);
  }
  if (common.json) cli::print_document(all);
}

}  // namespace

void add_list(CLI::App& app, cli::CommonOptions& common) {
  CLI::App* verb = app.add_subcommand(
      "list", "The rivals, and the mistakes of their released code that were mended here");
  verb->footer(
      "Each mistake can be had back by its name: tsmini-rivals train … --released NAME, or all of\n"
      "a rival's with --as-released.");
  cli::add_common(*verb, common, cli::Reports::yes);
  verb->callback([&common] { run(common); });
}

}  // namespace tsmini::rivals
