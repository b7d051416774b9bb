#include "common/part_option.h"

#include <numeric>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text.h"

namespace tsmini::cli {

std::optional<Part> part_from(std::string_view name) {
  if (name.empty()) return {};
  for (const Part part : {Part::train, Part::validation, Part::test}) {
    if (name_of(part) == name) return part;
  }
  throw Error(ErrorCode::usage, fmt::format("--part: '{}' is not a part", printable(name)),
              "the parts are train, validation and test");
}

std::vector<std::size_t> selected(const Dataset& data, const std::optional<Part>& part,
                                  const std::string& file) {
  std::vector<std::size_t> indices;
  if (part) {
    indices = data.indices_of(*part);
  } else {
    indices.resize(data.size());
    std::iota(indices.begin(), indices.end(), std::size_t{0});
  }
  if (!indices.empty()) return indices;
  throw Error(ErrorCode::bad_input,
              part ? fmt::format("{}: no trajectory is marked '{}'", file, name_of(*part))
                   : fmt::format("{}: there are no trajectories", file),
              part ? "tsmini info shows the split; tsmini import --split marks one"
                   : "check what the import dropped, and why");
}

}  // namespace tsmini::cli
