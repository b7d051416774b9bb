// What `tsmini info` says of a model file.
#pragma once

#include <filesystem>
#include <string>

namespace tsmini::cli {

// Whether a file is a model, by its name (.safetensors) or its first bytes.
bool is_model_file(const std::filesystem::path& path);

// Reads and checks all of it. Prints a table, or JSON.
void show_model(const std::string& file, bool json);

}  // namespace tsmini::cli
