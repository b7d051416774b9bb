#include "common/program.h"

#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/system_reason.h"
#include "common/console.h"
#include "common/option_checks.h"
#include "common/suggest.h"

namespace tsmini::cli {
namespace {

int complain(const std::string& message, const std::string& hint, ErrorCode code) {
  std::string text = fmt::format("error: {}\n", message);
  if (!hint.empty()) text += fmt::format("  hint: {}\n", hint);
  std::fputs(text.c_str(), stderr);
  return exit_status(code);
}

// The options of a verb, or the verbs themselves.
std::vector<std::string> words_of(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    words.push_back(verb->get_name());
  }
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  }
  return words;
}

// "info and search", where these are the verbs that have the option.
std::string verbs_with(const std::string& option, const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (verb->get_option_no_throw(option) != nullptr) names.push_back(verb->get_name());
  }
  if (names.size() < 2) return names.empty() ? "" : names.front();
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

int complain_about_word(const std::string& word, const CLI::App& app, const CLI::App& verb,
                        const std::string& help) {
  const bool is_option = word.starts_with('-');
  const std::string name = word.substr(0, word.find('='));
  const std::string others = is_option ? verbs_with(name, app) : "";
  const std::string near = others.empty() ? closest(name, words_of(verb)) : "";
  std::string hint = fmt::format("{} shows how", help);
  if (!others.empty()) hint = fmt::format("it belongs to {}; {}", others, hint);
  if (!near.empty()) hint = fmt::format("did you mean {}? {}", near, hint);
  return complain(fmt::format("'{}' is not {} that {} knows", word,
                              is_option ? "an option" : "a word", verb.get_name()),
                  hint, ErrorCode::usage);
}

int complain_about_usage(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const CLI::App& verb = chosen.empty() ? app : *chosen.front();
  const std::string help = chosen.empty()
                               ? fmt::format("{} --help", app.get_name())
                               : fmt::format("{} {} --help", app.get_name(), verb.get_name());
  const std::vector<std::string> unknown = app.remaining(true);
  if (!unknown.empty()) return complain_about_word(unknown.front(), app, verb, help);
  return complain(error.what(), fmt::format("{} shows how", help), ErrorCode::usage);
}

}  // namespace

int parse_and_run(CLI::App& app, int argc, char** argv) {
  app.require_subcommand(1);
  app.get_formatter()->column_width(38);
  app.failure_message(CLI::FailureMessage::simple);
  check_numbers(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return complain_about_usage(app, error);
  }
  return 0;
}

int guarded(const std::function<int()>& work) {
  std::signal(SIGPIPE, SIG_IGN);
  catch_interrupts();
  try {
    return work();
  } catch (const Error& error) {
    return complain(error.what(), error.hint(), error.code());
  } catch (const std::filesystem::filesystem_error& error) {
    const int reason = error.code().value();
    return complain(fmt::format("{}: cannot use it: {}", error.path1().string(), reason_of(reason)),
                    remedy_for(reason, FileUse::read), ErrorCode::failure);
  } catch (const std::bad_alloc&) {
    return complain("out of memory", "", ErrorCode::failure);
  } catch (const std::exception& error) {
    return complain(error.what(), "", ErrorCode::failure);
  }
}

}  // namespace tsmini::cli
