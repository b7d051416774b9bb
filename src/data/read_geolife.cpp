// GeoLife PLT: six lines of header, then "lat,lon,0,feet,days,date,time" a point. A file is one
// trajectory; its id is USER_NAME for Data/USER/Trajectory/NAME.plt, else the file's name.
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"
#include "data/csv_fields.h"
#include "data/line_reader.h"

namespace tsmini {
namespace {

std::string user_and_file(const std::filesystem::path& path) {
  std::filesystem::path name = path.filename();
  if (name.extension() == ".gz") name = name.stem();
  const std::filesystem::path folder = path.parent_path();
  if (folder.filename() != "Trajectory") return name.stem().string();
  return fmt::format("{}_{}", folder.parent_path().filename().string(), name.stem().string());
}

class GeolifeReader : public LineReader {
 public:
  GeolifeReader(ByteSource& source, const ReadOptions& options)
      : LineReader(source, options, 6), id_(user_and_file(source.name())) {}

  bool has_rows() const override { return true; }

 private:
  void parse_line(std::string_view line, std::uint64_t number,
                  TrackBuilder& builder) const override {
    thread_local std::vector<std::string_view> fields;
    if (!split_fields(line, ',', fields) || fields.size() != 7) {
      return builder.reject_row(number, fmt::format("{} columns where PLT has 7", fields.size()));
    }
    const auto lat = number_from(fields[0]), lon = number_from(fields[1]);
    if (!lat || !lon) {
      return builder.reject_row(
          number, fmt::format("'{}' is not a number", printable(fields[lat ? 1 : 0])));
    }
    const auto time = time_from(fmt::format("{} {}", trimmed(fields[5]), trimmed(fields[6])));
    if (!time) {
      return builder.reject_row(number, fmt::format("'{} {}' is not a date and time",
                                                    printable(fields[5]), printable(fields[6])));
    }
    builder.add_row(number, id_, *lon, *lat, *time);
  }

  std::string id_;
};

}  // namespace

std::unique_ptr<Reader> make_geolife_reader(ByteSource& source, const ReadOptions& options) {
  return std::make_unique<GeolifeReader>(source, options);
}

}  // namespace tsmini
