#include "common/program.h"

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text_sink.h"
#include "common/console.h"
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

int complain_about_word(const std::string& word, const CLI::App& app, const std::string& help) {
  const std::string near = closest(word.substr(0, word.find('=')), words_of(app));
  const std::string what = word.starts_with('-') ? "an option" : "a word";
  return complain(fmt::format("'{}' is not {} that {} knows", word, what, app.get_name()),
                  near.empty() ? fmt::format("{} shows how", help)
                               : fmt::format("did you mean {}? {} shows how", near, help),
                  ErrorCode::usage);
}

int complain_about_usage(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const CLI::App& verb = chosen.empty() ? app : *chosen.front();
  const std::string help = chosen.empty()
                               ? fmt::format("{} --help", app.get_name())
                               : fmt::format("{} {} --help", app.get_name(), verb.get_name());
  const std::vector<std::string> unknown = app.remaining(true);
  if (!unknown.empty()) return complain_about_word(unknown.front(), verb, help);
  return complain(error.what(), fmt::format("{} shows how", help), ErrorCode::usage);
}

}  // namespace

int parse_and_run(CLI::App& app, int argc, char** argv) {
  app.require_subcommand(1);
  app.get_formatter()->column_width(38);
  app.failure_message(CLI::FailureMessage::simple);
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
  } catch (const OutputClosed&) {
    std::signal(SIGPIPE, SIG_DFL);  // ends as any other program in a pipe does
    std::raise(SIGPIPE);
    return exit_status(ErrorCode::failure);
  } catch (const Error& error) {
    return complain(error.what(), error.hint(), error.code());
  } catch (const std::bad_alloc&) {
    return complain("out of memory", "", ErrorCode::failure);
  } catch (const std::exception& error) {
    return complain(error.what(), "", ErrorCode::failure);
  }
}

}  // namespace tsmini::cli
