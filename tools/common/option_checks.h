// What may stand behind an option, checked in one place for all verbs.
//
//   add_choice(verb, "--mode", mode, search_mode_names, "…");
//   verb.add_option("--measure", measure, "…")->transform(any_case());
//   verb.add_option("--within", within, "…")->check(at_least(0));
//
// Names may be written in upper or lower case; the verb is given them in lower case, as we write
// them. Numbers need no check of their own to be numbers: see check_numbers().
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "base/enum_names.h"

namespace tsmini::cli {

CLI::Validator any_case();

// Makes an option take one of these names, and list them in help. The table (base/enum_names.h)
// must outlive the app.
CLI::Option* limit_to(CLI::Option* option, NameList names);

// Adds such an option.
inline CLI::Option* add_choice(CLI::App& verb, const std::string& option, std::string& chosen,
                               NameList names, const std::string& text) {
  return limit_to(verb.add_option(option, chosen, text), names);
}
// Adds an option whose value has its name in the table.
template <class Value>
CLI::Option* add_choice(CLI::App& verb, const std::string& option, std::optional<Value>& chosen,
                        NameList names, const std::string& text) {
  const auto choose = [&chosen, names](const std::string& name) {
    chosen = value_in<Value>(names, name);
  };
  return limit_to(verb.add_option_function<std::string>(option, choose, text), names);
}
template <class Value>
CLI::Option* add_choice(CLI::App& verb, const std::string& option, Value& chosen, NameList names,
                        const std::string& text) {
  const auto choose = [&chosen, names](const std::string& name) {
    chosen = *value_in<Value>(names, name);
  };
  return limit_to(verb.add_option_function<std::string>(option, choose, text), names);
}

// Checks of options that are numbers.
CLI::Validator at_least(double least);
CLI::Validator above(double bound);
CLI::Validator between(double least, double most);

// Makes every option of every verb that is a number refuse what is none: "45kmh", "nan", "inf", a
// fraction where numbers are whole, -1 where they count (which would wrap round to 2^64 - 1). To be
// called when all options are there; goes by the type of the variable behind an option, so that
// none can be forgotten.
void check_numbers(CLI::App& app);

}  // namespace tsmini::cli
