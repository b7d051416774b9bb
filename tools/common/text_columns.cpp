#include "common/text_columns.h"

#include <algorithm>
#include <cstddef>

#include "base/utf8.h"

namespace tsmini::cli {

std::string TextColumns::text() const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], text_width(row[i]));
  }
  std::string text;
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      text += to_the_right(row[i], widths[i]) + "  ";
    }
    text += row.back() + "\n";
  }
  return text;
}

}  // namespace tsmini::cli
