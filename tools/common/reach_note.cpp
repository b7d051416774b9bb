#include "common/reach_note.h"

#include <numeric>
#include <vector>

#include "tsmini/error.h"
#include "tsmini/reach.h"

#include "base/utf8.h"
#include "common/error_of.h"

namespace tsmini::cli {
namespace {

void say(const Console& console, const Space& space, const Dataset& data, const FarthestPlace& far,
         const std::string& file) {
  if (far.error <= noticeable_error || far.error > tolerated_error) return;
  console.say("note: {}: trajectory '{}' is {}", file, printable(data[far.trajectory].id),
              place_text(space, far.position));
}

}  // namespace

void check_reach(const Console& console, const Space& space, const Dataset& data,
                 std::span<const std::size_t> indices, const std::string& file) {
  const FarthestPlace far = farthest_place(space, data, indices);
  if (far.error > tolerated_error) {
    const Error error = out_of_reach(space, data, far);
    throw error_of(file, error);
  }
  say(console, space, data, far, file);
}

void note_reach(const Console& console, const Space& space, const Dataset& data, std::size_t count,
                const std::string& file) {
  std::vector<std::size_t> indices(count);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  say(console, space, data, farthest_place(space, data, indices), file);
}

}  // namespace tsmini::cli
