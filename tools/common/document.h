// What a verb reports with --json: one document on standard output.
#pragma once

#include <nlohmann/json.hpp>

namespace tsmini::cli {

// Prints it, indented by two. What is no UTF-8, as names of files need not be, is replaced.
void print_document(const nlohmann::ordered_json& json);

}  // namespace tsmini::cli
