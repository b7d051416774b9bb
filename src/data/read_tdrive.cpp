// T-Drive: "taxi,YYYY-MM-DD hh:mm:ss,lon,lat" a point, no header, usually a file a taxi.
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"
#include "data/csv_fields.h"
#include "data/line_reader.h"

namespace tsmini {
namespace {

class TdriveReader : public LineReader {
 public:
  TdriveReader(ByteSource& source, const ReadOptions& options) : LineReader(source, options, 0) {}

  bool has_rows() const override { return true; }

 private:
  void parse_line(std::string_view line, std::uint64_t number,
                  TrackBuilder& builder) const override {
    thread_local std::vector<std::string_view> fields;
    if (!split_fields(line, ',', fields) || fields.size() != 4) {
      return builder.reject_row(number, fmt::format("{} columns where T-Drive has 4: "
                                                    "taxi, date and time, longitude, latitude",
                                                    fields.size()));
    }
    const auto time = time_from(fields[1]);
    if (!time) {
      return builder.reject_row(number,
                                fmt::format("'{}' is not a date and time", printable(fields[1])));
    }
    const auto lon = number_from(fields[2]), lat = number_from(fields[3]);
    if (!lon || !lat) {
      return builder.reject_row(
          number, fmt::format("'{}' is not a number", printable(fields[lon ? 3 : 2])));
    }
    builder.add_row(number, trimmed(fields[0]), *lon, *lat, *time);
  }
};

}  // namespace

std::unique_ptr<Reader> make_tdrive_reader(ByteSource& source, const ReadOptions& options) {
  return std::make_unique<TdriveReader>(source, options);
}

}  // namespace tsmini
