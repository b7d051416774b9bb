// Completions and the reference page, both read off the options as the parser holds them.
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "common/option_checks.h"
#include "help_presets.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

std::vector<const CLI::App*> verbs_of(const CLI::App& app) {
  const auto all = app.get_subcommands([](const CLI::App*) { return true; });
  return {all.begin(), all.end()};
}

std::string option_names(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const auto& name : option.get_snames()) names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) names.push_back("--" + name);
  if (names.empty()) return option.get_option_text();
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (option.get_items_expected_max() > 0 && !option.get_option_text().empty()) {
    text += " " + option.get_option_text();
  }
  return text;
}

std::string escape_bars(const std::string& text) {
  std::string escaped;
  for (const char letter : text) {
    if (letter == '|') escaped += '\\';
    escaped += letter;
  }
  return escaped;
}

void print_markdown(const CLI::App& app) {
  fmt::print("# Command line\n\nWritten by `tsmini help --markdown`; do not edit by hand.\n");
  for (const CLI::App* verb : verbs_of(app)) {
    fmt::print("\n## tsmini {}\n\n{}.\n\n", verb->get_name(), verb->get_description());
    fmt::print("| option | meaning |\n|---|---|\n");
    for (const CLI::Option* option : verb->get_options()) {
      fmt::print("| `{}` | {} |\n", escape_bars(option_names(*option)),
                 escape_bars(option->get_description()));
    }
    const std::string footer = verb->get_footer();
    if (!footer.empty()) fmt::print("\n```text\n{}\n```\n", footer);
  }
}

void print_bash(const CLI::App& app) {
  std::string names, cases;
  for (const CLI::App* verb : verbs_of(app)) {
    names += " " + verb->get_name();
    std::string options;
    for (const CLI::Option* option : verb->get_options()) {
      for (const auto& name : option->get_lnames()) options += " --" + name;
    }
    cases += fmt::format("    {}) words=\"{}\" ;;\n", verb->get_name(), options.substr(1));
  }
  fmt::print(
      "# bash completion for tsmini; load it with: source <(tsmini completion bash)\n"
      "_tsmini() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} words=\n"
      "  if [[ $COMP_CWORD -eq 1 ]]; then\n"
      "    COMPREPLY=($(compgen -W \"{}\" -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n{}"
      "  esac\n"
      "  COMPREPLY=()\n"
      "  [[ $current == -* ]] && COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "}}\n"
      "complete -o default -F _tsmini tsmini\n",
      names.substr(1), cases);
}

}  // namespace

void add_help(CLI::App& app) {
  struct Arguments {
    std::string verb;
    bool markdown = false;
  };
  auto a = std::make_shared<Arguments>();
  CLI::App* verb = app.add_subcommand("help", "Explain a verb, or all of them, or the presets");
  verb->footer("Examples:\n  tsmini help train\n  tsmini help presets");
  verb->add_option("VERB", a->verb,
                   "The verb to explain; or presets: in what those of train differ")
      ->option_text("[VERB|presets]");
  verb->add_flag("--markdown", a->markdown, "All verbs as one Markdown page");
  verb->callback([&app, a] {
    if (a->markdown) return print_markdown(app);
    if (a->verb.empty()) {  // app.help() would explain the verb that was parsed: this one
      constexpr auto normal = CLI::AppFormatMode::Normal;
      return fmt::print("{}", app.get_formatter()->make_help(&app, app.get_name(), normal));
    }
    if (a->verb == "presets") return fmt::print("{}", presets_page());
    for (const CLI::App* chosen : verbs_of(app)) {
      if (chosen->get_name() == a->verb) return fmt::print("{}", chosen->help(app.get_name()));
    }
    throw Error(ErrorCode::usage, fmt::format("'{}' is not a verb", a->verb),
                "tsmini help lists them; tsmini help presets explains those of train");
  });
}

void add_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("completion", "Print the completions for a shell");
  verb->footer("Example:\n  source <(tsmini completion bash)");
  static constexpr std::array<std::string_view, 1> shells{"bash"};
  add_choice(*verb, "SHELL", *shell, shells, "bash")->required();
  verb->callback([&app, shell] { print_bash(app); });
}

}  // namespace tsmini::cli
