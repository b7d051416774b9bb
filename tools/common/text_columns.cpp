#include "common/text_columns.h"

#include <algorithm>
#include <cstddef>

namespace tsmini::cli {
namespace {

// In characters, of which all but the first byte of each are of the form 10xxxxxx.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char letter) {
    return (static_cast<unsigned char>(letter) & 0xc0U) != 0x80U;
  }));
}

}  // namespace

std::string TextColumns::text() const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      text += std::string(widths[i] - width_of(row[i]), ' ') + row[i] + "  ";
    }
    text += row.back() + "\n";
  }
  return text;
}

}  // namespace tsmini::cli
