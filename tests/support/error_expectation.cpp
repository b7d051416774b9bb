#include "support/error_expectation.h"

#include <exception>
#include <regex>

#include <gtest/gtest.h>

namespace tsmini {

bool matches(const std::string& text, const std::string& pattern) {
  return std::regex_search(text, std::regex(pattern));
}

void expect_error(ErrorCode code, const std::string& message, const std::string& hint,
                  const std::function<void()>& work) {
  try {
    work();
    ADD_FAILURE() << "no error where '" << message << "' was expected";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_TRUE(matches(error.what(), message)) << error.what() << "\ndoes not match " << message;
    EXPECT_TRUE(matches(error.hint(), hint)) << error.hint() << "\ndoes not match " << hint;
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another exception: " << error.what();
  }
}

}  // namespace tsmini
