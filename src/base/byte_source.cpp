#include "base/byte_source.h"

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "tsmini/error.h"

#include "base/system_reason.h"

namespace tsmini {

struct ByteSource::Inflater {
  z_stream stream{};
  std::vector<char> input = std::vector<char>(std::size_t{1} << 18);
  bool between_members = false;  // the last member ended; another may follow

  Inflater() {
    constexpr int gzip_only = 16 + MAX_WBITS;
    if (inflateInit2(&stream, gzip_only) != Z_OK) throw std::bad_alloc();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream); }
};

ByteSource::ByteSource(const std::filesystem::path& path, std::function<void()> while_waiting)
    : name_(path.string()), while_waiting_(std::move(while_waiting)) {
  if (path == "-") {
    name_ = "standard input";
    fd_ = STDIN_FILENO;
  } else {
    file_ = open_for_reading(path);
    fd_ = file_.get();
    struct stat status {};
    if (::fstat(fd_, &status) == 0 && S_ISREG(status.st_mode)) {
      file_size_ = static_cast<std::uint64_t>(status.st_size);
      ::posix_fadvise(fd_, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
  }
  std::string magic(2, '\0');
  magic.resize(read_raw(magic));
  const bool gzip = magic == "\x1f\x8b";
  memory_ = std::move(magic);
  consumed_ = 0;
  if (gzip) inflater_ = std::make_unique<Inflater>();
}

ByteSource::ByteSource(std::string name, std::string bytes)
    : name_(std::move(name)), memory_(std::move(bytes)), file_size_(memory_.size()) {
  if (memory_.starts_with("\x1f\x8b")) inflater_ = std::make_unique<Inflater>();
}

ByteSource::~ByteSource() = default;

void ByteSource::wait_for_input() const {
  if (file_size_ > 0) return;
  constexpr int milliseconds = 200;
  for (;;) {
    pollfd waiting{fd_, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, milliseconds);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return;
    if (while_waiting_) while_waiting_();
  }
}

std::size_t ByteSource::read_raw(std::span<char> piece) {
  std::size_t done = 0;
  if (memory_position_ < memory_.size()) {
    done = memory_.copy(piece.data(), piece.size(), memory_position_);
    memory_position_ += done;
  }
  while (fd_ >= 0 && done < piece.size()) {
    wait_for_input();
    const ssize_t got = ::read(fd_, piece.data() + done, piece.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      const int error = errno;
      throw Error(ErrorCode::bad_input, fmt::format("{}: cannot read: {}", name_, reason_of(error)),
                  remedy_for(error, FileUse::read));
    }
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  consumed_ += done;
  return done;
}

std::size_t ByteSource::read_some(std::span<char> piece) {
  if (!inflater_) return read_raw(piece);
  z_stream& z = inflater_->stream;
  z.next_out = reinterpret_cast<Bytef*>(piece.data());
  z.avail_out = static_cast<uInt>(piece.size());
  while (z.avail_out > 0) {
    if (z.avail_in == 0) {
      z.avail_in = static_cast<uInt>(read_raw(inflater_->input));
      z.next_in = reinterpret_cast<Bytef*>(inflater_->input.data());
      if (z.avail_in == 0) {
        if (inflater_->between_members) break;
        throw Error(ErrorCode::bad_input, fmt::format("{}: the gzip file is cut short", name_),
                    "fetch the file again; gzip -t tests it");
      }
    }
    inflater_->between_members = false;
    const int status = inflate(&z, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      inflater_->between_members = true;
      inflateReset(&z);
    } else if (status != Z_OK) {
      throw Error(ErrorCode::bad_input,
                  fmt::format("{}: the gzip file is damaged ({})", name_,
                              z.msg != nullptr ? z.msg : "no reason given"),
                  "fetch the file again; gzip -t tests it");
    }
  }
  return piece.size() - z.avail_out;
}

std::size_t ByteSource::read(std::span<char> piece) {
  std::size_t done = peeked_.copy(piece.data(), piece.size(), peeked_position_);
  peeked_position_ += done;
  if (peeked_position_ == peeked_.size()) {
    peeked_.clear();
    peeked_position_ = 0;
  }
  while (done < piece.size()) {
    constexpr std::size_t at_once = std::size_t{1} << 30;  // zlib counts in 32 bits
    const std::size_t got = read_some(piece.subspan(done, std::min(at_once, piece.size() - done)));
    if (got == 0) break;
    done += got;
  }
  return done;
}

std::string_view ByteSource::peek(std::size_t count) {
  if (peeked_.size() < count) {
    const std::size_t had = peeked_.size();
    peeked_.resize(count);
    peeked_.resize(had + read_some(std::span(peeked_).subspan(had)));
  }
  return std::string_view(peeked_).substr(0, count);
}

}  // namespace tsmini
