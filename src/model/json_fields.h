// Fields of a model's JSON, each of the type it must have.
//
// All throw Error(bad_input) that names the field and shows its value; the message names no file:
// the caller does.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "tsmini/space.h"

namespace tsmini {

// How deep the JSON of a model may be.
inline constexpr std::size_t json_depth = 64;

[[noreturn]] void refuse_field(std::string_view key, std::string_view what);

const nlohmann::json& field(const nlohmann::json& object, const char* key);
bool flag_field(const nlohmann::json& object, const char* key);
double number_field(const nlohmann::json& object, const char* key);  // finite
std::size_t count_field(const nlohmann::json& object, const char* key);
std::string text_field(const nlohmann::json& object, const char* key);
Planar point_field(const nlohmann::json& object, const char* key);  // [x, y], finite
const nlohmann::json& object_field(const nlohmann::json& object, const char* key);

// Where a model came from, as Model::provenance has it: an object, without members where the text
// is empty, and no deeper than lets the model be read again.
nlohmann::json provenance_json(const std::string& text);

}  // namespace tsmini
