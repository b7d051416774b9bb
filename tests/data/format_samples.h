// The same tracks in every format, with faults put in where a test wants them.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "tsmini/import.h"

namespace tsmini {

// Numbers as they stand in the file, right or wrong.
struct RawPoint {
  std::string lon, lat, time;
};

struct RawTrack {
  std::string id;
  std::vector<RawPoint> points;
};

// A file's text, and on which line each track and each point stands.
struct RenderedFile {
  std::string text;
  std::vector<std::size_t> track_lines;
  std::vector<std::vector<std::size_t>> point_lines;
};

// What tests need to know of a format.
struct FormatTraits {
  Format format;
  const char* file;         // a usual name
  bool row_per_point;       // a bad row costs a point, elsewhere a bad record a track
  bool one_track_per_file;  // whose id is the file's name
  bool times_in_file;       // Porto has only the first
};

inline void PrintTo(const FormatTraits& traits, std::ostream* out) {
  *out << name_of(traits.format);
}

const std::vector<FormatTraits>& text_formats();

RenderedFile render(Format format, const std::vector<RawTrack>& tracks);

// Two tracks near Beijing, "1" of three points and "2" of two; the first alone where a file is one
// track.
std::vector<RawTrack> good_tracks(const FormatTraits& traits);

// As lines_of() shows the data set that they become.
std::vector<std::string> expected_lines(const FormatTraits& traits,
                                        const std::vector<RawTrack>& tracks);

}  // namespace tsmini
