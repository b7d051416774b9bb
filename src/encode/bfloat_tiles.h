// Products in bfloat16 with sums in single precision, on processors with tiles (AMX).
//
// A tile of 16 rows times 64 outputs is summed over 32 inputs in 64 cycles: sixteen times as much
// as with fused multiply-add. (AVX512_BF16's dot products were tried first: on the processors that
// have tiles too they run at half the rate of single precision.)
//
//   if (has_bfloat_tiles()) {
//     const WithBfloatTiles guard;        // on the thread that multiplies
//     to_bfloat(x, count, halves);
//     bfloat_tile(halves, stride, panel, depth, groups, tile);
//   }
#pragma once

#include <cstddef>
#include <cstdint>

namespace tsmini::encode {

inline constexpr std::size_t bfloat_rows = 16;   // of a tile
inline constexpr std::size_t bfloat_width = 64;  // outputs of a panel: 4 groups of 16
inline constexpr std::size_t bfloat_group = 16;
inline constexpr std::size_t bfloat_step = 32;  // inputs

// Whether processor and system have them. The first call asks the system for leave.
bool has_bfloat_tiles();

// Rounded to the nearest, ties to even.
std::uint16_t bfloat_of(float value);

// What follows is for machines with has_bfloat_tiles() only.

class WithBfloatTiles {
 public:
  WithBfloatTiles();
  WithBfloatTiles(const WithBfloatTiles&) = delete;
  WithBfloatTiles& operator=(const WithBfloatTiles&) = delete;
  ~WithBfloatTiles();
};

void to_bfloat(const float* from, std::size_t count, std::uint16_t* to);

// The products of 16 rows of `a` (`stride` numbers apart) with `groups` × 16 outputs of a panel,
// into 16 × bfloat_width sums. All 16 rows are read, whatever they hold. `depth` is a multiple of
// bfloat_step.
void bfloat_tile(const std::uint16_t* a, std::size_t stride, const std::uint16_t* panel,
                 std::size_t depth, std::size_t groups, float* tile);

}  // namespace tsmini::encode
