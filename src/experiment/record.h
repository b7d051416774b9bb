// JSON beside a file of an experiment that tells what that file is.
//
//   write_record("run.json", {{"run", label}, {"model", digits_of("run.safetensors")}});
//   if (read_record("run.json").at("model") != digits_of("run.safetensors")) …  // is another one
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

namespace tsmini::experiment {

// Throws Error(bad_input) where it is none.
nlohmann::ordered_json read_record(const std::filesystem::path& path);
void write_record(const std::filesystem::path& path, const nlohmann::ordered_json& record);

// A checksum of the bytes of a file, as 16 hexadecimal digits.
std::string digits_of(const std::filesystem::path& file);

}  // namespace tsmini::experiment
