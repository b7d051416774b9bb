#include "tsmini/error.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tsmini {

Error::Error(ErrorCode code, const std::string& message, std::string hint, std::string field)
    : std::runtime_error(message), code_(code), hint_(std::move(hint)), field_(std::move(field)) {}

namespace {

// The first text in backticks from `at` on, without them; empty where there is none. `at` moves to
// the first backtick, or to the end.
std::string_view next_mention(std::string_view text, std::size_t& at) {
  at = std::min(text.find('`', at), text.size());
  if (at == text.size()) return {};
  const std::size_t end = text.find('`', at + 1);
  return end == std::string_view::npos ? std::string_view() : text.substr(at + 1, end - at - 1);
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
  std::size_t done = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view mention = next_mention(text, at);
    result += text.substr(done, at - done);
    done = at;
    if (mention.empty()) {
      at = std::min(at + 1, text.size());
      continue;
    }
    const std::string word = words(Mention::from(mention));
    if (word.empty()) {
      ++at;  // what closes it may open another
      continue;
    }
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
