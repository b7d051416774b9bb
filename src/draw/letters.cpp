#include "draw/letters.h"

#include <algorithm>
#include <cstddef>

#include "base/utf8.h"

namespace tsmini {
namespace {

// A letter stands on a grid whose cells are 0.1 of the font's size wide and 0.12 high: capitals are
// from 0 to 6 high, downwards, small letters from 2 to 6, and what hangs below ends at 8.
constexpr double cell_width = 0.1, cell_height = 0.12;
constexpr int baseline = 6, gap = 2, blank_width = 3;

// Polylines separated by blanks, each a row of x and y pairs. From ' ' to '~'.
constexpr std::string_view ascii_strokes[] = {
    "",                                     // blank
    "0004 0606",                            // !
    "0002 2022",                            // "
    "1016 3036 0242 0444",                  // #
    "413010010213334445361605 2026",        // $
    "0640 0010110100 3545463635",           // %
    "4612112031320405162644",               // &
    "0002",                                 // '
    "20121527",                             // (
    "00121507",                             // )
    "1135 3115 0343",                       // *
    "0444 2226",                            // +
    "1608",                                 // ,
    "0434",                                 // -
    "1616",                                 // .
    "0740",                                 // /
    "103041453616050110",                   // 0
    "112026",                               // 1
    "01103041420646",                       // 2
    "0110304142334445361605 1333",          // 3
    "36300444",                             // 4
    "400002324345361605",                   // 5
    "413010010516364544331304",             // 6
    "004016",                               // 7
    "103041423313020110 1304051636454433",  // 8
    "423313020110304145361605",             // 9
    "0303 0606",                            // :
    "1313 1608",                            // ;
    "410345",                               // <
    "0343 0545",                            // =
    "014305",                               // >
    "01103041422324 2626",                  // ?
    "453616050110304144242242",             // @
    "062046 1434",                          // A
    "06003041423303 3344453606",            // B
    "4130100105163645",                     // C
    "06002042442606",                       // D
    "40000646 0333",                        // E
    "400006 0333",                          // F
    "41301001051636454323",                 // G
    "0006 4046 0343",                       // H
    "0020 1016 0626",                       // I
    "4045361605",                           // J
    "0006 4004 1346",                       // K
    "000646",                               // L
    "0600234046",                           // M
    "06004640",                             // N
    "103041453616050110",                   // O
    "06003041423303",                       // P
    "103041453616050110 2446",              // Q
    "06003041423303 2346",                  // R
    "413010010213334445361605",             // S
    "0040 2026",                            // T
    "000516364540",                         // U
    "002640",                               // V
    "0016325660",                           // W
    "0046 4006",                            // X
    "002340 2326",                          // Y
    "00400646",                             // Z
    "20000727",                             // [
    "0047",                                 // backslash
    "00202707",                             // ]
    "022042",                               // ^
    "0747",                                 // _
    "0011",                                 // `
    "4246 4332120305163645",                // a
    "0006 0312324345361605",                // b
    "4332120305163645",                     // c
    "4046 4332120305163645",                // d
    "04444332120305163645",                 // e
    "30201116 0232",                        // f
    "4247381807 4332120305163645",          // g
    "0006 0312324346",                      // h
    "0206 0000",                            // i
    "121708 1010",                          // j
    "0006 3204 1336",                       // k
    "000516",                               // l
    "0206 0312223336 3342525366",           // m
    "0206 0312324346",                      // n
    "123243453616050312",                   // o
    "0208 0312324345361605",                // p
    "4248 4332120305163645",                // q
    "0206 031232",                          // r
    "43321203143445361605",                 // s
    "10152636 0232",                        // t
    "0205163645 4246",                      // u
    "022642",                               // v
    "0216335662",                           // w
    "0246 4206",                            // x
    "0226 4218",                            // y
    "02420646",                             // z
    "20111304151728",                       // {
    "0008",                                 // |
    "00111324151708",                       // }
    "04133443",                             // ~
};

// What is drawn for U+00C0 to U+017F: letters without their accents.
constexpr std::string_view bare_letters =
    "AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTsaaaaaaaceeeeiiiidnooooo/ouuuuyty"
    "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlLlLlNnNnNnnNnOoOoOoOoRrRrRr"
    "SsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";
static_assert(bare_letters.size() == 0x180 - 0xc0);

std::string_view strokes_of(char32_t c) {
  constexpr std::string_view box = "0040460600";
  if (c >= 0xc0 && c < 0x180) c = static_cast<unsigned char>(bare_letters[c - 0xc0]);
  if (c >= ' ' && c <= '~') return ascii_strokes[c - ' '];
  switch (c) {
    case U'\u00a0': return {};
    case U'°': return "0110211201";
    case U'±': return "0343 2125 0646";
    case U'·': return "0404";
    case U'–':
    case U'—':
    case U'−': return "0444";
    case U'…': return "0606 2626 4646";
    case U'→': return "0444 2244 2644";
    case U'≈': return "03123342 05143544";
    default: return c < ' ' || c == 0x7f ? ascii_strokes['?' - ' '] : box;
  }
}

std::vector<char32_t> characters_of(std::string_view text) {
  std::vector<char32_t> characters;
  while (!text.empty()) {
    const char32_t character = take_character(text);
    characters.push_back(character == no_character ? U'?' : character);
  }
  return characters;
}

int width_of(std::string_view strokes) {
  int width = strokes.empty() ? blank_width : 0;
  for (std::size_t i = 0; i < strokes.size(); i += strokes[i] == ' ' ? 1u : 2u) {
    if (strokes[i] != ' ') width = std::max(width, strokes[i] - '0');
  }
  return width;
}

}  // namespace

double letters_width(std::string_view text, double size) {
  int cells = 0;
  for (const char32_t c : characters_of(text)) cells += width_of(strokes_of(c)) + gap;
  return std::max(0, cells - gap) * cell_width * size;
}

std::vector<Segment> letter_strokes(std::string_view text, Pixel at, double size) {
  const double across = cell_width * size, down = cell_height * size;
  std::vector<Segment> segments;
  for (const char32_t c : characters_of(text)) {
    const std::string_view strokes = strokes_of(c);
    const auto point = [&](std::size_t i) {
      return Pixel{at.x + (strokes[i] - '0') * across,
                   at.y + (strokes[i + 1] - '0' - baseline) * down};
    };
    for (std::size_t i = 0; i + 3 < strokes.size(); i += 2) {
      if (strokes[i + 2] == ' ') {
        i += 1;  // on to the next polyline
        continue;
      }
      segments.push_back({point(i), point(i + 2)});
    }
    at.x += (width_of(strokes) + gap) * across;
  }
  return segments;
}

}  // namespace tsmini
