#include "encode/bfloat_tiles.h"

#include <bit>
#include <cstdlib>
#include <cstring>

#if defined(__x86_64__) && defined(__linux__)
#define TSMINI_BFLOAT_TILES 1
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace tsmini::encode {

std::uint16_t bfloat_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

#ifdef TSMINI_BFLOAT_TILES

namespace {

#define TSMINI_TILES __attribute__((target("avx512f,avx512bw,avx512bf16,amx-tile,amx-bf16")))

struct alignas(64) TileConfiguration {
  std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
  std::uint16_t bytes_a_row[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
// Static: GCC 12 believes that loading a configuration reads its first bytes only.
constexpr TileConfiguration configuration;

bool ask_for_tiles() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
  constexpr unsigned amx_bf16 = 1U << 22, amx_tile = 1U << 24;
  if ((d & amx_bf16) == 0 || (d & amx_tile) == 0) return false;
  if (__get_cpuid_count(7, 1, &a, &b, &c, &d) == 0) return false;
  constexpr unsigned avx512_bf16 = 1U << 5;
  if ((a & avx512_bf16) == 0) return false;
  constexpr long request_permission = 0x1023, tile_data = 18;  // see arch_prctl(2)
  return ::syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
}

TSMINI_TILES void configure() {
  _tile_loadconfig(&configuration);
}

TSMINI_TILES void release() {
  _tile_release();
}

// Sums over all steps for the first `groups` groups of 16 outputs.
template <int groups>
TSMINI_TILES void sum_groups(const std::uint16_t* a, std::size_t stride, const std::uint16_t* panel,
                             std::size_t depth, float* tile) {
  constexpr std::size_t block = bfloat_step * bfloat_group;
  constexpr int block_row = 2 * bfloat_group * sizeof(std::uint16_t);
  const auto a_row = static_cast<long>(stride * sizeof(std::uint16_t));
  _tile_zero(0);
  if constexpr (groups > 1) _tile_zero(1);
  if constexpr (groups > 2) _tile_zero(2);
  if constexpr (groups > 3) _tile_zero(3);
  for (std::size_t k = 0; k < depth; k += bfloat_step, panel += groups * block) {
    _tile_loadd(4, a + k, a_row);
    _tile_loadd(5, panel, block_row);
    _tile_dpbf16ps(0, 4, 5);
    if constexpr (groups > 1) {
      _tile_loadd(6, panel + block, block_row);
      _tile_dpbf16ps(1, 4, 6);
    }
    if constexpr (groups > 2) {
      _tile_loadd(7, panel + 2 * block, block_row);
      _tile_dpbf16ps(2, 4, 7);
    }
    if constexpr (groups > 3) {
      _tile_loadd(5, panel + 3 * block, block_row);
      _tile_dpbf16ps(3, 4, 5);
    }
  }
  constexpr int tile_row = bfloat_width * sizeof(float);
  _tile_stored(0, tile, tile_row);
  if constexpr (groups > 1) _tile_stored(1, tile + bfloat_group, tile_row);
  if constexpr (groups > 2) _tile_stored(2, tile + 2 * bfloat_group, tile_row);
  if constexpr (groups > 3) _tile_stored(3, tile + 3 * bfloat_group, tile_row);
}

}  // namespace

bool has_bfloat_tiles() {
  static const bool has = ask_for_tiles();
  return has;
}

WithBfloatTiles::WithBfloatTiles() {
  configure();
}

WithBfloatTiles::~WithBfloatTiles() {
  release();
}

TSMINI_TILES void to_bfloat(const float* from, std::size_t count, std::uint16_t* to) {
  std::size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const __m256bh rounded = _mm512_cvtneps_pbh(_mm512_loadu_ps(from + i));
    std::memcpy(to + i, &rounded, sizeof(rounded));
  }
  for (; i < count; ++i) to[i] = bfloat_of(from[i]);
}

void bfloat_tile(const std::uint16_t* a, std::size_t stride, const std::uint16_t* panel,
                 std::size_t depth, std::size_t groups, float* tile) {
  switch (groups) {
    case 1: return sum_groups<1>(a, stride, panel, depth, tile);
    case 2: return sum_groups<2>(a, stride, panel, depth, tile);
    case 3: return sum_groups<3>(a, stride, panel, depth, tile);
    default: return sum_groups<4>(a, stride, panel, depth, tile);
  }
}

#undef TSMINI_TILES

#else

bool has_bfloat_tiles() {
  return false;
}

// Never called where there are none.
WithBfloatTiles::WithBfloatTiles() {
  std::abort();
}
WithBfloatTiles::~WithBfloatTiles() = default;
void to_bfloat(const float*, std::size_t, std::uint16_t*) {
  std::abort();
}
void bfloat_tile(const std::uint16_t*, std::size_t, const std::uint16_t*, std::size_t, std::size_t,
                 float*) {
  std::abort();
}

#endif

}  // namespace tsmini::encode
