// What may stand behind an option, checked in one place for all verbs.
//
//   verb.add_option("--mode", mode, "…")->transform(one_of({"fast", "rerank", "exact"}));
//   verb.add_option("--measure", measure, "…")->transform(any_case());
//   verb.add_option("--within", within, "…")->check(at_least(0));
//
// Names may be written in upper or lower case; the verb is given them in lower case, as we write
// them. Numbers need no check of their own to be numbers: see check_numbers().
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace tsmini::cli {

CLI::Validator any_case();
// The same, and only these.
CLI::Validator one_of(std::vector<std::string> names);

// Checks of options that are numbers.
CLI::Validator at_least(double least);
CLI::Validator above(double bound);

// Makes every option of every verb that is a number refuse what is none: "45kmh", "nan", "inf", a
// fraction where numbers are whole, -1 where they count (which would wrap round to 2^64 - 1). To be
// called when all options are there; goes by the type of the variable behind an option, so that
// none can be forgotten.
void check_numbers(CLI::App& app);

}  // namespace tsmini::cli
