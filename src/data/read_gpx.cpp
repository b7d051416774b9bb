// GPX: every <trkseg> of every <trk> is a trajectory. The id is the track's <name>; with several
// segments NAME_0, NAME_1, … Times are kept where every point of a segment has one; a segment in
// which only some do is counted. Attributes are those that export writes as extensions of a track.
#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <expat.h>
#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"
#include "data/reader.h"

namespace tsmini {
namespace {

// <gpx:trkpt> is a <trkpt>.
std::string_view local_name(const char* name) {
  const std::string_view text = name;
  const std::size_t colon = text.rfind(':');
  return colon == std::string_view::npos ? text : text.substr(colon + 1);
}

// The value without the blanks and line breaks that pretty-printing puts around it.
std::string_view value_in(std::string_view text) {
  constexpr std::string_view around = " \t\r\n";
  const std::size_t first = text.find_first_not_of(around);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(around) - first + 1);
}

class GpxReader : public Reader {
 public:
  GpxReader(ByteSource& source, const ReadOptions& options) : source_(source), options_(options) {
    if (!parser_) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(parser_.get(), on_start, on_end);
    XML_SetCharacterDataHandler(parser_.get(), on_text);
  }

  // Reads on until at least one track is complete.
  bool fill(TrackBatch& batch) override {
    TrackBuilder builder(batch, options_);
    batch_ = &batch;
    builder_ = &builder;
    lines_before_ = line() - 1;
    while (!ended_ && batch.tracks.empty() && batch.problems.empty()) {
      void* buffer = XML_GetBuffer(parser_.get(), static_cast<int>(piece_bytes));
      if (buffer == nullptr) throw std::bad_alloc();
      const std::size_t got = source_.read({static_cast<char*>(buffer), piece_bytes});
      batch.bytes += got;
      ended_ = got < piece_bytes;
      if (XML_ParseBuffer(parser_.get(), static_cast<int>(got), ended_ ? 1 : 0) != XML_STATUS_OK) {
        ended_ = true;
        batch.problems.push_back({relative(line()),
                                  fmt::format("the XML is malformed: {}",
                                              XML_ErrorString(XML_GetErrorCode(parser_.get()))),
                                  "check that the file is complete"});
      }
    }
    batch.lines = line() - 1 - lines_before_;
    return batch.bytes > 0;
  }

 private:
  struct Point {
    double lon = 0, lat = 0;
    std::optional<std::int64_t> time;
  };

  struct Segment {
    std::uint64_t line = 0;
    std::vector<Point> points;
  };

  struct TextAttribute {
    std::string name, text;
    bool is_text = false;  // by its type, whatever it looks like
  };

  std::uint64_t line() const { return XML_GetCurrentLineNumber(parser_.get()); }
  // Counted from the start of the batch; for what began before it, modulo 2^64, which comes out
  // right when the lines before the batch are added again.
  std::uint64_t relative(std::uint64_t line) const { return line - lines_before_; }

  static void on_start(void* self, const char* name, const char** attributes) {
    static_cast<GpxReader*>(self)->start(local_name(name), attributes);
  }
  static void on_end(void* self, const char* name) {
    static_cast<GpxReader*>(self)->end(local_name(name));
  }
  static void on_text(void* self, const char* text, int size) {
    auto* reader = static_cast<GpxReader*>(self);
    if (reader->collecting_) reader->collect({text, static_cast<std::size_t>(size)});
  }

  void start(std::string_view name, const char** attributes) {
    if (name == "trk") {
      in_track_ = true;
      name_.clear();
      segments_.clear();
      attributes_.clear();
      bad_ = {};
      taken_ = 0;
    } else if (name == "trkseg" && in_track_ && take(sizeof(Segment))) {
      segments_.emplace_back();
      segments_.back().line = line();
    } else if (name == "trkpt" && in_track_ && !segments_.empty()) {
      in_point_ = true;
      start_point(attributes);
    } else if (name == "attribute" && in_track_ && !in_point_) {
      start_attribute(attributes);
    } else if ((name == "name" && in_track_ && !in_point_) || (name == "time" && in_point_)) {
      collecting_ = true;
      text_.clear();
    }
  }

  void collect(std::string_view text) {
    if (take(text.size())) text_ += text;
  }

  // Counts bytes that the track takes; false where they are too many. The size of the file does not
  // bound them: entities may stand for anything.
  bool take(std::size_t bytes) {
    taken_ += bytes;
    if (taken_ <= options_.max_record_bytes) return true;
    note_bad(fmt::format("the track is larger than {} MiB", options_.max_record_bytes >> 20));
    segments_ = {};
    attributes_ = {};
    text_ = {};
    collecting_ = false;
    return false;
  }

  void start_attribute(const char** attributes) {
    TextAttribute added;
    for (; attributes[0] != nullptr; attributes += 2) {
      const std::string_view key = attributes[0];
      if (key == "name") added.name = attributes[1];
      if (key == "type") added.is_text = std::string_view(attributes[1]) == "text";
    }
    if (!take(sizeof added + added.name.size())) return;
    attributes_.push_back(std::move(added));
    collecting_ = true;
    text_.clear();
  }

  void start_point(const char** attributes) {
    std::optional<double> lon, lat;
    for (; attributes[0] != nullptr; attributes += 2) {
      const std::string_view key = attributes[0];
      if (key == "lon") lon = number_from(attributes[1]);
      if (key == "lat") lat = number_from(attributes[1]);
    }
    if (!lon || !lat) {
      note_bad("a <trkpt> has no lat and lon that are numbers");
    } else if (take(sizeof(Point))) {
      segments_.back().points.push_back({*lon, *lat, std::nullopt});
    }
  }

  void end(std::string_view name) {
    if (name == "trkpt") {
      in_point_ = false;
    } else if (name == "name" && in_track_ && !in_point_) {
      name_ = value_in(text_);
      collecting_ = false;
    } else if (name == "attribute" && in_track_ && !in_point_ && !attributes_.empty()) {
      attributes_.back().text = text_;
      collecting_ = false;
    } else if (name == "time" && in_point_) {
      collecting_ = false;
      const auto time = time_from(value_in(text_));
      if (!time) note_bad(fmt::format("'{}' is not a time", printable(text_)));
      if (time && !segments_.empty() && !segments_.back().points.empty()) {
        segments_.back().points.back().time = time;
      }
    } else if (name == "trk") {
      in_track_ = false;
      flush_track();
    }
  }

  void note_bad(std::string what) {
    if (bad_.what.empty()) bad_ = {line(), std::move(what), ""};
  }

  // A track's name may stand anywhere in it, so its segments wait for its end.
  void flush_track() {
    take_for_segments();
    if (!bad_.what.empty()) {
      batch_->problems.push_back({relative(bad_.line), bad_.what, ""});
    } else {
      for (std::size_t i = 0; i < segments_.size(); ++i) flush_segment(segments_[i], i);
    }
    segments_.clear();
  }

  // Each segment has the name and the attributes of the track.
  void take_for_segments() {
    if (segments_.size() < 2) return;
    std::size_t bytes = name_.size();
    for (const TextAttribute& a : attributes_) bytes += sizeof a + a.name.size() + a.text.size();
    take(bytes * (segments_.size() - 1));
  }

  void flush_segment(const Segment& segment, std::size_t index) {
    builder_->begin(relative(segment.line));
    for (const TextAttribute& a : attributes_) {
      builder_->add_attribute({a.name, std::string_view(a.text), !a.is_text});
    }
    const auto count = std::count_if(segment.points.begin(), segment.points.end(),
                                     [](const Point& p) { return p.time.has_value(); });
    const bool timed = count == std::ssize(segment.points);
    if (!timed && count > 0) builder_->lose_times();
    for (const Point& p : segment.points) {
      if (!builder_->add(p.lon, p.lat)) return;
      if (timed) builder_->add_time(*p.time);
    }
    builder_->end(segments_.size() == 1 ? name_ : part_id(name_, index));
  }

  ByteSource& source_;
  const ReadOptions& options_;
  struct FreeParser {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };
  std::unique_ptr<std::remove_pointer_t<XML_Parser>, FreeParser> parser_{XML_ParserCreate(nullptr)};
  TrackBatch* batch_ = nullptr;
  TrackBuilder* builder_ = nullptr;
  std::uint64_t lines_before_ = 0;
  bool ended_ = false;

  std::size_t taken_ = 0;  // bytes, by the track
  bool in_track_ = false, in_point_ = false, collecting_ = false;
  std::string text_, name_;
  std::vector<Segment> segments_;
  std::vector<TextAttribute> attributes_;
  Problem bad_;
};

}  // namespace

std::unique_ptr<Reader> make_gpx_reader(ByteSource& source, const ReadOptions& options) {
  return std::make_unique<GpxReader>(source, options);
}

}  // namespace tsmini
