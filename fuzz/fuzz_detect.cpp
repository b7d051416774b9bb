// Any bytes through the recognition of formats and the choice of CSV columns.
#include <cstdint>
#include <string>

#include "tsmini/error.h"

#include "data/csv_columns.h"
#include "data/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = bytes.find('\n');
  try {
    tsmini::ByteSource source("input", bytes);
    tsmini::detect_format(source);
  } catch (const tsmini::Error&) {
  }
  try {
    const std::string rest = cut == std::string::npos ? std::string() : bytes.substr(cut + 1);
    tsmini::ReadOptions options;
    options.columns = bytes.substr(0, cut);
    tsmini::choose_columns(rest, options, "input");
  } catch (const tsmini::Error&) {
  }
  return 0;
}
