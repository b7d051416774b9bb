// What goes wrong through the user's files, options or machine.
//
// Everything a user can cause is thrown as a tsmini::Error: a code, one sentence that names the
// file, line, id and value, and a hint that says what to do next. What only a bug of ours can cause
// is an assertion. The library never prints and never exits; programs map codes to exit statuses
// with exit_status().
//
// Settings stand in backticks by their names in the library, with a value where one is meant, and
// so do calls: `min_points`, `mode=exact`, `compact()`. One within another is named as files name
// it: `cut_gap` of an import's `cut`, `net.layers` of a recipe's `net`. A program shows its own
// words for them (`with_names()`), Python and a server take them as they are. `field()` is the
// setting at fault. Values of files and users that a message shows have no backticks
// (base/utf8.h, printable); what has some and is not of these three forms names nothing.
//
//   throw Error(ErrorCode::bad_input, "trips.csv:12: latitude 141.2 is outside [-90, 90]",
//               "longitude and latitude look swapped; try `swap_lonlat`");
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tsmini {

enum class ErrorCode {
  failure,      // the machine let us down: disk full, no permission to write, out of memory
  usage,        // the request makes no sense: unknown option value, k of zero
  bad_input,    // a file is missing, malformed, altered, or does not fit the request
  interrupted,  // the user asked to stop
};

class Error : public std::runtime_error {
 public:
  // `message` is one sentence without a full stop; `hint`, if any, says what to do about it.
  // `field`: the setting that it is about, where the message does not name it first in backticks.
  explicit Error(ErrorCode code, const std::string& message, std::string hint = {},
                 std::string field = {});

  ErrorCode code() const noexcept { return code_; }
  const std::string& hint() const noexcept { return hint_; }
  // The setting at fault, by its name in the library, "min_points": what was given, or else the
  // first in backticks of the message. Empty where there is none.
  std::string_view field() const noexcept;
  // This error with another message, for a caller that knows more. Code, hint and field stay.
  Error with_message(const std::string& message) const;

 private:
  ErrorCode code_;
  std::string hint_, field_;
};

// A mapped file is not as it was written, as is found where it is used: what it holds must come
// from elsewhere.
class DamagedFile : public Error {
 public:
  using Error::Error;
};

// What stands in backticks, as a name and, behind a '=', a value.
struct Mention {
  std::string_view name;
  std::string_view value;
  bool is_call = false;  // `compact()`: the name is "compact"

  static Mention from(std::string_view text);
};
// The text with every mention replaced by what `words` gives for it; where that is empty, it stays
// as it is.
std::string with_names(std::string_view text,
                       const std::function<std::string(const Mention& mention)>& words);

// 1 failure, 2 usage, 3 bad input, 130 interrupted.
int exit_status(ErrorCode code) noexcept;

}  // namespace tsmini
