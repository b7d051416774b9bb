// JSON out of trips: strings, positions, and attributes as properties.
#pragma once

#include <cstddef>
#include <string_view>

#include "data/exporter.h"

namespace tsmini {

// Bytes that are not UTF-8 are replaced.
void append_json_string(TextBuffer& buffer, std::string_view text);

// "NAME":VALUE of the trip's part and attributes, with `between` before the first and commas
// between them. The first trip names all attributes, null where it has none, so that they come back
// in their order; others name those that they have.
void append_properties(TextBuffer& buffer, const Dataset& data, std::size_t index,
                       std::string_view between);

// [lon,lat],[lon,lat],…
void append_positions(TextBuffer& buffer, const Trajectory& t);

// Features, a line each, in a FeatureCollection.
class FeatureExporter : public Exporter {
 public:
  using Exporter::Exporter;

  void begin(TextBuffer& buffer) const override {
    append(buffer, "{\"type\":\"FeatureCollection\",\"features\":[\n");
  }
  void append_trip(TextBuffer& buffer, std::size_t index) final {
    if (index > 0) append(buffer, ",\n");
    append_feature(buffer, index);
  }
  void end(TextBuffer& buffer) const override { append(buffer, "\n]}\n"); }

 private:
  virtual void append_feature(TextBuffer& buffer, std::size_t index) const = 0;
};

}  // namespace tsmini
