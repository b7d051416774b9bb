#include "common/provenance_after.h"

#include <utility>

#include "base/json.h"

namespace tsmini::cli {

using Json = nlohmann::ordered_json;

std::string provenance_after(const Json& step, const Dataset& before) {
  Json kept = Json::object();
  for (const auto& [name, value] : step.items()) {
    const bool is_long = value.is_array() && !value.empty() && value.front().is_object();
    if (!is_long) kept[name] = value;
  }
  const Json whole = {{"step", std::move(kept)}, {"from", json_or_text(before.info().provenance)}};
  return whole.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tsmini::cli
