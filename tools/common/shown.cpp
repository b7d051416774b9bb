#include "common/shown.h"

#include "base/utf8.h"

namespace tsmini::cli {

std::string shown(std::string_view id) {
  return visible(id);
}

std::string shown_lines(std::string_view message) {
  std::string text;
  for (;;) {
    const std::size_t end = message.find('\n');
    text += shown(message.substr(0, end));
    if (end == std::string_view::npos) return text;
    text += '\n';
    message.remove_prefix(end + 1);
  }
}

}  // namespace tsmini::cli
