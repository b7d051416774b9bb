#include "base/json.h"

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/utf8.h"

namespace tsmini {
namespace {

using Json = nlohmann::json;

constexpr const char* damaged = "the file is damaged or altered; copy or write it again";

// Looks at the text before it becomes a tree; what it does not mind it passes over.
class Inspector : public nlohmann::json_sax<Json> {
 public:
  explicit Inspector(std::size_t depth_limit) : depth_limit_(depth_limit) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return true; }
  bool number_unsigned(std::uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(Json::binary_t&) override { return true; }
  bool start_object(std::size_t) override { return enter(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }

  bool key(std::string& key) override {
    if (keys_.back().insert(key).second) return true;
    throw Error(ErrorCode::bad_input, fmt::format("'{}' comes twice", printable(key)));
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    throw Error(ErrorCode::bad_input, fmt::format("not valid JSON at byte {}", position), damaged);
  }

 private:
  bool enter() {
    keys_.emplace_back();
    if (keys_.size() <= depth_limit_) return true;
    throw Error(ErrorCode::bad_input,
                fmt::format("the JSON is more than {} levels deep", depth_limit_));
  }
  bool leave() {
    keys_.pop_back();
    return true;
  }

  std::size_t depth_limit_;
  std::vector<std::set<std::string, std::less<>>> keys_;  // of the objects around
};

}  // namespace

nlohmann::json strict_json(std::string_view text, std::size_t depth_limit) {
  // The library takes a zero byte for the end and would pass over what lies behind it.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    throw Error(ErrorCode::bad_input, fmt::format("not valid JSON at byte {}", zero + 1), damaged);
  }
  Inspector inspector(depth_limit);
  Json::sax_parse(text.begin(), text.end(), &inspector);
  return Json::parse(text.begin(), text.end());
}

nlohmann::ordered_json json_or_text(std::string_view text) {
  auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  return json.is_discarded() ? nlohmann::ordered_json(text) : json;
}

std::string json_quoted(std::string_view text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tsmini
