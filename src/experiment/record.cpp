#include "experiment/record.h"

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/file.h"

namespace tsmini::experiment {

using Json = nlohmann::ordered_json;

Json read_record(const std::filesystem::path& path) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  try {
    return Json::parse(text, text + bytes.size());
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: not the record of a run ({})", path.string(), error.what()),
                "remove it, and the run is made again");
  }
}

void write_record(const std::filesystem::path& path, const Json& record) {
  OutputFile file(path);
  file.write(record.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  file.commit();
}

}  // namespace tsmini::experiment
