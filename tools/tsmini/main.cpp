#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <tbb/global_control.h>

#include "tsmini/error.h"
#include "tsmini/version.h"

#include "common/console.h"
#include "common/suggest.h"
#include "verbs.h"

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
  const std::string help =
      chosen.empty() ? "tsmini --help" : fmt::format("tsmini {} --help", verb.get_name());
  const std::vector<std::string> unknown = app.remaining(true);
  if (!unknown.empty()) return complain_about_word(unknown.front(), verb, help);
  return complain(error.what(), fmt::format("{} shows how", help), ErrorCode::usage);
}

int run(int argc, char** argv) {
  CLI::App app(
      "tsmini finds similar trajectories: reads GPS tracks, cleans them, measures and searches.",
      "tsmini");
  app.set_version_flag("--version", fmt::format("tsmini {}", version()));
  app.require_subcommand(1);
  app.get_formatter()->column_width(38);
  app.footer(
      "First steps:\n"
      "  tsmini synth -o city.tsd              a synthetic city to try things on\n"
      "  tsmini import my.gpx -o mine.tsd      your own tracks\n"
      "  tsmini info city.tsd --map city.svg   look at it\n"
      "tsmini VERB --help explains a verb.");
  app.failure_message(CLI::FailureMessage::simple);

  CommonOptions common;
  std::optional<tbb::global_control> limit;
  add_import(app, common);
  add_synth(app, common);
  add_info(app, common);
  add_export(app, common);
  add_distance(app, common);
  add_knn(app, common);
  add_bench(app, common);
  add_help(app);
  add_completion(app);
  for (CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    verb->parse_complete_callback([&] {
      if (common.threads > 0) {
        limit.emplace(tbb::global_control::max_allowed_parallelism, common.threads);
      }
    });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return complain_about_usage(app, error);
  }
  return 0;
}

}  // namespace

void add_common(CLI::App& verb, CommonOptions& common, Reports reports) {
  verb.add_option("--threads", common.threads, "Cores to use (default: all)")
      ->check(CLI::Range(1, 1024))
      ->option_text("N");
  if (reports == Reports::yes) {
    verb.add_flag("--json", common.json, "Report as JSON on standard output");
  }
  verb.add_flag("--quiet", common.quiet, "No progress and no narration");
}

}  // namespace tsmini::cli

int main(int argc, char** argv) {
  using tsmini::Error;
  using tsmini::ErrorCode;
  std::signal(SIGPIPE, SIG_IGN);
  tsmini::cli::catch_interrupts();
  try {
    return tsmini::cli::run(argc, argv);
  } catch (const Error& error) {
    return tsmini::cli::complain(error.what(), error.hint(), error.code());
  } catch (const std::bad_alloc&) {
    return tsmini::cli::complain("out of memory", "", ErrorCode::failure);
  } catch (const std::exception& error) {
    return tsmini::cli::complain(error.what(), "", ErrorCode::failure);
  }
}
