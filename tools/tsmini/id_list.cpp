#include "id_list.h"

#include <array>
#include <string_view>

#include "base/byte_source.h"
#include "data/line_reader.h"

namespace tsmini::cli {

std::vector<std::string> ids_from_file(const std::string& file) {
  ByteSource source(file);
  std::string all;
  std::array<char, 1 << 16> piece;
  while (const std::size_t count = source.read(piece)) all.append(piece.data(), count);
  std::vector<std::string> ids;
  for (std::string_view rest = all; !rest.empty();) {
    const std::string_view line = take_line(rest);
    if (!line.empty()) ids.emplace_back(line);
  }
  return ids;
}

}  // namespace tsmini::cli
