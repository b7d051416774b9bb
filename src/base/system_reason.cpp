#include "base/system_reason.h"

#include <cerrno>
#include <system_error>

namespace tsmini {

std::string reason_of(int error) {
  return std::generic_category().message(error);
}

std::string remedy_for(int error, FileUse use) {
  const bool writing = use == FileUse::write;
  switch (error) {
    case ENOSPC:
    case EDQUOT: return "free some space or write to another disk";
    case EFBIG: return "raise the limit on the size of files (ulimit -f), or write to another disk";
    case EROFS: return "the disk is mounted for reading only; write to another one";
    case EACCES:
    case EPERM:
      return writing ? "choose a folder you may write to"
                     : "ask its owner for permission to read it; ls -l shows who may";
    case ENOENT: return writing ? "create the folder first" : "check the name";
    case ENOTDIR: return "a part of the path is a file, not a folder; check the name";
    case EISDIR: return "it is a folder; name a file in it";
    case ENAMETOOLONG: return "choose a shorter name: 200 bytes at most between two slashes";
    case ELOOP: return "a symbolic link leads back to itself; name the file itself";
    case EMFILE:
    case ENFILE: return "close some files, or raise the limit on open ones (ulimit -n)";
    case EIO: return "the disk or its connection fails; try another copy";
    default: return {};
  }
}

}  // namespace tsmini
