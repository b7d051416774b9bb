#include "common/shown.h"

#include <cstddef>

namespace tsmini::cli {

std::string shown(std::string_view id) {
  std::string text(id);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    if (byte(i) < 0x20 || byte(i) == 0x7f) text[i] = '?';
    if (byte(i) == 0xc2 && i + 1 < text.size() && byte(i + 1) < 0xa0) text[i] = text[i + 1] = '?';
  }
  return text;
}

}  // namespace tsmini::cli
