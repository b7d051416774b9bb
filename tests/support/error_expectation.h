// That some work ends in a tsmini::Error of the right kind, with the right words.
#pragma once

#include <functional>
#include <string>

#include "tsmini/error.h"

namespace tsmini {

// Searches the message and the hint for the patterns (ECMAScript); an empty one fits anything.
void expect_error(ErrorCode code, const std::string& message, const std::string& hint,
                  const std::function<void()>& work);

// As std::regex_search, for texts of any length.
bool matches(const std::string& text, const std::string& pattern);

}  // namespace tsmini
