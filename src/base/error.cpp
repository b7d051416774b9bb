#include "tsmini/error.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tsmini {

Error::Error(ErrorCode code, const std::string& message, std::string hint, std::string field)
    : std::runtime_error(message), code_(code), hint_(std::move(hint)), field_(std::move(field)) {}

namespace {

// Whether it is a name alone, a call or a name with a value. What stands between the backticks of
// two file names, say, is not.
bool is_mention(std::string_view text) {
  constexpr std::string_view of_names = "abcdefghijklmnopqrstuvwxyz_.";
  const std::size_t end = std::min(text.find_first_not_of(of_names), text.size());
  if (end == 0) return false;
  const std::string_view rest = text.substr(end);
  return rest.empty() || rest == "()" || (rest.size() > 1 && rest.front() == '=');
}

// The first mention from `at` on, without its backticks; empty where there is none. `at` moves to
// the backtick before it.
std::string_view next_mention(std::string_view text, std::size_t& at) {
  at = text.find('`', at);
  while (at != std::string_view::npos) {
    const std::size_t end = text.find('`', at + 1);
    if (end == std::string_view::npos) break;
    const std::string_view between = text.substr(at + 1, end - at - 1);
    if (is_mention(between)) return between;
    at = end;  // what closes nothing may open
  }
  return {};
}

}  // namespace

std::string_view Error::field() const noexcept {
  if (!field_.empty()) return field_;
  std::size_t at = 0;
  const Mention mention = Mention::from(next_mention(what(), at));
  return mention.is_call ? std::string_view() : mention.name;
}

Error Error::with_message(const std::string& message) const {
  return Error(code_, message, hint_, std::string(field()));
}

Mention Mention::from(std::string_view text) {
  if (text.ends_with("()")) return {text.substr(0, text.size() - 2), {}, true};
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return {text, {}};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::string with_names(std::string_view text,
                       const std::function<std::string(const Mention& mention)>& words) {
  std::string result;
  std::size_t at = 0, done = 0;
  for (;;) {
    const std::string_view mention = next_mention(text, at);
    if (mention.empty()) break;
    const std::string word = words(Mention::from(mention));
    if (word.empty()) {
      ++at;  // what closes it may open another
      continue;
    }
    result += text.substr(done, at - done);
    result += word;
    at = done = at + mention.size() + 2;
  }
  result += text.substr(done);
  return result;
}

int exit_status(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::failure: return 1;
    case ErrorCode::usage: return 2;
    case ErrorCode::bad_input: return 3;
    case ErrorCode::interrupted: return 130;
  }
  return 1;
}

}  // namespace tsmini
