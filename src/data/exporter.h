// What every format of export implements, each in a file of its own; and what they share.
//
// An exporter writes a data set piece by piece into a buffer that somebody else empties: begin(),
// append_trip() for each trajectory in order, end(). It throws Error(bad_input) for points, times
// and ids that would come back as something else; what csv does to attributes is in
// docs/formats.md.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "tsmini/dataset.h"

namespace tsmini {

using TextBuffer = fmt::memory_buffer;

inline void append(TextBuffer& buffer, std::string_view text) {
  buffer.append(text.data(), text.data() + text.size());
}
// Shortest text that reads back as the same number.
void append_number(TextBuffer& buffer, double value);

class Exporter {
 public:
  explicit Exporter(const Dataset& data) : data_(data) {}
  virtual ~Exporter() = default;

  virtual void begin(TextBuffer& /*buffer*/) const {}
  virtual void append_trip(TextBuffer& buffer, std::size_t index) = 0;
  virtual void end(TextBuffer& /*buffer*/) const {}

  // A trajectory is one record, of which readers take no more than `largest_record` bytes.
  virtual bool has_records() const { return true; }

 protected:
  const Dataset& data() const { return data_; }

 private:
  const Dataset& data_;
};

std::unique_ptr<Exporter> make_tsv_exporter(const Dataset& data);
std::unique_ptr<Exporter> make_csv_exporter(const Dataset& data);
std::unique_ptr<Exporter> make_geojson_exporter(const Dataset& data);
std::unique_ptr<Exporter> make_mfjson_exporter(const Dataset& data);
std::unique_ptr<Exporter> make_gpx_exporter(const Dataset& data);
std::unique_ptr<Exporter> make_kepler_exporter(const Dataset& data);

// Throws Error(bad_input) that names the trajectory.
[[noreturn]] void refuse_trip(const Trajectory& t, std::string_view what, const char* hint);
// Numbers from 100,000,000,000 on are taken for milliseconds.
void check_seconds(const Trajectory& t);
// Dates have four digits for the year.
void check_dates(const Trajectory& t);
void check_has_times(const Trajectory& t, std::string_view format);
void check_degrees(const Dataset& data, std::string_view format);

}  // namespace tsmini
