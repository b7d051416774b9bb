#include "base/safetensors.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/json.h"
#include "base/next_multiple.h"
#include "base/utf8.h"

namespace tsmini {
namespace {

using Json = nlohmann::json;

static_assert(std::endian::native == std::endian::little, "values are stored as they are");

constexpr std::string_view metadata_key = "__metadata__";
constexpr std::size_t prefix_size = 8;
constexpr std::uint64_t header_limit = 100'000'000;  // as the format's own library has it
constexpr std::size_t header_depth = 3;
constexpr std::string_view fetch_again = "the file is damaged or altered; copy or write it again";

// The product, nothing where it is beyond all numbers.
std::optional<std::uint64_t> bytes_of(const std::vector<std::size_t>& shape) {
  std::uint64_t bytes = sizeof(float);
  for (const std::size_t n : shape) {
    if (__builtin_mul_overflow(bytes, n, &bytes)) return std::nullopt;
  }
  return bytes;
}

class Reader {
 public:
  Reader(const std::filesystem::path& path, std::span<const std::byte> file)
      : path_(path), file_(file) {}

  void read(TensorViews& tensors, TensorMetadata& metadata) {
    const Json header = take_header();
    for (const auto& [name, entry] : header.items()) {
      if (name == metadata_key) {
        metadata = metadata_from(entry);
      } else {
        tensors.emplace(name, tensor_from(name, entry));
      }
    }
    check_coverage();
  }

 private:
  struct Extent {
    std::uint64_t begin = 0, end = 0;
    std::string name;
  };

  [[noreturn]] void refuse(std::string_view what, std::string_view remedy = fetch_again) const {
    throw Error(ErrorCode::bad_input, fmt::format("{}: {}", path_.string(), what),
                std::string(remedy));
  }
  [[noreturn]] void refuse_tensor(std::string_view name, std::string_view what,
                                  std::string_view remedy = fetch_again) const {
    refuse(fmt::format("tensor '{}': {}", printable(name, 80), what), remedy);
  }

  Json take_header() {
    constexpr std::string_view not_one = "it must be a safetensors file";
    if (file_.size() < prefix_size) {
      refuse(fmt::format("{} bytes are too few for a safetensors file", file_.size()), not_one);
    }
    std::uint64_t length = 0;
    std::memcpy(&length, file_.data(), prefix_size);
    const std::uint64_t behind = file_.size() - prefix_size;
    if (length > behind) {
      refuse(fmt::format("its header should have {} bytes, but only {} follow", length, behind),
             "the file is cut short or not safetensors; copy or write it again");
    }
    if (length > header_limit) {
      refuse(fmt::format("its header of {} bytes is longer than {}", length, header_limit),
             not_one);
    }
    const std::string_view text(reinterpret_cast<const char*>(file_.data()) + prefix_size,
                                static_cast<std::size_t>(length));
    buffer_ = file_.subspan(prefix_size + text.size());
    if (!text.starts_with('{')) refuse("its header does not begin with '{'", not_one);
    try {
      return strict_json(text, header_depth);
    } catch (const Error& error) {
      refuse(fmt::format("its header: {}", error.what()));
    }
  }

  TensorMetadata metadata_from(const Json& entry) const {
    if (!entry.is_object()) refuse("its metadata is not a JSON object");
    TensorMetadata metadata;
    for (const auto& [key, value] : entry.items()) {
      if (!value.is_string()) {
        refuse(fmt::format("its metadata '{}' is not a text but {}", printable(key),
                           printable(value.dump())));
      }
      metadata.emplace(key, value.get<std::string>());
    }
    return metadata;
  }

  std::vector<std::size_t> numbers_at(const std::string& name, const Json& entry,
                                      const char* key) const {
    const auto found = entry.find(key);
    if (found == entry.end() || !found->is_array()) {
      refuse_tensor(name, fmt::format("'{}' is missing or not a list", key));
    }
    std::vector<std::size_t> numbers;
    for (const Json& number : *found) {
      if (!number.is_number_unsigned()) {
        refuse_tensor(name, fmt::format("{} in '{}' is not a whole number from 0 up",
                                        printable(number.dump()), key));
      }
      numbers.push_back(number.get<std::size_t>());
    }
    return numbers;
  }

  TensorView tensor_from(const std::string& name, const Json& entry) {
    if (!entry.is_object()) refuse_tensor(name, "its entry is not a JSON object");
    for (const auto& [key, value] : entry.items()) {
      if (key != "dtype" && key != "shape" && key != "data_offsets") {
        refuse_tensor(name, fmt::format("unknown key '{}'", printable(key)));
      }
    }
    check_type(name, entry);
    TensorView tensor{numbers_at(name, entry, "shape"), {}};
    const std::vector<std::size_t> offsets = numbers_at(name, entry, "data_offsets");
    if (offsets.size() != 2) {
      refuse_tensor(name, fmt::format("'data_offsets' has {} numbers, not 2", offsets.size()));
    }
    const std::size_t begin = offsets[0], end = offsets[1];
    if (begin > end) {
      refuse_tensor(name, fmt::format("its data_offsets [{}, {}] are reversed", begin, end));
    }
    if (end > buffer_.size()) {
      refuse_tensor(name, fmt::format("its data_offsets [{}, {}] reach beyond the {} bytes of data",
                                      begin, end, buffer_.size()));
    }
    const auto bytes = bytes_of(tensor.shape);
    if (!bytes) {
      refuse_tensor(
          name, fmt::format("its shape [{}] is beyond all numbers", fmt::join(tensor.shape, ", ")));
    }
    if (*bytes != end - begin) {
      refuse_tensor(name,
                    fmt::format("its shape [{}] takes {} bytes, but its data_offsets "
                                "[{}, {}] hold {}",
                                fmt::join(tensor.shape, ", "), *bytes, begin, end, end - begin));
    }
    tensor.bytes = buffer_.subspan(begin, end - begin);
    extents_.push_back({begin, end, name});
    return tensor;
  }

  void check_type(const std::string& name, const Json& entry) const {
    const auto type = entry.find("dtype");
    if (type == entry.end() || !type->is_string()) {
      refuse_tensor(name, "'dtype' is missing or not a text");
    }
    if (*type != "F32") {
      refuse_tensor(name,
                    fmt::format("its dtype is {}, but only F32 is supported",
                                printable(type->get_ref<const std::string&>())),
                    "convert it to float32 (in PyTorch: tensor.float()) and save it again");
    }
  }

  // Every byte belongs to exactly one tensor.
  void check_coverage() {
    std::sort(extents_.begin(), extents_.end(), [](const Extent& a, const Extent& b) {
      return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
    });
    std::uint64_t covered = 0;
    std::string_view before;
    for (const Extent& extent : extents_) {
      if (extent.begin < covered) {
        refuse_tensor(extent.name, fmt::format("its data_offsets [{}, {}] overlap those of '{}'",
                                               extent.begin, extent.end, printable(before, 80)));
      }
      if (extent.begin > covered) {
        refuse_tensor(extent.name, fmt::format("a gap of {} bytes lies before its data_offsets "
                                               "[{}, {}]",
                                               extent.begin - covered, extent.begin, extent.end));
      }
      covered = extent.end;
      before = extent.name;
    }
    if (covered != buffer_.size()) {
      refuse(fmt::format("{} bytes at its end belong to no tensor", buffer_.size() - covered));
    }
  }

  const std::filesystem::path& path_;
  std::span<const std::byte> file_;
  std::span<const std::byte> buffer_;
  std::vector<Extent> extents_;
};

}  // namespace

std::vector<float> TensorView::values() const {
  std::vector<float> values(bytes.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) : file_(path) {
  Reader(path, file_.bytes()).read(tensors_, metadata_);
}

void write_safetensors(const std::filesystem::path& path, const TensorViews& tensors,
                       const TensorMetadata& metadata) {
  Json header = Json::object();
  if (!metadata.empty()) header[std::string(metadata_key)] = metadata;
  std::uint64_t offset = 0;
  for (const auto& [name, tensor] : tensors) {
    assert(name != metadata_key && bytes_of(tensor.shape) == tensor.bytes.size());
    const std::uint64_t end = offset + tensor.bytes.size();
    header[name] = {{"data_offsets", {offset, end}}, {"dtype", "F32"}, {"shape", tensor.shape}};
    offset = end;
  }
  std::string text = header.dump();
  text.resize(next_multiple(text.size(), prefix_size), ' ');
  const std::uint64_t length = text.size();
  OutputFile file(path);
  file.write(&length, sizeof length);
  file.write(text);
  for (const auto& [name, tensor] : tensors) file.write(tensor.bytes.data(), tensor.bytes.size());
  file.commit();
}

}  // namespace tsmini
