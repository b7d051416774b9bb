#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "tsmini/dataset.h"

#include "data/dataset_storage.h"
#include "data/tsd_format.h"

namespace tsmini {
namespace {

[[noreturn]] void refuse(const std::string& name, std::string_view why) {
  refuse_section_file(tsd::kind, name, why);
}

tsd::Header read_header(const std::string& name, std::span<const std::byte> bytes) {
  const auto header = read_section_header<tsd::Header>(tsd::kind, name, bytes);
  if (bytes.size() < header.file_size) {
    refuse(name, fmt::format("the data set is cut short: {} of {} bytes", bytes.size(),
                             header.file_size));
  }
  if (header.coordinates > 1) refuse(name, "the header makes no sense");
  return header;
}

// Gives arrays the sections of a data set: what is wrong with their bytes is found on first use.
class Loader {
 public:
  Loader(const std::string& name, const SectionTable& sections)
      : name_(name), sections_(sections) {}

  // Exactly `count` values, of which `structure`, if given, says whether they make sense.
  template <class T>
  void operator()(LazyArray<T>& array, std::string_view section, std::uint64_t count,
                  typename LazyArray<T>::Check structure = {}) const {
    const FileSection& entry = sections_[section];
    const auto bytes = sections_.bytes_of(entry);
    sections_.need<T>(entry, count);
    const std::span<const T> values(reinterpret_cast<const T*>(bytes.data()), count);
    array.set(values, [name = name_, section = std::string(section), wanted = entry.checksum,
                       structure = std::move(structure)](std::span<const T> found) {
      if (checksum_of(std::as_bytes(found)) != wanted) {
        refuse(name, fmt::format("section '{}' was altered", section));
      }
      if (structure) structure(found);
    });
  }
  // Whatever bytes it holds.
  template <class Byte>
  void operator()(LazyArray<Byte>& array, std::string_view section) const {
    (*this)(array, section, sections_[section].size / sizeof(Byte));
  }

 private:
  const std::string& name_;
  const SectionTable& sections_;
};

LazyArray<std::uint64_t>::Check rising_to(const std::string& name, std::uint64_t end) {
  return [name, end](std::span<const std::uint64_t> offsets) {
    if (offsets.front() != 0 || offsets.back() != end ||
        !std::is_sorted(offsets.begin(), offsets.end())) {
      refuse(name, "the offsets do not rise from 0 to the end of the data");
    }
  };
}

LazyArray<Part>::Check known_parts(const std::string& name) {
  return [name](std::span<const Part> parts) {
    for (const Part part : parts) {
      if (part > Part::test) refuse(name, "a split mark is unknown");
    }
  };
}

}  // namespace

Dataset Dataset::open(const std::filesystem::path& path) {
  auto storage = std::make_shared<Storage>();
  storage->name = path.string();
  storage->file = std::make_unique<MappedFile>(path);
  const auto bytes = storage->file->bytes();
  const std::string& name = storage->name;
  const tsd::Header header = read_header(name, bytes);
  const SectionTable sections(tsd::kind, name, sections_of(header), bytes);
  const Loader load(name, sections);

  const std::uint64_t count = header.trajectories;
  if (count > bytes.size() || header.points > bytes.size()) {
    refuse(name, fmt::format("claims {} trajectories of {} points, more than its {} bytes can hold",
                             count, header.points, bytes.size()));
  }
  load(storage->offsets, tsd::offsets_section, count + 1, rising_to(name, header.points));
  load(storage->points, tsd::points_section, header.points);
  load(storage->ids, tsd::ids_section);
  load(storage->id_offsets, tsd::id_offsets_section, count + 1,
       rising_to(name, sections[tsd::ids_section].size));
  if (sections.has(tsd::times_section)) {
    load(storage->times, tsd::times_section, header.points);
  }
  if (sections.has(tsd::parts_section)) {
    load(storage->parts, tsd::parts_section, count, known_parts(name));
  }
  if (sections.has(tsd::attributes_section)) {
    load(storage->attribute_bytes, tsd::attributes_section);
    storage->attributes.set(columns_of(*storage));
  }
  LazyArray<char> provenance;
  load(provenance, tsd::provenance_section);

  storage->size = count;
  storage->point_count = header.points;
  storage->info.coordinates = header.coordinates == 0 ? Coordinates::degrees : Coordinates::planar;
  const auto& e = header.extent;
  storage->info.extent = {e[0], e[1], e[2], e[3]};
  storage->info.has_times = sections.has(tsd::times_section);
  storage->info.has_split = sections.has(tsd::parts_section);
  storage->info.provenance.assign(provenance.get().begin(), provenance.get().end());
  return Dataset(std::move(storage));
}

}  // namespace tsmini
