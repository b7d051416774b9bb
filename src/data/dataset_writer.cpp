#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "tsmini/dataset.h"

#include "data/attribute_collector.h"
#include "data/dataset_storage.h"
#include "data/tsd_format.h"

namespace tsmini {
namespace {

// The bytes of one section on their way into a file, with their checksum.
class SectionStream {
 public:
  explicit SectionStream(OutputFile& file) : file_(&file) {}

  template <class T>
  void write(std::span<const T> values) {
    checksum_.bytes(std::as_bytes(values));
    file_->write(values.data(), values.size_bytes());
    size_ += values.size_bytes();
  }

  OutputFile& file() { return *file_; }

  // What was written, as the section that begins so.
  FileSection entry(FileSection section) const {
    section.size = size_;
    section.checksum = checksum_.value();
    return section;
  }

 private:
  OutputFile* file_;
  Checksum checksum_;
  std::uint64_t size_ = 0;
};

std::filesystem::path beside(const std::filesystem::path& path, std::string_view section) {
  return std::filesystem::path(path) += "." + std::string(section);
}

// A section that grows beside the points and is appended to them at the end.
class SideSection {
 public:
  SideSection(const std::filesystem::path& path, std::string_view name)
      : file_(beside(path, name)), stream_(file_) {}

  SectionStream& stream() { return stream_; }

 private:
  OutputFile file_;
  SectionStream stream_;
};

}  // namespace

struct DatasetWriter::State {
  State(const std::filesystem::path& path, Coordinates coordinates)
      : file(path),
        offsets(path, tsd::offsets_section),
        times(path, tsd::times_section),
        ids(path, tsd::ids_section),
        id_offsets(path, tsd::id_offsets_section),
        attributes(beside(path, tsd::attributes_section)) {
    header.coordinates = coordinates == Coordinates::degrees ? 0 : 1;
    file.write(&header, sizeof header);  // its place
    points_entry = begin_section(file, tsd::points_section);
    write_offset(offsets, 0);
    write_offset(id_offsets, 0);
  }

  static void write_offset(SideSection& section, std::uint64_t value) {
    section.stream().write(std::span<const std::uint64_t>(&value, 1));
  }

  // Times are written from the first trajectory that has any; the points before it get none.
  void start_times() {
    std::vector<std::int64_t> block(std::size_t{1} << 16, tsd::no_time);
    for (std::uint64_t left = header.points; left > 0;) {
      const std::uint64_t now = std::min<std::uint64_t>(left, block.size());
      times.stream().write(std::span<const std::int64_t>(block.data(), now));
      left -= now;
    }
    has_times = true;
  }

  void append(SectionStream& section, std::string_view name) {
    add_entry(section.entry(begin_section(file, name)));
    file.append(section.file());
  }

  template <class T>
  void append(std::span<const T> values, std::string_view name) {
    append_by([&](SectionStream& section) { section.write(values); }, name);
  }

  template <class Write>
  void append_by(const Write& write, std::string_view name) {
    const FileSection begun = begin_section(file, name);
    SectionStream section(file);
    write(section);
    add_entry(section.entry(begun));
  }

  void add_entry(const FileSection& section) { header.sections[header.section_count++] = section; }

  tsd::Header header;
  OutputFile file;
  SectionStream points{file};
  FileSection points_entry;
  SideSection offsets, times, ids, id_offsets;
  AttributeCollector attributes;
  std::uint64_t id_bytes = 0;
  bool has_times = false;
  Box extent = Box::empty();
};

DatasetWriter::DatasetWriter(const std::filesystem::path& path, Coordinates coordinates)
    : state_(std::make_unique<State>(path, coordinates)) {}

DatasetWriter::~DatasetWriter() = default;

std::uint64_t DatasetWriter::size() const {
  return state_->header.trajectories;
}

void DatasetWriter::add(const Trajectory& trajectory, std::span<const Attribute> attributes) {
  assert(trajectory.times.empty() || trajectory.times.size() == trajectory.points.size());
  State& s = *state_;
  s.attributes.add(trajectory, attributes);
  if (trajectory.has_times() && !s.has_times) s.start_times();
  if (trajectory.has_times()) {
    s.times.stream().write(trajectory.times);
  } else if (s.has_times) {
    const std::vector<std::int64_t> none(trajectory.size(), tsd::no_time);
    s.times.stream().write(std::span<const std::int64_t>(none));
  }
  for (const Position& p : trajectory.points) s.extent.add(p);
  s.points.write(trajectory.points);
  s.ids.stream().write(std::span<const char>(trajectory.id));
  s.id_bytes += trajectory.id.size();
  s.header.points += trajectory.size();
  ++s.header.trajectories;
  State::write_offset(s.offsets, s.header.points);
  State::write_offset(s.id_offsets, s.id_bytes);
}

void DatasetWriter::finish(std::span<const Part> parts, std::string_view provenance) {
  State& s = *state_;
  assert(parts.empty() || parts.size() == s.header.trajectories);
  s.add_entry(s.points.entry(s.points_entry));
  s.append(s.offsets.stream(), tsd::offsets_section);
  if (s.has_times) s.append(s.times.stream(), tsd::times_section);
  s.append(s.ids.stream(), tsd::ids_section);
  s.append(s.id_offsets.stream(), tsd::id_offsets_section);
  if (std::any_of(parts.begin(), parts.end(), [](Part p) { return p != Part::none; })) {
    s.append(parts, tsd::parts_section);
  }
  if (s.attributes.any()) {
    const auto write = [&](SectionStream& section) {
      s.attributes.write([&](std::span<const std::byte> bytes) { section.write(bytes); });
    };
    s.append_by(write, tsd::attributes_section);
  }
  s.append(std::span<const char>(provenance), tsd::provenance_section);

  const Box box = s.header.points == 0 ? Box{} : s.extent;
  s.header.extent = {box.min_lon, box.min_lat, box.max_lon, box.max_lat};
  write_section_header(tsd::kind, s.header, s.file);
  s.file.commit();
}

}  // namespace tsmini
