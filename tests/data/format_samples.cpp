#include "data/format_samples.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "base/text.h"

namespace tsmini {
namespace {

// Text that knows on which line it is.
class Page {
 public:
  void line(const std::string& text) {
    file_.text += text + "\n";
    ++lines_;
  }
  void begin_track() {
    file_.track_lines.push_back(lines_ + 1);
    file_.point_lines.emplace_back();
  }
  void note_point() { file_.point_lines.back().push_back(lines_ + 1); }
  RenderedFile take() { return std::move(file_); }

 private:
  RenderedFile file_;
  std::size_t lines_ = 0;
};

std::string joined(const RawTrack& track, const char* separator, const char* form, Page& page) {
  std::string text;
  for (const RawPoint& p : track.points) {
    if (!text.empty()) text += separator;
    text += fmt::format(fmt::runtime(form), p.lon, p.lat, p.time);
    page.note_point();
  }
  return text;
}

// "2008-02-02 15:36:08", or what stands there where it is no number.
std::string date_of(const std::string& time, char between) {
  const auto seconds = integer_from(time);
  if (!seconds) return between == ',' ? time + "," + time : time;
  std::string text = iso_time(*seconds).substr(0, 19);
  text[10] = between;
  return text;
}

void render_rows(Format format, const RawTrack& track, Page& page) {
  for (const RawPoint& p : track.points) {
    page.note_point();
    if (format == Format::csv) {
      page.line(fmt::format("{},{},{},{}", track.id, p.time, p.lon, p.lat));
    } else if (format == Format::tdrive) {
      page.line(fmt::format("{},{},{},{}", track.id, date_of(p.time, ' '), p.lon, p.lat));
    } else {
      page.line(fmt::format("{},{},0,492,39480.65,{}", p.lat, p.lon, date_of(p.time, ',')));
    }
  }
}

void render_gpx(const RawTrack& track, Page& page) {
  page.line("<trk><name>" + track.id + "</name>");
  page.line("<trkseg>");
  for (const RawPoint& p : track.points) {
    page.note_point();
    page.line(fmt::format(R"(<trkpt lat="{}" lon="{}"><time>{}</time></trkpt>)", p.lat, p.lon,
                          date_of(p.time, 'T')));
  }
  page.line("</trkseg></trk>");
}

void render_track(Format format, const RawTrack& track, bool last, Page& page) {
  page.begin_track();
  switch (format) {
    case Format::porto:
      page.line(fmt::format("\"{}\",\"{}\",\"False\",\"[{}]\"", track.id,
                            track.points.empty() ? "0" : track.points.front().time,
                            joined(track, ",", "[{0},{1}]", page)));
      break;
    case Format::geojson:
      page.line(fmt::format(R"({{"type":"Feature","properties":{{"id":"{}","times":[{}]}},)"
                            R"("geometry":{{"type":"LineString","coordinates":[{}]}}}}{})",
                            track.id, joined(track, ",", "\"{2}\"", page),
                            joined(track, ",", "[{0},{1}]", page), last ? "" : ","));
      break;
    case Format::wkt:
      page.line(fmt::format(
          "{};LINESTRING M {}", track.id,
          track.points.empty() ? "EMPTY" : "(" + joined(track, ", ", "{0} {1} {2}", page) + ")"));
      break;
    case Format::tsv:
      page.line(fmt::format("{}\t{}\t{}", track.id, joined(track, " ", "{2}", page),
                            joined(track, ",", "{0} {1}", page)));
      break;
    case Format::gpx: render_gpx(track, page); break;
    case Format::csv:
    case Format::tdrive:
    case Format::geolife: render_rows(format, track, page); break;
    default: throw std::invalid_argument("not a text format");
  }
}

void render_head(Format format, Page& page) {
  if (format == Format::porto) page.line(R"("TRIP_ID","TIMESTAMP","MISSING_DATA","POLYLINE")");
  if (format == Format::csv) page.line("id,time,lon,lat");
  if (format == Format::geojson) page.line(R"({"type":"FeatureCollection","features":[)");
  if (format == Format::gpx) page.line(R"(<?xml version="1.0"?><gpx version="1.1">)");
  if (format != Format::geolife) return;
  for (const char* text : {"Geolife trajectory", "WGS 84", "Altitude is in Feet", "Reserved 3",
                           "0,2,255,My Track,0,0,2,8421376", "1000000000"}) {
    page.line(text);
  }
}

}  // namespace

const std::vector<FormatTraits>& text_formats() {
  static const std::vector<FormatTraits> all{
      {Format::porto, "train.csv", false, false, false},
      {Format::geolife, "20080202.plt", true, true, true},
      {Format::tdrive, "1.txt", true, false, true},
      {Format::csv, "trips.csv", true, false, true},
      {Format::geojson, "trips.geojson", false, false, true},
      {Format::gpx, "trips.gpx", false, false, true},
      {Format::wkt, "trips.wkt", false, false, true},
      {Format::tsv, "trips.tsv", false, false, true},
  };
  return all;
}

RenderedFile render(Format format, const std::vector<RawTrack>& tracks) {
  Page page;
  render_head(format, page);
  for (const RawTrack& track : tracks) {
    render_track(format, track, &track == &tracks.back(), page);
  }
  if (format == Format::geojson) page.line("]}");
  if (format == Format::gpx) page.line("</gpx>");
  return page.take();
}

std::vector<RawTrack> good_tracks(const FormatTraits& traits) {
  std::vector<RawTrack> tracks{
      {"1",
       {{"116.3", "39.9", "1201966568"},
        {"116.31", "39.91", "1201966583"},
        {"116.32", "39.92", "1201966598"}}},
      {"2", {{"116.4", "39.8", "1201966700"}, {"116.41", "39.81", "1201966715"}}}};
  if (traits.one_track_per_file) tracks.pop_back();
  return tracks;
}

std::vector<std::string> expected_lines(const FormatTraits& traits,
                                        const std::vector<RawTrack>& tracks) {
  std::vector<std::string> lines;
  for (const RawTrack& track : tracks) {
    std::string points, times;
    for (const RawPoint& p : track.points) {
      points += fmt::format("{}{} {}", points.empty() ? "" : ",", p.lon, p.lat);
      times += fmt::format("{}{}", times.empty() ? "" : " ", p.time);
    }
    const std::string id =
        traits.one_track_per_file ? std::filesystem::path(traits.file).stem().string() : track.id;
    lines.push_back(fmt::format("{} | {} | {}", id, times, points));
  }
  return lines;
}

}  // namespace tsmini
