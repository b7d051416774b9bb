#include "base/npy.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tsmini/error.h"

#include "base/file_lock.h"
#include "base/system_reason.h"
#include "base/text.h"

namespace tsmini {
namespace {

static_assert(std::endian::native == std::endian::little, "values are stored as they are");

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t alignment = 64;

std::size_t size_of(NpyType type) {
  return type == NpyType::float32 ? sizeof(float) : sizeof(double);
}

[[noreturn]] void refuse(const std::filesystem::path& path, std::string_view what) {
  throw Error(ErrorCode::bad_input, fmt::format("{}: {}", path.string(), what),
              "it must be a .npy file of '<f4' or '<f8' with one or two dimensions");
}

[[noreturn]] void throw_system_error(const std::filesystem::path& path, int error) {
  throw Error(ErrorCode::failure,
              fmt::format("{}: cannot write: {}", path.string(), reason_of(error)),
              remedy_for(error, FileUse::write));
}

// The header's dictionary, as far as NumPy writes it: three keys in any order.
class HeaderText {
 public:
  explicit HeaderText(std::string_view text) : text_(text) {}

  std::optional<NpyHeader> parse() {
    NpyHeader header;
    bool type = false, order = false, shape = false;
    if (!take('{')) return std::nullopt;
    while (!take('}')) {
      if (take("'descr':") && !type) {
        type = true;
        header.type = take("'<f4'") ? NpyType::float32 : NpyType::float64;
        if (header.type == NpyType::float64 && !take("'<f8'")) return std::nullopt;
      } else if (take("'fortran_order':") && !order) {
        order = take("False");
        if (!order) return std::nullopt;
      } else if (take("'shape':") && !shape) {
        shape = take_shape(header.shape);
        if (!shape) return std::nullopt;
      } else {
        return std::nullopt;
      }
      take(',');
    }
    skip_blanks();
    if (!type || !order || !shape || text_ != "\n") return std::nullopt;
    return header;
  }

 private:
  void skip_blanks() { text_.remove_prefix(std::min(text_.find_first_not_of(' '), text_.size())); }

  bool take(std::string_view word) {
    skip_blanks();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  bool take(char c) { return take(std::string_view(&c, 1)); }

  bool take_shape(std::vector<std::size_t>& shape) {
    if (!take('(')) return false;
    while (!take(')')) {
      skip_blanks();
      const std::size_t digits = std::min(text_.find_first_not_of("0123456789"), text_.size());
      const auto number = integer_from(text_.substr(0, digits));
      if (!number) return false;
      shape.push_back(static_cast<std::size_t>(*number));
      text_.remove_prefix(digits);
      take(',');
    }
    return shape.size() == 1 || shape.size() == 2;
  }

  std::string_view text_;
};

struct Layout {
  NpyHeader header;
  std::size_t offset = 0;  // of the values
};

Layout layout_of(const std::filesystem::path& path, std::span<const std::byte> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (!text.starts_with(magic) || text.size() < 12) refuse(path, "is not a .npy file");
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const int version = byte(6);
  if ((version != 1 && version != 2) || byte(7) != 0) refuse(path, "unknown version of .npy");
  const std::size_t begin = version == 1 ? 10 : 12;
  std::size_t length = 0;
  for (std::size_t at = begin; at-- > 8;) length = length << 8 | byte(at);
  if (length > text.size() - begin) refuse(path, "the header is cut short");
  const auto header = HeaderText(text.substr(begin, length)).parse();
  if (!header) refuse(path, "its header is not understood");
  const std::size_t offset = begin + length;
  const std::size_t bytes = text.size() - offset, value = size_of(header->type);
  const bool empty =
      std::find(header->shape.begin(), header->shape.end(), 0) != header->shape.end();
  std::size_t room = bytes / value;  // divided, as a product may be beyond all numbers
  for (const std::size_t n : header->shape) room = empty ? 1 : room / n;
  if (room != 1 || bytes != header->count() * value) {
    refuse(path, fmt::format("the shape ({}) does not fit the {} bytes of values",
                             fmt::join(header->shape, ", "), bytes));
  }
  if (offset % alignof(double) != 0) refuse(path, "its values are not aligned");
  return {*header, offset};
}

}  // namespace

std::size_t NpyHeader::count() const {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

std::string NpyHeader::bytes() const {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                 type == NpyType::float32 ? "<f4" : "<f8", fmt::join(shape, ", "),
                                 shape.size() == 1 ? "," : "");
  const std::size_t before = magic.size() + 4;
  text.resize((before + text.size() + alignment) / alignment * alignment - before - 1, ' ');
  text += '\n';
  std::string all(magic);
  all += {1, 0, static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return all + text;
}

NpyArray::NpyArray(const std::filesystem::path& path) : file_(path) {
  const Layout layout = layout_of(path, file_.bytes());
  header_ = layout.header;
  values_ = file_.bytes().data() + layout.offset;
}

NpyWriter NpyWriter::create(const std::filesystem::path& path, const NpyHeader& header) {
  constexpr mode_t mode = 0666;  // less the user's umask
  FileHandle file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, mode));
  if (!file) throw_system_error(path, errno);
  NpyWriter writer(path, std::move(file), header);
  const std::string bytes = header.bytes();
  const std::size_t size = bytes.size() + header.count() * size_of(header.type);
  int error = ::ftruncate(writer.file_.get(), 0) == 0 ? EINTR : errno;
  while (error == EINTR) {
    error = ::posix_fallocate(writer.file_.get(), 0, static_cast<off_t>(size));
  }
  if (error != 0) {
    ::unlink(path.c_str());
    throw_system_error(path, error);
  }
  writer.map(size);
  std::memcpy(writer.bytes_.data(), bytes.data(), bytes.size());
  return writer;
}

NpyWriter NpyWriter::reopen(const std::filesystem::path& path, const NpyHeader& header) {
  FileHandle file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (!file) throw_system_error(path, errno);
  NpyWriter writer(path, std::move(file), header);
  const NpyArray there(path);
  const std::size_t values = there.header().count() * size_of(there.header().type);
  const std::string expected = header.bytes();
  if (!(there.header() == header)) refuse(path, "is not the array that was begun");
  writer.map(expected.size() + values);
  if (std::memcmp(writer.bytes_.data(), expected.data(), expected.size()) != 0) {
    refuse(path, "is not the array that was begun");
  }
  return writer;
}

NpyWriter::NpyWriter(std::filesystem::path path, FileHandle file, const NpyHeader& header)
    : path_(std::move(path)),
      file_(std::move(file)),
      type_(header.type),
      offset_(header.bytes().size()) {
  // The lock of a process that was killed may outlive it for a moment, until its memory is gone, to
  // which the file was mapped.
  if (!is_locked_within(std::chrono::seconds(1), file_)) {
    throw Error(ErrorCode::failure,
                fmt::format("{}: another process is writing it", path_.string()),
                "wait for it to finish, or choose another name");
  }
}

void NpyWriter::map(std::size_t size) {
  void* address = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
  if (address == MAP_FAILED) throw_system_error(path_, errno);
  bytes_ = {static_cast<std::byte*>(address), size};
}

NpyWriter::NpyWriter(NpyWriter&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::move(other.file_)),
      type_(other.type_),
      offset_(other.offset_),
      bytes_(std::exchange(other.bytes_, {})) {}

NpyWriter::~NpyWriter() {
  if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
}

void NpyWriter::sync() const {
  if (::msync(bytes_.data(), bytes_.size(), MS_SYNC) != 0) throw_system_error(path_, errno);
}

}  // namespace tsmini
