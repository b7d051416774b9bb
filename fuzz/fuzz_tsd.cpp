// Any bytes as a .tsd file. Half of the inputs get their checksums mended first, so that what lies
// behind them is reached.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "tsmini/dataset.h"
#include "tsmini/error.h"

#include "data/tsd_format.h"

namespace {

void mend_checksums(std::vector<std::byte>& bytes) {
  using namespace tsmini;
  tsd::Header header;
  if (bytes.size() < sizeof header) return;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.magic = tsd::kind.magic;
  header.version = tsd::kind.version;
  header.file_size = std::min<std::uint64_t>(header.file_size, bytes.size());
  header.section_count %= header.sections.size() + 1;
  for (std::size_t i = 0; i < header.section_count; ++i) {
    FileSection& section = header.sections[i];
    if (section.offset > bytes.size() || section.size > bytes.size() - section.offset) continue;
    section.checksum = checksum_of(std::span(bytes).subspan(section.offset, section.size));
  }
  header.checksum = checksum_of_header(header);
  std::memcpy(bytes.data(), &header, sizeof header);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto* begin = reinterpret_cast<const std::byte*>(data);
  std::vector<std::byte> bytes(begin + 1, begin + size);
  if ((data[0] & 1) != 0) mend_checksums(bytes);
  const int file = ::memfd_create("input", MFD_CLOEXEC);
  if (::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size())) {
    try {
      const auto set = tsmini::Dataset::open("/proc/self/fd/" + std::to_string(file));
      for (std::size_t i = 0; i < std::min<std::size_t>(set.size(), 100); ++i) {
        static_cast<void>(set[i]);
        static_cast<void>(tsmini::attributes_of(set, i));
      }
      set.verify();
    } catch (const tsmini::Error&) {
    }
  }
  ::close(file);
  return 0;
}
