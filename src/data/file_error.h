// An error in a file that also keeps what is wrong without the place: for lists of files, which
// name the file themselves.
#pragma once

#include <string>
#include <utility>

#include "tsmini/error.h"

namespace tsmini {

class FileError : public Error {
 public:
  FileError(const std::string& place, std::string why, std::string hint = {})
      : Error(ErrorCode::bad_input, place + ": " + why, std::move(hint)), why_(std::move(why)) {}

  const std::string& why() const { return why_; }  // the message without the place

 private:
  std::string why_;
};

}  // namespace tsmini
