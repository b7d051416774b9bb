#include "common/document.h"

#include <fmt/format.h>

namespace tsmini::cli {

void print_document(const nlohmann::ordered_json& json) {
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace tsmini::cli
