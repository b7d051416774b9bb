#include "tsmini/version.h"

#include "base/version_number.h"

namespace tsmini {

std::string_view version() {
  return TSMINI_VERSION;
}

}  // namespace tsmini
