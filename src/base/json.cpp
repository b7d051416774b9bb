#include "base/json.h"

#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text.h"

namespace tsmini {
namespace {

using Event = nlohmann::json::parse_event_t;

class Watch {
 public:
  explicit Watch(std::size_t depth_limit) : depth_limit_(depth_limit) {}

  void see(Event event, const nlohmann::json& parsed) {
    if (event == Event::object_start || event == Event::array_start) {
      keys_.emplace_back();
      if (keys_.size() > depth_limit_) {
        throw Error(ErrorCode::bad_input,
                    fmt::format("the JSON is more than {} levels deep", depth_limit_));
      }
    } else if (event == Event::object_end || event == Event::array_end) {
      keys_.pop_back();
    } else if (event == Event::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!keys_.back().insert(key).second) {
        throw Error(ErrorCode::bad_input, fmt::format("'{}' comes twice", printable(key)));
      }
    }
  }

 private:
  std::size_t depth_limit_;
  std::vector<std::set<std::string, std::less<>>> keys_;  // of the objects around
};

}  // namespace

nlohmann::json strict_json(std::string_view text, std::size_t depth_limit) {
  Watch watch(depth_limit);
  try {
    return nlohmann::json::parse(text.begin(), text.end(),
                                 [&](int, Event event, nlohmann::json& parsed) {
                                   watch.see(event, parsed);
                                   return true;
                                 });
  } catch (const nlohmann::json::parse_error& error) {
    throw Error(ErrorCode::bad_input, fmt::format("not valid JSON at byte {}", error.byte));
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorCode::bad_input, "not valid JSON: a number is out of range");
  }
}

}  // namespace tsmini
