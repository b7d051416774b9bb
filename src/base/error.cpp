#include "tsmini/error.h"

#include <utility>

namespace tsmini {

Error::Error(ErrorCode code, const std::string& message, std::string hint)
    : std::runtime_error(message), code_(code), hint_(std::move(hint)) {}

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
