#include "common/id_list.h"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/byte_source.h"
#include "base/text.h"

namespace tsmini::cli {

std::vector<std::string> ids_from_file(const std::string& file) {
  ByteSource source(file);
  std::string all;
  std::array<char, 1 << 16> piece;
  while (const std::size_t count = source.read(piece)) all.append(piece.data(), count);
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  std::string_view rest = all;
  if (rest.starts_with(byte_order_mark)) rest.remove_prefix(byte_order_mark.size());
  std::vector<std::string> ids;
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    if (!line.empty()) ids.emplace_back(line);
  }
  if (ids.empty()) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: holds no ids", file == "-" ? "standard input" : file),
                "write one a line");
  }
  return ids;
}

}  // namespace tsmini::cli
