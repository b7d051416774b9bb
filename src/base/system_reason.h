// What the system says when a file cannot be used, and what a user can do about it.
//
//   throw Error(ErrorCode::failure, fmt::format("{}: cannot write: {}", path, reason_of(errno)),
//               remedy_for(errno, FileUse::write));
#pragma once

#include <string>

namespace tsmini {

enum class FileUse { read, write };

// "No space left on device".
std::string reason_of(int error);
// Empty where nothing better is known than the reason itself.
std::string remedy_for(int error, FileUse use);

}  // namespace tsmini
