// Damage to the sections of an index file: at many places, in the sizes that happen.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/random.h"
#include "search/index_bytes.h"

namespace tsmini {

struct Damage {
  std::string section;
  std::size_t at = 0;  // of the file
  std::string bytes;   // what is there now
};

// For each section: a bit, a few bytes and a whole block, again and again. What is altered is never
// the same as before.
inline std::vector<Damage> damages_of(const std::string& file, std::size_t count,
                                      std::uint64_t seed) {
  std::vector<Damage> damages;
  Random random(seed);
  for (const FileSection& section : sections_of(file)) {
    for (std::size_t i = 0; i < count; ++i) {
      constexpr std::array<std::size_t, 3> sizes{1, 40, std::size_t{1} << section_block_shift};
      const std::size_t size = std::min<std::size_t>(sizes[i % sizes.size()], section.size);
      const std::size_t at = section.offset + random.below(section.size - size + 1);
      std::string bytes = file.substr(at, size);
      if (size == 1) {
        bytes[0] = static_cast<char>(bytes[0] ^ (1 << random.below(8)));
      } else {
        for (char& c : bytes) c = static_cast<char>(c ^ static_cast<char>(1 + random.below(255)));
      }
      damages.push_back({section.name.data(), at, bytes});
    }
  }
  return damages;
}

// A file that is damaged as long as this lives.
class Damaged {
 public:
  Damaged(std::filesystem::path path, const std::string& content, const Damage& damage)
      : path_(std::move(path)),
        at_(damage.at),
        before_(content.substr(damage.at, damage.bytes.size())) {
    overwrite(path_, at_, damage.bytes);
  }
  Damaged(const Damaged&) = delete;
  Damaged& operator=(const Damaged&) = delete;
  ~Damaged() { overwrite(path_, at_, before_); }

 private:
  std::filesystem::path path_;
  std::size_t at_;
  std::string before_;
};

}  // namespace tsmini
