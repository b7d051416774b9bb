// JSON that came from a file: strict and bounded.
//
// An object that names a key twice means different things to different readers, and a text of a
// million brackets ends a recursive one; neither gets past this parser. Time n log n.
//
//   nlohmann::json json = strict_json(text, 3);
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace tsmini {

// Throws Error(bad_input) that says where the text stops being JSON, which key comes twice, or that
// arrays and objects lie more than `depth_limit` deep. The message names no file: the caller does.
nlohmann::json strict_json(std::string_view text, std::size_t depth_limit);

// The JSON that the text holds, or the text itself as a string where it is none: for what is only
// shown.
nlohmann::ordered_json json_or_text(std::string_view text);

// The text as a JSON string, with its quotes. Bytes that are not UTF-8 are replaced.
std::string json_quoted(std::string_view text);

}  // namespace tsmini
