#include "common/program.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "tsmini/error.h"

#include "base/system_reason.h"
#include "base/text_sink.h"
#include "common/console.h"
#include "common/option_checks.h"
#include "common/option_names.h"
#include "common/shown.h"
#include "common/suggest.h"

namespace tsmini::cli {
namespace {

int complain(const std::string& message, const std::string& hint, ErrorCode code) {
  std::string text = fmt::format("error: {}\n", message);
  if (!hint.empty()) text += fmt::format("  hint: {}\n", hint);
  std::fputs(shown_lines(in_options(text)).c_str(), stderr);
  return exit_status(code);
}

// Help in our words: arguments are shown once, by the text that their verb gives them.
class HelpFormat : public CLI::Formatter {
 public:
  HelpFormat() {
    column_width(38);
    label("Positionals", "Arguments");
    label("SUBCOMMAND", "VERB");
  }

  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    if (!is_positional || option->get_option_text().empty()) {
      return Formatter::make_option(option, is_positional);
    }
    std::ostringstream text;
    CLI::detail::format_help(text, option->get_option_text(), make_option_desc(option),
                             column_width_);
    return text.str();
  }

  std::string make_option_usage(const CLI::Option* option) const override {
    const std::string text = option->get_option_text();
    if (text.empty()) return Formatter::make_option_usage(option);
    return option->get_required() || text.starts_with('[') ? text : "[" + text + "]";
  }
};

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
  if (chosen.empty()) return complain("a verb is missing", help + " lists them", ErrorCode::usage);
  return complain(error.what(), fmt::format("{} shows how", help), ErrorCode::usage);
}

// A stream that the caller closed stays closed: no file that we open may get its number, or what is
// printed would end in that file.
void keep_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) < 0) {
      ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
  }
}

// Standard output did not take what was printed. A reader that has gone (| head) had what it
// wanted: that ends as it does for any other program in a pipe.
int complain_about_output(int reason) {
  if (reason == EPIPE) {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  return complain(
      fmt::format("cannot write to standard output: {}", reason_of(reason != 0 ? reason : EIO)),
      "the result is lost; see where standard output leads, and whether there is room",
      ErrorCode::failure);
}

// The system ends a program so that reads what a mapped file no longer has. Nothing but the write
// is allowed here; files that were being written stay under their temporary names.
extern "C" void complain_about_mapped_file(int /*signal*/) {
  constexpr std::string_view text =
      "error: a file that was in use became shorter, or its disk does not answer\n"
      "  hint: something else wrote to the data, the model or the collection; run it again when "
      "that has ended\n";
  const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  ::_exit(written < 0 ? 1 : exit_status(ErrorCode::failure));
}

// What was printed may still wait in our buffers: nothing is done until it has been taken.
int after_output(int status) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  return complain_about_output(errno);
}

}  // namespace

int parse_and_run(CLI::App& app, int argc, char** argv) {
  app.require_subcommand(1);
  const auto format = std::make_shared<HelpFormat>();
  app.formatter(format);
  for (CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    verb->formatter(format)->group("Verbs");
  }
  app.failure_message(CLI::FailureMessage::simple);
  check_numbers(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    std::ostringstream text;  // not std::cout, which would write at once and keep the reason
    const int status = app.exit(success, text, text);
    fmt::print("{}", text.str());
    return status;
  } catch (const CLI::ParseError& error) {
    return complain_about_usage(app, error);
  }
  return 0;
}

int guarded(const std::function<int()>& work) {
  keep_standard_streams();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is a full disk
  std::signal(SIGBUS, complain_about_mapped_file);
  catch_interrupts();
  try {
    return after_output(work());
  } catch (const OutputClosed&) {
    return complain_about_output(EPIPE);
  } catch (const Error& error) {
    return complain(error.what(), error.hint(), error.code());
  } catch (const std::filesystem::filesystem_error& error) {
    const int reason = error.code().value();
    return complain(fmt::format("{}: cannot use it: {}", error.path1().string(), reason_of(reason)),
                    remedy_for(reason, FileUse::read), ErrorCode::failure);
  } catch (const std::bad_alloc&) {
    return complain("out of memory", "", ErrorCode::failure);
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) != 0) return complain_about_output(error.code().value());
    return complain(error.what(), "", ErrorCode::failure);
  } catch (const std::exception& error) {
    return complain(error.what(), "", ErrorCode::failure);
  }
}

}  // namespace tsmini::cli
