// An error that also names the file it is about, unless it does already.
//
//   throw error_of(file, error);
#pragma once

#include <string>

#include "tsmini/error.h"

namespace tsmini::cli {

inline Error error_of(const std::string& file, const Error& error) {
  const std::string what = error.what();
  return error.with_message(what.starts_with(file + ":") ? what : file + ": " + what);
}

}  // namespace tsmini::cli
