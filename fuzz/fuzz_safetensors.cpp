// Any bytes as a model file. The first byte says what they are: a whole file, a header (up to the
// first line feed) with its data, or the description inside the header, so that what lies behind
// the outer layers is reached.
#include <algorithm>
#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <unistd.h>

#include "tsmini/error.h"
#include "tsmini/model.h"

#include "base/safetensors.h"

namespace {

std::string with_header(const std::string& header, const std::string& data) {
  std::uint64_t length = header.size();
  std::string file;
  for (int i = 0; i < 8; ++i, length >>= 8) file += static_cast<char>(length & 0xff);
  return file + header + data;
}

std::string file_from(std::uint8_t kind, const std::string& bytes) {
  if (kind % 3 == 0) return bytes;
  if (kind % 3 == 1) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    return with_header(bytes.substr(0, end), bytes.substr(std::min(end + 1, bytes.size())));
  }
  const nlohmann::json header = {{"__metadata__", {{"tsmini", bytes}}}};
  return with_header(header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), "");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes = file_from(data[0], {reinterpret_cast<const char*>(data) + 1, size - 1});
  const int file = ::memfd_create("input", MFD_CLOEXEC);
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size())) {
    try {
      const tsmini::SafetensorsFile tensors(path);
      for (const auto& [name, tensor] : tensors.tensors()) {
        static_cast<void>(tensor.values());
      }
      check_settings(tsmini::Model::load(path).net);
    } catch (const tsmini::Error&) {
    }
  }
  ::close(file);
  return 0;
}
