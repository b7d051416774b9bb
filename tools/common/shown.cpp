#include "common/shown.h"

#include "base/text.h"

namespace tsmini::cli {

std::string shown(std::string_view id) {
  return printable(id, std::string_view::npos);
}

}  // namespace tsmini::cli
