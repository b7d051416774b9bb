#include "common/reach_note.h"

#include "tsmini/error.h"
#include "tsmini/reach.h"

#include "base/text.h"

namespace tsmini::cli {

void check_reach(const Console& console, const Space& space, const Dataset& data,
                 std::span<const std::size_t> indices, const std::string& file) {
  const FarthestPlace far = farthest_place(space, data, indices);
  if (far.error > tolerated_error) {
    const Error error = out_of_reach(space, data, far);
    throw Error(error.code(), fmt::format("{}: {}", file, error.what()), error.hint());
  }
  if (far.error > noticeable_error) {
    console.say("note: {}: trajectory '{}' is {}", file, printable(data[far.trajectory].id),
                place_text(space, far.position));
  }
}

}  // namespace tsmini::cli
