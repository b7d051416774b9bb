#include "base/checksum.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/file.h"

namespace tsmini {
namespace {

template <class State>
auto* as_state(State& bytes) {
  static_assert(sizeof(XXH3_state_t) == sizeof bytes && alignof(XXH3_state_t) <= 64);
  if constexpr (std::is_const_v<State>) {
    return reinterpret_cast<const XXH3_state_t*>(bytes.data());
  } else {
    return reinterpret_cast<XXH3_state_t*>(bytes.data());
  }
}

}  // namespace

std::uint64_t checksum_of(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::string checksum_digits(std::uint64_t checksum) {
  return fmt::format("{:016x}", checksum);
}

std::string file_checksum(const std::filesystem::path& file) {
  const MappedFile mapped(file);
  return checksum_digits(checksum_of(mapped.bytes()));
}

Checksum::Checksum() : state_() {
  XXH3_64bits_reset(as_state(state_));
}

Checksum& Checksum::bytes(std::span<const std::byte> bytes) {
  if (!bytes.empty()) XXH3_64bits_update(as_state(state_), bytes.data(), bytes.size());
  return *this;
}

Checksum& Checksum::piece(std::span<const std::byte> piece) {
  const std::uint64_t length = piece.size();
  bytes(std::as_bytes(std::span(&length, 1)));
  return bytes(piece);
}

std::uint64_t Checksum::value() const {
  return XXH3_64bits_digest(as_state(state_));
}

}  // namespace tsmini
