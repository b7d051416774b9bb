#include "common/option_checks.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"

namespace tsmini::cli {
namespace {

std::string flaw_of_real(const std::string& word) {
  const std::optional<double> number = number_from(word);
  if (number && std::isfinite(*number)) return {};
  return fmt::format("'{}' is not a number", printable(word));
}

template <class Integer>
std::string flaw_of_whole(const std::string& word) {
  Integer number = 0;
  const char* end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, number);
  if (error == std::errc::result_out_of_range) {
    return fmt::format("'{}' is too large", printable(word));
  }
  if (error == std::errc() && rest == end) return {};
  return fmt::format("'{}' is not a whole number{}", printable(word),
                     std::is_unsigned_v<Integer> && word.starts_with('-') ? " from 0 up" : "");
}

using Flaw = std::string (*)(const std::string&);

// The check for a type by the name that CLI11 has for it, which the descriptions of checks follow.
Flaw check_for(std::string_view type) {
  if (type.starts_with("FLOAT")) return flaw_of_real;
  if (type.starts_with("UINT")) return flaw_of_whole<std::uint64_t>;
  if (type.starts_with("INT")) return flaw_of_whole<std::int64_t>;
  return nullptr;
}

CLI::Validator one_of(NameList names) {
  return {[names](std::string& word) -> std::string {
            for (const std::string_view name : names) {
              if (!equal_ignoring_case(word, name)) continue;
              word = name;
              return {};
            }
            return fmt::format("'{}' is not one of {}", printable(word), fmt::join(names, ", "));
          },
          ""};
}

CLI::Validator bounded(double bound, bool open) {
  return {[bound, open](const std::string& word) -> std::string {
            const double number = number_from(word).value_or(bound);
            if (open ? number > bound : number >= bound) return {};
            return fmt::format("{} is not {} {}", word, open ? "above" : "at least", bound);
          },
          ""};
}

}  // namespace

CLI::Validator any_case() {
  return {[](std::string& word) -> std::string {
            word = lower_case(word);
            return {};
          },
          ""};
}

CLI::Option* limit_to(CLI::Option* option, NameList names) {
  return option->transform(one_of(names))->option_text(fmt::format("{}", fmt::join(names, "|")));
}

CLI::Validator at_least(double least) {
  return bounded(least, false);
}

CLI::Validator above(double bound) {
  return bounded(bound, true);
}

CLI::Validator between(double least, double most) {
  return {[least, most](const std::string& word) -> std::string {
            const double number = number_from(word).value_or(least);
            if (number >= least && number <= most) return {};
            return fmt::format("{} is not from {} to {}", word, least, most);
          },
          ""};
}

void check_numbers(CLI::App& app) {
  for (CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    for (CLI::Option* option : verb->get_options()) {
      const Flaw flaw = check_for(option->get_type_name());
      if (flaw == nullptr) continue;
      // transform() puts it before the checks that take the word for a number.
      option->transform(CLI::Validator([flaw](std::string& word) { return flaw(word); }, ""));
    }
  }
}

}  // namespace tsmini::cli
