// JSON beside a file of an experiment that tells what that file is.
//
//   write_record("run.json", {{"run", label}, {"model", file_checksum("run.safetensors")}});
//   bool is_ours = read_record("run.json").at("model") == file_checksum("run.safetensors");
#pragma once

#include <filesystem>

#include <nlohmann/json.hpp>

namespace tsmini::experiment {

// Throws Error(bad_input) where it is none.
nlohmann::ordered_json read_record(const std::filesystem::path& path);
void write_record(const std::filesystem::path& path, const nlohmann::ordered_json& record);

}  // namespace tsmini::experiment
